import { useEffect, useRef, useState, type RefObject } from 'react';
import { flushSync } from 'react-dom';

import { headingId } from './month-section.tsx';
import type { Period } from './months.ts';
import { opening } from './open-sections.ts';
import { noteMoved, useScrolled } from './viewport.ts';

/** A month counts as that on screen once its heading is so near to the top. */
const TOP_PX = 96;

interface OnScreen {
  open: ReadonlySet<string>;
  /** The month at the top of the screen. */
  current: string | undefined;
  toggle: (month: string) => void;
  /** Opens a month without going there. */
  openNow: (month: string) => void;
  /** Opens a month and brings its heading to the top. */
  goTo: (month: string) => void;
}

/**
 * Which months are open. Coming near the end of one opens the next, and near the start of one that before it, so that
 * scrolling goes through all of them; what is on screen stays where it is.
 */
export function useMonthsOnScreen(list: RefObject<HTMLElement | null>, months: readonly Period[]): OnScreen {
  const [open, setOpen] = useState<ReadonlySet<string>>(() => new Set(months.slice(0, 1).map(({ key }) => key)));
  const [current, setCurrent] = useState(months[0]?.key);
  const closedByHand = useRef(new Set<string>());
  const lastY = useRef(0);
  const pin = usePin();

  const openNow = (month: string): void => {
    closedByHand.current.delete(month);
    if (!open.has(month)) flushSync(() => setOpen(opening(open, month, months)));
  };
  const openInPlace = (month: string, fixed: Element): void => {
    const before = fixed.getBoundingClientRect().top;
    openNow(month);
    const moved = fixed.getBoundingClientRect().top - before;
    if (moved !== 0) scrollBy({ top: moved, behavior: 'instant' });
    lastY.current = scrollY;
  };
  const toggle = (month: string): void => {
    if (!open.has(month)) return openNow(month);
    closedByHand.current.add(month);
    setOpen(new Set([...open].filter((one) => one !== month)));
    noteMoved();
  };
  const goTo = (month: string): void => {
    if (!months.some(({ key }) => key === month)) return;
    openNow(month);
    const heading = document.getElementById(headingId(month));
    heading?.closest('section')?.scrollIntoView({ block: 'start', behavior: 'instant' });
    heading?.focus({ preventScroll: true });
    pin.set(heading);
    lastY.current = scrollY;
    setCurrent(month);
  };

  useScrolled(() => {
    // What is above a month that was gone to may still change its height.
    const isUp = !pin.hold() && scrollY < lastY.current;
    lastY.current = scrollY;
    const sections = [...(list.current?.children ?? [])];
    if (sections.length !== months.length) return;
    const boxes = sections.map((section) => section.getBoundingClientRect());
    const top = Math.max(
      0,
      boxes.findLastIndex((box) => box.top <= TOP_PX),
    );
    setCurrent(months[top]?.key);
    const isOpen = (at: number): boolean => open.has(months[at]?.key ?? '');
    const mayOpen = (at: number): boolean => {
      const key = months[at]?.key;
      return key !== undefined && !open.has(key) && !closedByHand.current.has(key);
    };
    const wanted = wantedNext(boxes, { isOpen, mayOpen, isUp });
    const month = months[wanted ?? -1]?.key;
    if (month === undefined || wanted === undefined) return;
    // What is opened above the screen pushes down what is below its heading.
    openInPlace(month, sections[wanted > top ? top : wanted + 1] as Element);
  });
  return { open, current, toggle, openNow, goTo };
}

interface Openness {
  isOpen: (at: number) => boolean;
  mayOpen: (at: number) => boolean;
  isUp: boolean;
}

/** The section to open: one after an open one that ends near the screen or, going up, one before it. */
function wantedNext(boxes: readonly DOMRect[], { isOpen, mayOpen, isUp }: Openness): number | undefined {
  for (const [at, box] of boxes.entries()) {
    if (!isOpen(at)) continue;
    if (mayOpen(at + 1) && box.bottom > 0 && box.bottom < 2 * innerHeight) return at + 1;
    if (isUp && mayOpen(at - 1) && box.top < innerHeight && box.top > -innerHeight) return at - 1;
  }
  return undefined;
}

const BY_HAND = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const;

/** Keeps an element where it is on the screen until the person moves on. */
function usePin(): { set: (element: Element | null) => void; hold: () => boolean } {
  const pinned = useRef<{ element: Element; top: number } | null>(null);
  useEffect(() => {
    const letGo = (): void => {
      pinned.current = null;
    };
    for (const event of BY_HAND) addEventListener(event, letGo, { passive: true });
    return () => {
      for (const event of BY_HAND) removeEventListener(event, letGo);
    };
  }, []);
  return {
    set: (element) => {
      pinned.current = element && { element, top: element.getBoundingClientRect().top };
    },
    hold: () => {
      if (!pinned.current) return false;
      const { element, top } = pinned.current;
      const moved = element.getBoundingClientRect().top - top;
      if (Math.abs(moved) > 1) scrollBy({ top: moved, behavior: 'instant' });
      return true;
    },
  };
}
