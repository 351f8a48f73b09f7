import { useRouterState } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';

import { Drawer } from '../components/dialog.tsx';
import { Skeleton } from '../components/skeleton.tsx';
import { createStore, useStore } from '../lib/store.ts';

const RecentChangeList = lazy(() => import('./recent-change-list.tsx'));
/** The path of the page over which it was opened: it closes when one of the changes is. */
const openedOn = createStore<string | null>(null);

export function openRecentChanges(): void {
  openedOn.set(location.pathname);
}

/** What was done last, by whom, and the way back. */
export function RecentChanges() {
  const path = useRouterState({ select: ({ location: shown }) => shown.pathname });
  return (
    <Drawer open={useStore(openedOn) === path} title="Recent changes" onClose={() => openedOn.set(null)}>
      <Suspense fallback={<Skeleton lines={8} />}>
        <RecentChangeList />
      </Suspense>
    </Drawer>
  );
}
