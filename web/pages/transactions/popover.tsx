import type { LucideIcon } from 'lucide-react';
import { useEffect, useId, useRef, type ReactNode } from 'react';

import { Button } from '../../components/button.tsx';

/** Choices behind a button, in the browser's own popover: Escape and a click elsewhere close it. */
export function Popover({ icon, label, children }: { icon: LucideIcon; label: string; children: ReactNode }) {
  const id = useId();
  const button = useRef<HTMLSpanElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = panel.current;
    const place = (event: Event): void => {
      const box = button.current?.getBoundingClientRect();
      if ((event as ToggleEvent).newState !== 'open' || !element || !box) return;
      const left = Math.min(box.left, innerWidth - element.offsetWidth - 8);
      Object.assign(element.style, { top: `${box.bottom + 4}px`, left: `${Math.max(8, left)}px` });
    };
    element?.addEventListener('toggle', place);
    return () => element?.removeEventListener('toggle', place);
  }, []);
  return (
    <span ref={button} className="print:hidden">
      <Button icon={icon} popoverTarget={id}>
        <span className="max-sm:sr-only">{label}</span>
      </Button>
      <div
        id={id}
        ref={panel}
        popover="auto"
        role="dialog"
        aria-label={label}
        className="fixed m-0 w-72 max-w-[calc(100vw-1rem)] rounded-card border border-line bg-surface p-4 text-ink shadow-lg"
      >
        {children}
      </div>
    </span>
  );
}
