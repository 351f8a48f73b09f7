import { CircleAlert, CircleCheck, CircleDashed, Info, TriangleAlert, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

export type StatusTone = 'neutral' | 'info' | 'success' | 'warning' | 'danger';

const TONES: Readonly<Record<StatusTone, { icon: LucideIcon; look: string }>> = {
  neutral: { icon: CircleDashed, look: 'bg-sunken text-ink' },
  info: { icon: Info, look: 'bg-info-soft text-info' },
  success: { icon: CircleCheck, look: 'bg-success-soft text-success' },
  warning: { icon: TriangleAlert, look: 'bg-warning-soft text-warning' },
  danger: { icon: CircleAlert, look: 'bg-danger-soft text-danger' },
};

/** A state in words, with an icon; never by colour alone. */
export function Status({ tone = 'neutral', children }: { tone?: StatusTone; children: ReactNode }) {
  const { icon: Icon, look } = TONES[tone];
  return (
    <span
      className={`worded-1.5 inline-flex items-center gap-1.5 rounded-full px-2.5 py-0.5 text-sm font-medium whitespace-nowrap ${look}`}
    >
      <Icon aria-hidden size={15} className="shrink-0" />
      {children}
    </span>
  );
}

/** A small label or count. */
export function Badge({ children, label }: { children: ReactNode; label?: string }) {
  return (
    <span className="inline-flex min-w-6 items-center justify-center rounded-full bg-sunken px-2 py-0.5 text-xs font-semibold tabular-nums">
      <span aria-hidden={label !== undefined || undefined}>{children}</span>
      {label !== undefined && <span className="sr-only">{label}</span>}
    </span>
  );
}
