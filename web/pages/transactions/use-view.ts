import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';

import { readView, withFilters, writeView, type FilterName, type View } from './filters.ts';

export interface ViewInAddress {
  view: View;
  /** Filters under other ones; undefined takes one away. */
  filter: (next: Partial<Record<FilterName, string | undefined>>, how?: 'push' | 'replace') => void;
  /** Another view as a whole. */
  show: (next: Omit<View, 'unknown'>) => void;
  /** Only what leaves nothing out: the whole list in its order. */
  clear: () => void;
}

/** The view that the address describes: it can be shared, and Back leads to the one before. */
export function useView(): ViewInAddress {
  const search = useSearch({ strict: false });
  const view = useMemo(() => readView(search), [search]);
  const navigate = useNavigate();
  return useMemo(() => {
    const go = (next: Omit<View, 'unknown'>, how: 'push' | 'replace' = 'push'): void => {
      const target = { to: '/transactions', search: writeView(next), replace: how === 'replace', resetScroll: false };
      void navigate(target);
    };
    const { filters: _, ...rest } = view;
    return {
      view,
      filter: (next, how) => go({ ...rest, filters: withFilters(view.filters, next) }, how),
      show: (next) => go(next),
      clear: () => go({ ...rest, filters: {} }),
    };
  }, [view, navigate]);
}
