import { Search } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';

import { usePageKeys } from '../../layout/page-keys.ts';
import type { Filters } from './filters.ts';
import type { ViewInAddress } from './use-view.ts';

/** One request for a pause in typing (80.5). */
const PAUSE_MS = 300;
/** The API takes no shorter term; one letter would find nearly everything anyway. */
const SHORTEST = 2;

const MODES = { contains: 'Contains', words: 'Words', fuzzy: 'Fuzzy' } as const;

interface SearchBoxProps {
  filters: Filters;
  onFilter: ViewInAddress['filter'];
}

/** Finds as one types. What is in the address comes from here, or is taken over from it, such as after Back. */
export function SearchBox({ filters, onFilter }: SearchBoxProps) {
  const inAddress = filters.search ?? '';
  const [text, setText] = useState(inAddress);
  const [sent, setSent] = useState(inAddress);
  const input = useRef<HTMLInputElement>(null);
  if (sent !== inAddress) {
    setSent(inAddress);
    setText(inAddress);
  }
  usePageKeys({ '/': () => input.current?.focus() });
  const latest = useRef(onFilter);
  useEffect(() => {
    latest.current = onFilter;
  });
  const wanted = isSearchable(text) ? text.trim() : '';
  useEffect(() => {
    if (wanted === inAddress) return undefined;
    const timer = setTimeout(() => {
      setSent(wanted);
      latest.current({ search: wanted }, inAddress === '' || wanted === '' ? 'push' : 'replace');
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [wanted, inAddress]);
  return (
    <search className="flex min-w-0 flex-1 basis-full gap-2 sm:max-w-md sm:basis-40">
      <label className="relative min-w-0 flex-1">
        <span className="sr-only">Search transactions</span>
        <Search
          aria-hidden
          size={16}
          className="pointer-events-none absolute top-1/2 left-3 -translate-y-1/2 text-muted"
        />
        <input
          ref={input}
          type="search"
          className="field target pl-9"
          placeholder="Search"
          value={text}
          spellCheck={false}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            // The browser's own Escape would empty the field.
            if (event.key !== 'Escape') return;
            event.preventDefault();
            event.currentTarget.blur();
          }}
        />
      </label>
      {text !== '' && <Mode filters={filters} onFilter={onFilter} />}
    </search>
  );
}

function Mode({ filters, onFilter }: SearchBoxProps) {
  return (
    <label>
      <span className="sr-only">How to search</span>
      <select
        className="field target w-auto"
        value={filters.search_mode ?? 'contains'}
        onChange={({ currentTarget: { value } }) => onFilter({ search_mode: value === 'contains' ? undefined : value })}
      >
        {Object.entries(MODES).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Whether the server would take it: each term between commas has at least two characters. */
function isSearchable(text: string): boolean {
  const terms = text.split(',').map((term) => term.trim());
  const some = terms.filter((term) => term !== '');
  return some.length > 0 && some.every((term) => term.length >= SHORTEST);
}
