import { PageHeader } from '../../components/page-header.tsx';

export default function RunsPage() {
  return <PageHeader title="Runs" />;
}
