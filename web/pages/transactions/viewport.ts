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

/**
 * How much of an element is near the screen, from its own top, in steps: rows come and go some at a time. At first it is little
 * more than what is seen, which is drawn the sooner; the margin comes after that.
 */
export function useNearSpan(element: RefObject<HTMLElement | null>, step: number, margin: number): Span {
  const [span, setSpan] = useState<Span>({ top: 0, bottom: 0 });
  const last = useRef(span);
  const isDrawn = useRef(false);
  const look = useRef(() => {});
  useLayoutEffect(() => {
    look.current = () => {
      const box = element.current?.getBoundingClientRect();
      if (!box) return;
      const beyond = isDrawn.current ? margin : step;
      const top = Math.max(0, Math.floor((-box.top - beyond) / step) * step);
      const bottom = Math.max(
        0,
        Math.min(Math.ceil(box.height / step), Math.ceil((innerHeight - box.top + beyond) / step)) * step,
      );
      const next = bottom <= top ? { top: 0, bottom: 0 } : { top, bottom };
      if (next.top === last.current.top && next.bottom === last.current.bottom) return;
      last.current = next;
      setSpan(next);
    };
    look.current();
  });
  useEffect(() => {
    const end = follow(() => look.current());
    const cancel = afterPaint(() => {
      isDrawn.current = true;
      look.current();
    });
    return () => {
      end();
      cancel();
    };
  }, []);
  return span;
}

/** Calls back once what has just been put into the page is on screen. */
function afterPaint(run: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const painting = requestAnimationFrame(() => {
    timer = setTimeout(run);
  });
  return () => {
    cancelAnimationFrame(painting);
    clearTimeout(timer);
  };
}

/** Calls back whenever the page was scrolled. */
export function useScrolled(look: () => void): void {
  const latest = useRef(look);
  useEffect(() => {
    latest.current = look;
  });
  useEffect(() => follow(() => latest.current()), []);
}
