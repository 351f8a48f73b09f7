import { useBlocker } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';

import { confirmLeaving } from './leave-store.ts';

/** While there are unsaved changes, leaving the page asks: inside the dashboard by a dialog, else by the browser. */
export function useUnsavedChanges(isDirty: boolean): void {
  const dirty = useRef(isDirty);
  useEffect(() => {
    dirty.current = isDirty;
  }, [isDirty]);
  useBlocker({
    shouldBlockFn: async ({ current, next }) => {
      if (!dirty.current || current.pathname === next.pathname) return false;
      return !(await confirmLeaving('page'));
    },
    enableBeforeUnload: () => dirty.current,
  });
}
