import { PageHeader } from '../../components/page-header.tsx';

export default function WorkflowsPage() {
  return <PageHeader title="Workflows" />;
}
