import { useEffect, type RefObject } from 'react';

const GAP_PX = 4;
const MARGIN_PX = 8;

/**
 * Shows an element in the top layer, below a field or above it where there is more room: no list or drawer around the field
 * cuts it off. A position is set on the element, since the page policy allows no inline styles.
 */
export function usePopup(field: RefObject<HTMLElement | null>, popup: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const [anchor, element] = [field.current, popup.current];
    if (!anchor || !element) return undefined;
    element.showPopover();
    const place = (): void => {
      const box = anchor.getBoundingClientRect();
      const room = { below: innerHeight - box.bottom, above: box.top };
      const isBelow = room.below >= element.offsetHeight + GAP_PX || room.below >= room.above;
      const left = Math.min(box.left, innerWidth - element.offsetWidth - MARGIN_PX);
      Object.assign(element.style, {
        width: `${box.width}px`,
        left: `${Math.max(MARGIN_PX, left)}px`,
        right: 'auto',
        top: isBelow ? `${box.bottom + GAP_PX}px` : 'auto',
        bottom: isBelow ? 'auto' : `${innerHeight - box.top + GAP_PX}px`,
      });
    };
    place();
    const observer = new ResizeObserver(place);
    observer.observe(element);
    // Scrolling of whatever is around it, which does not bubble.
    addEventListener('scroll', place, true);
    addEventListener('resize', place);
    return () => {
      observer.disconnect();
      removeEventListener('scroll', place, true);
      removeEventListener('resize', place);
    };
  }, [field, popup]);
}
