import type { AnyRouter } from '@tanstack/react-router';

interface Visit {
  /** Of the entry: another page may come to the same place later. */
  key: string | undefined;
  pathname: string;
  /** The link by which it was left. */
  leftBy: string | null;
}

/** What this tab has shown, by its place in the browser's history. */
const visits = new Map<number, Visit>();
let now = 0;

/** Follows the pages of a router, so that a way back can lead to the row that was left. */
export function followVisits(router: AnyRouter): void {
  router.subscribe('onBeforeNavigate', ({ fromLocation }) => {
    const left = fromLocation && visits.get(fromLocation.state.__TSR_index);
    const link = document.activeElement?.closest('main a[href]');
    if (left) left.leftBy = link?.getAttribute('href') ?? null;
  });
  router.subscribe('onBeforeLoad', ({ toLocation: { pathname, state } }) => {
    now = state.__TSR_index;
    const key = state.__TSR_key;
    if (visits.get(now)?.key !== key) visits.set(now, { key, pathname, leftBy: null });
  });
}

/** Whether the page before this one in the history is at this path, so that going back opens it as it was. */
export function cameFrom(pathname: string): boolean {
  return visits.get(now - 1)?.pathname === pathname;
}

/** The link by which this page was left, if it is one that people have come back to. */
export function linkLeftBy(): HTMLElement | undefined {
  const href = visits.get(now)?.leftBy;
  const links = document.querySelectorAll<HTMLElement>('main a[href]');
  return href == null ? undefined : [...links].find((link) => link.getAttribute('href') === href);
}
