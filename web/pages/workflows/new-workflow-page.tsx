import { PageHeader } from '../../components/page-header.tsx';

export default function NewWorkflowPage() {
  return <PageHeader title="New workflow" />;
}
