import { useEffect } from 'react';

import { DropArea } from '../../components/import/import-button.tsx';
import { holdByPage, queue } from '../../components/import/import-queue.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { useStore } from '../../lib/store.ts';
import { NewImport } from './new-import.tsx';

/** Everything about a file before it is imported. Leaving stores nothing. */
export default function NewImportPage() {
  const [first, ...later] = useStore(queue);
  useEffect(() => holdByPage(), []);
  if (first) return <NewImport key={first.id} item={first} later={later} />;
  return (
    <>
      <PageHeader
        title="Import a file"
        lead="Download your transactions at your bank, and choose the file here. What is in it is shown before anything is written."
      />
      <DropArea autoFocus />
    </>
  );
}
