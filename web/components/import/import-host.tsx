import { lazy, Suspense } from 'react';

import { useStore } from '../../lib/store.ts';
import { DropAnywhere } from './drop-anywhere.tsx';
import { followed } from './follow-store.ts';
import { isSheetOpen } from './import-queue.ts';

const ImportSheet = lazy(() => import('./import-sheet.tsx'));
const FollowImports = lazy(() => import('./follow-imports.tsx'));

/** On every page: takes files, shows them in the sheet, and follows the imports of this browser to their end. */
export default function ImportHost() {
  const isOpen = useStore(isSheetOpen);
  const isFollowing = useStore(followed).length > 0;
  return (
    <>
      <DropAnywhere />
      {/* Each waits for itself: waiting for the other would close an open dialog. */}
      <Suspense fallback={null}>{isOpen && <ImportSheet />}</Suspense>
      <Suspense fallback={null}>{isFollowing && <FollowImports />}</Suspense>
    </>
  );
}
