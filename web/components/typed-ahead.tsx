import { useLayoutEffect } from 'react';

let text = '';

/** Stands where a field is still loading, and keeps what is typed for it: a word without its beginning finds another choice. */
export function FieldToCome() {
  useLayoutEffect(catchTyping, []);
  return <span aria-busy className="field min-h-9" />;
}

/** What was typed for the field that now is there. */
export function takeTyped(): string {
  const typed = text;
  text = '';
  return typed;
}

function catchTyping(): () => void {
  text = '';
  document.addEventListener('keydown', keep, true);
  return () => {
    document.removeEventListener('keydown', keep, true);
    // The field takes it in this moment, or there will be none.
    queueMicrotask(takeTyped);
  };
}

function keep(event: KeyboardEvent): void {
  const { key, ctrlKey, metaKey, altKey, isComposing, target } = event;
  if (ctrlKey || metaKey || altKey || isComposing) return;
  if (target instanceof HTMLElement && target.closest('input, textarea, select') !== null) return;
  if (key !== 'Backspace' && key.length !== 1) return;
  event.preventDefault();
  event.stopPropagation();
  text = key === 'Backspace' ? text.slice(0, -1) : text + key;
}
