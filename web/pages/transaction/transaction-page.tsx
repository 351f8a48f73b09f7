import { PageHeader } from '../../components/page-header.tsx';
import { TransactionDetail } from '../../components/transaction/transaction-detail.tsx';
import { usePageParams } from '../../lib/page-link.tsx';

/** What the drawer shows, at its own address: for small screens, and for links that are kept. */
export default function TransactionPage() {
  const { id = '' } = usePageParams();
  return (
    <>
      <PageHeader title="Transaction" />
      <TransactionDetail id={id} />
    </>
  );
}
