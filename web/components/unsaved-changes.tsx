import { useBlocker } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';

import { confirmLeaving, type Left } from './leave-store.ts';

/** While there are unsaved changes, leaving the page asks: inside the dashboard by a dialog, else by the browser. With `isOfAddress`, another query of the same page leaves it, too. */
export function useUnsavedChanges(isDirty: boolean, about: Left = 'page', isOfAddress = false): void {
  const dirty = useRef(isDirty);
  useEffect(() => {
    dirty.current = isDirty;
  }, [isDirty]);
  useBlocker({
    shouldBlockFn: async ({ current, next }) => {
      const isSame = current.pathname === next.pathname && (!isOfAddress || isEqual(current.search, next.search));
      if (!dirty.current || isSame) return false;
      return !(await confirmLeaving(about));
    },
    enableBeforeUnload: () => dirty.current,
  });
}

function isEqual(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** By the buttons of the browser. A dialog covers all links, so every other way is one that the page goes by itself. */
const BY_BROWSER: ReadonlySet<string> = new Set(['BACK', 'FORWARD', 'GO']);

/** The same for what has been typed into a dialog. */
export function useUnsavedDialog(hasTyped: () => boolean): void {
  useBlocker({
    shouldBlockFn: async ({ action, current, next }) => {
      if (!BY_BROWSER.has(action) || !hasTyped() || current.pathname === next.pathname) return false;
      return !(await confirmLeaving('dialog'));
    },
    enableBeforeUnload: hasTyped,
  });
}
