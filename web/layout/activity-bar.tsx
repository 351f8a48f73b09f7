import { useIsFetching } from '@tanstack/react-query';

import { useIsLate } from '../components/skeleton.tsx';

/** A thin bar at the top while data are being loaded or loaded again. */
export function ActivityBar() {
  return useIsFetching() > 0 ? <Bar /> : null;
}

function Bar() {
  const isLate = useIsLate();
  return isLate ? <div aria-hidden className="fixed inset-x-0 top-0 z-40 h-0.5 animate-pulse bg-accent" /> : null;
}
