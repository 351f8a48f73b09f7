import { useRouterState } from '@tanstack/react-router';
import { lazy, Suspense, useEffect } from 'react';

import { Drawer } from '../components/dialog.tsx';
import { Skeleton } from '../components/skeleton.tsx';
import { createStore, useStore } from '../lib/store.ts';

const RecentChangeList = lazy(() => import('./recent-change-list.tsx'));
const isOpen = createStore(false);

export function openRecentChanges(): void {
  isOpen.set(true);
}

/** What was done last, by whom, and the way back. */
export function RecentChanges() {
  const path = useRouterState({ select: ({ location }) => location.pathname });
  // One of them has been opened.
  useEffect(() => isOpen.set(false), [path]);
  return (
    <Drawer open={useStore(isOpen)} title="Recent changes" onClose={() => isOpen.set(false)}>
      <Suspense fallback={<Skeleton lines={8} />}>
        <RecentChangeList />
      </Suspense>
    </Drawer>
  );
}
