import { useRef, type FocusEvent } from 'react';

type Field = HTMLInputElement | HTMLTextAreaElement;

/** Not what only finds or confirms something, nor passwords: they are quickly typed again. */
const KEPT = 'textarea, input:not([type=password], [role=combobox], [data-may-be-lost])';

/** Notices what a person types into a dialog: each field is compared with what it held when the person came to it. */
export function useTyped(): { note: (event: FocusEvent) => void; isAny: () => boolean } {
  const before = useRef(new Map<Field, string>());
  return {
    note: ({ target }) => {
      if (isField(target) && !before.current.has(target)) before.current.set(target, target.value);
    },
    isAny: () => [...before.current].some(([field, text]) => field.isConnected && field.value !== text),
  };
}

function isField(target: Element): target is Field {
  return target.matches(KEPT);
}
