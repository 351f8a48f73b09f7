import { getTransaction } from '../../../src/features/transactions/transactions.contract.ts';
import { useApiQuery } from '../../api/queries.ts';
import { BackLink } from '../../components/back-link.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Loaded } from '../../components/skeleton.tsx';
import { TransactionDetail } from '../../components/transaction/transaction-detail.tsx';
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
      <Loaded query={transaction} lines={8}>
        {(read) => (
          <div className="rounded-card border border-line bg-surface p-4 sm:p-6">
            <TransactionDetail key={read.id} id={id} read={read} />
          </div>
        )}
      </Loaded>
    </div>
  );
}
