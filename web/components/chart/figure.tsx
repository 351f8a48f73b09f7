import { Table2 } from 'lucide-react';
import type { ReactNode } from 'react';

interface FigureProps {
  /** What the picture says, in a sentence or two. */
  summary: ReactNode;
  children: ReactNode;
  /** The same figures as a table. */
  table: ReactNode;
}

/** A chart with its summary, and its figures as a table for those who want to read them. */
export function Figure({ summary, children, table }: FigureProps) {
  return (
    <figure>
      <figcaption className="mb-4 text-sm text-muted">{summary}</figcaption>
      {children}
      <details className="mt-3">
        <summary className="target inline-flex items-center gap-2 rounded-control px-2 text-sm text-muted hover:bg-sunken hover:text-ink">
          <Table2 aria-hidden size={16} />
          Show the figures
        </summary>
        <div className="mt-2">{table}</div>
      </details>
    </figure>
  );
}
