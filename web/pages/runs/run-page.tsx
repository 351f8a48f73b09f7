import { PageHeader } from '../../components/page-header.tsx';

export default function RunPage() {
  return <PageHeader title="Run" />;
}
