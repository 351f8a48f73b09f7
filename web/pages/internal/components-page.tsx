import { PageHeader } from '../../components/page-header.tsx';

/** Every component in every state, for the eye and for the browser tests. Not in the navigation. */
export default function ComponentsPage() {
  return <PageHeader title="Components" />;
}
