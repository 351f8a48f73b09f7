import { PageHeader } from '../../components/page-header.tsx';

export default function AccountPage() {
  return <PageHeader title="Homeledger" />;
}
