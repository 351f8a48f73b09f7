import { useEffect, useRef, type RefObject } from 'react';

/**
 * What Escape does in a dialog is decided here. A browser asks the page twice at most, then closes the dialog whatever the
 * page says, and a key that is shown once would be gone.
 */
export function useOwnEscape(dialog: RefObject<HTMLDialogElement | null>, close: () => void): void {
  const latest = useRef(close);
  useEffect(() => {
    latest.current = close;
  });
  useEffect(() => {
    const element = dialog.current;
    const listen = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing) return;
      event.preventDefault();
      // The dialog around this one stays.
      event.stopPropagation();
      latest.current();
    };
    // By a gesture of the system, or while nothing in the dialog had the focus.
    const reopen = ({ target }: Event): void => {
      if (!element?.isConnected || target !== element || element.open) return;
      element.showModal();
      latest.current();
    };
    element?.addEventListener('keydown', listen);
    element?.addEventListener('close', reopen);
    return () => {
      element?.removeEventListener('keydown', listen);
      element?.removeEventListener('close', reopen);
    };
  }, [dialog]);
}
