import { X } from 'lucide-react';

import { Button } from '../../components/button.tsx';
import type { View } from './filters.ts';
import { chipsOf, useFilterNames } from './filter-words.ts';
import type { ViewInAddress } from './use-view.ts';

/** What the list is filtered by, each condition with a button that takes it away. */
export function FilterChips({ view, show, clear }: Pick<ViewInAddress, 'show' | 'clear'> & { view: View }) {
  const chips = chipsOf(view.filters, useFilterNames(view.filters));
  if (chips.length === 0) return null;
  return (
    <ul aria-label="Filters in force" className="mb-3 flex flex-wrap items-center gap-2">
      {chips.map(({ key, words, without }) => (
        <li
          key={key}
          className="inline-flex max-w-full items-center rounded-full bg-accent-soft pl-3 text-sm text-accent-strong"
        >
          <bdi className="truncate">{words}</bdi>
          <button
            type="button"
            aria-label={`Remove ${words}`}
            title="Remove"
            className="grid size-7 shrink-0 place-items-center rounded-full hover:bg-accent/15 pointer-coarse:size-11 print:hidden"
            onClick={() => show({ ...view, filters: without })}
          >
            <X aria-hidden size={14} />
          </button>
        </li>
      ))}
      <li className="print:hidden">
        <Button look="quiet" className="text-sm" onClick={clear}>
          Clear filters
        </Button>
      </li>
    </ul>
  );
}
