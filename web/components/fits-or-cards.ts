import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react';

/**
 * Lays a table out as cards while its columns do not fit into the box around it. Languages, amounts and names decide that,
 * so the width of the screen alone cannot.
 */
export function useFitsOrCards(): RefObject<HTMLTableElement | null> {
  const table = useRef<HTMLTableElement>(null);
  // Before it is painted, after each change of its rows.
  useLayoutEffect(() => arrange(table.current));
  useEffect(() => {
    const box = table.current?.parentElement;
    if (!box) return undefined;
    let frame = 0;
    // In a frame of its own: a change of size while sizes are told would be an error.
    const observer = new ResizeObserver(() => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => arrange(table.current));
    });
    observer.observe(box);
    return () => {
      observer.disconnect();
      cancelAnimationFrame(frame);
    };
  }, []);
  return table;
}

function arrange(table: HTMLTableElement | null): void {
  if (!table?.parentElement) return;
  delete table.dataset['cards'];
  if (table.offsetWidth > table.parentElement.clientWidth) table.dataset['cards'] = '';
}
