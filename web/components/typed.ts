import { useLayoutEffect, useRef, type RefObject } from 'react';

type Field = HTMLInputElement | HTMLTextAreaElement;

/** Not what only finds or confirms something, nor passwords: they are quickly typed again. */
const KEPT = 'textarea, input:not([type=password], [role=combobox], [data-may-be-lost])';

/**
 * Notices what a person types into a dialog: each field is compared with what it held when the person came to it. What it
 * returns says whether anything has been typed that is still there.
 */
export function useTyped(dialog: RefObject<HTMLElement | null>): () => boolean {
  const before = useRef(new Map<Field, string>());
  // Before the dialog gives its first field the focus.
  useLayoutEffect(() => {
    const element = dialog.current;
    const note = ({ target }: Event): void => {
      if (target instanceof Element && isField(target) && !before.current.has(target)) {
        before.current.set(target, target.value);
      }
    };
    element?.addEventListener('focusin', note);
    return () => element?.removeEventListener('focusin', note);
  }, [dialog]);
  return () => [...before.current].some(([field, text]) => field.isConnected && field.value !== text);
}

function isField(target: Element): target is Field {
  return target.matches(KEPT);
}
