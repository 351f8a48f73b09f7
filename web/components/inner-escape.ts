import { useEffect, useRef, type RefObject } from 'react';

/** Escape in a part of a dialog that takes the key itself: the dialog around it, which would close, does not hear of it. */
export function useInnerEscape(part: RefObject<HTMLElement | null>, leave: () => void): void {
  const latest = useRef(leave);
  useEffect(() => {
    latest.current = leave;
  });
  useEffect(() => {
    const element = part.current;
    const listen = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || event.isComposing) return;
      event.preventDefault();
      event.stopPropagation();
      latest.current();
    };
    element?.addEventListener('keydown', listen);
    return () => element?.removeEventListener('keydown', listen);
  }, [part]);
}
