import { PageHeader } from '../../components/page-header.tsx';

export default function WorkflowPage() {
  return <PageHeader title="Workflow" />;
}
