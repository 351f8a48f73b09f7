import type { ReactNode } from 'react';

export interface Definition {
  term: string;
  value: ReactNode;
  /** What it means, or what to do about it. */
  note?: ReactNode;
}

/** Names and values, side by side where there is room. */
export function DefinitionList({ items }: { items: readonly Definition[] }) {
  return (
    <dl className="divide-y divide-line">
      {items.map(({ term, value, note }) => (
        <div key={term} className="grid gap-x-6 gap-y-1 py-3 first:pt-0 last:pb-0 sm:grid-cols-[14rem_1fr]">
          <dt className="text-muted">{term}</dt>
          <dd className="min-w-0 break-words">
            {value}
            {note !== undefined && <div className="mt-1 text-sm text-muted">{note}</div>}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Short facts side by side, each below its name: as lines across a wide page they would be mostly empty. */
export function Facts({ items }: { items: readonly Definition[] }) {
  return (
    <dl className="grid grid-cols-[repeat(auto-fill,minmax(min(8.5rem,100%),1fr))] gap-x-6 gap-y-4 sm:grid-cols-[repeat(auto-fill,minmax(11rem,1fr))]">
      {items.map(({ term, value, note }) => (
        <div key={term} className="min-w-0">
          <dt className="text-sm text-muted">{term}</dt>
          <dd className="mt-0.5 tabular-nums wrap-anywhere">
            {value}
            {note !== undefined && <div className="mt-0.5 text-sm text-muted">{note}</div>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
