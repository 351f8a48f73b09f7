import { useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react';

/** One listener for all that follows the scrolling of the page, once per frame. */
const followers = new Set<() => void>();
let frame = 0;

function tell(): void {
  cancelAnimationFrame(frame);
  frame = requestAnimationFrame(() => {
    for (const follower of followers) follower();
  });
}

function follow(follower: () => void): () => void {
  if (followers.size === 0) {
    addEventListener('scroll', tell, { passive: true });
    addEventListener('resize', tell, { passive: true });
  }
  followers.add(follower);
  return () => {
    followers.delete(follower);
    if (followers.size > 0) return;
    removeEventListener('scroll', tell);
    removeEventListener('resize', tell);
  };
}

/** Something has changed its height, and moved what is below it. */
export const noteMoved = tell;

interface Span {
  top: number;
  bottom: number;
}

/** How much of an element is near the screen, from its own top, in steps: rows come and go some at a time. */
export function useNearSpan(element: RefObject<HTMLElement | null>, step: number, margin: number): Span {
  const [span, setSpan] = useState<Span>({ top: 0, bottom: 0 });
  const last = useRef(span);
  const look = useRef(() => {});
  useLayoutEffect(() => {
    look.current = () => {
      const box = element.current?.getBoundingClientRect();
      if (!box) return;
      const top = Math.max(0, Math.floor((-box.top - margin) / step) * step);
      const bottom = Math.max(
        0,
        Math.min(Math.ceil(box.height / step), Math.ceil((innerHeight - box.top + margin) / step)) * step,
      );
      const next = bottom <= top ? { top: 0, bottom: 0 } : { top, bottom };
      if (next.top === last.current.top && next.bottom === last.current.bottom) return;
      last.current = next;
      setSpan(next);
    };
    look.current();
  });
  useEffect(() => follow(() => look.current()), []);
  return span;
}

/** Calls back whenever the page was scrolled. */
export function useScrolled(look: () => void): void {
  const latest = useRef(look);
  useEffect(() => {
    latest.current = look;
  });
  useEffect(() => follow(() => latest.current()), []);
}
