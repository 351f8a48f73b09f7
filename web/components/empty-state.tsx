import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

interface EmptyStateProps {
  icon: LucideIcon;
  title: string;
  /** What would be here. */
  children: ReactNode;
  /** The one action that fills it. */
  action?: ReactNode;
}

export function EmptyState({ icon: Icon, title, children, action }: EmptyStateProps) {
  return (
    <div data-empty className="flex flex-col items-center px-6 py-10 text-center">
      <span className="mb-3 rounded-full bg-accent-soft p-3 text-accent">
        <Icon aria-hidden size={28} />
      </span>
      <p className="text-lg font-semibold">{title}</p>
      <p className="mt-1 max-w-md text-muted">{children}</p>
      {action !== undefined && action !== false && <div className="mt-5">{action}</div>}
    </div>
  );
}
