import { getTransaction } from '../../../src/features/transactions/transactions.contract.ts';
import { useApiQuery } from '../../api/queries.ts';
import { BackLink } from '../../components/back-link.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { LoadedTransaction } from '../../components/transaction/loaded-transaction.tsx';
import { nameOf } from '../../components/transaction/transaction-row.tsx';
import { usePageParams } from '../../lib/page-link.tsx';

/** What the drawer shows, at its own address: for small screens, and for links that are kept. */
export default function TransactionPage() {
  const { id = '' } = usePageParams();
  const transaction = useApiQuery(getTransaction, { params: { id }, query: { include_deleted: 'true' } });
  return (
    <div className="max-w-3xl">
      <BackLink to="/transactions">Transactions</BackLink>
      <PageHeader title={transaction.data === undefined ? 'Transaction' : nameOf(transaction.data)} />
      <div className="rounded-card border border-line bg-surface p-4 sm:p-6">
        <LoadedTransaction id={id} query={transaction} />
      </div>
    </div>
  );
}
