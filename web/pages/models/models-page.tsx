import { PageHeader } from '../../components/page-header.tsx';

export default function ModelsPage() {
  return <PageHeader title="Models" />;
}
