import { useNavigate } from '@tanstack/react-router';
import { ListFilter } from 'lucide-react';
import { useEffect, useId, useRef, useState, type ReactNode } from 'react';
import type { z } from 'zod';

import type { PagePath } from '../../src/contract/pages.ts';
import { usePageSearch } from '../lib/page-link.tsx';
import { Button } from './button.tsx';

/** Years of more digits, which a browser would take, are no days that the API knows. */
const LAST_DAY = '9999-12-31';

/** The API takes no longer one. */
const MOST_CHARS = 200;

type Values<S extends z.ZodObject> = { [K in keyof z.output<S>]?: z.output<S>[K] | undefined };

/** The filters of a list, kept in the address: it can be shared, and Back works. A value that is undefined is off. */
export function useFilters<S extends z.ZodObject>(
  path: PagePath,
  schema: S,
): { values: Values<S>; change: (next: Values<S>) => void; clear: () => void; isFiltered: boolean } {
  const values = usePageSearch(schema);
  const navigate = useNavigate();
  const go = (search: Readonly<Record<string, unknown>>): void => {
    const set = Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined && value !== ''));
    void navigate({ to: path, search: set } as unknown as Parameters<typeof navigate>[0]);
  };
  return {
    values,
    change: (next) => go({ ...values, ...next }),
    clear: () => go({}),
    isFiltered: Object.values(values).some((value) => value !== undefined),
  };
}

/** A row of filters above a list; on small screens they are behind a button. */
export function FilterBar({ children, onClear }: { children: ReactNode; onClear?: (() => void) | undefined }) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <search aria-label="Filters" className="mb-4 block">
      <div className="sm:hidden">
        <Button icon={ListFilter} aria-expanded={isOpen} aria-controls={id} onClick={() => setOpen(!isOpen)}>
          Filters
        </Button>
      </div>
      <div id={id} className={`${isOpen ? 'flex' : 'hidden'} flex-wrap items-end gap-3 max-sm:mt-3 sm:flex`}>
        {children}
      </div>
      {onClear && (
        <Button look="quiet" className="mt-2" onClick={onClear}>
          Clear filters
        </Button>
      )}
    </search>
  );
}

interface FilterSelectProps<V extends string> {
  label: string;
  value: V | undefined;
  /** What no choice is called: "All banks". */
  all: string;
  options: readonly { value: V; label: string }[];
  /** Its words are long, and there are few others. */
  isWide?: boolean;
  onChange: (value: V | undefined) => void;
}

/** What can be chosen, from the words for each value. */
export function optionsOf<V extends string, T>(
  words: Readonly<Record<V, T>>,
  label: (of: T) => string,
): { value: V; label: string }[] {
  return (Object.keys(words) as V[]).map((value) => ({ value, label: label(words[value]) }));
}

/** As wide as it will be: one that grew with its options would move the others. */
export function FilterSelect<V extends string>({
  label,
  value,
  all,
  options,
  isWide = false,
  onChange,
}: FilterSelectProps<V>) {
  const id = useId();
  return (
    <div className={`w-full ${isWide ? 'sm:w-48' : 'sm:w-36'}`}>
      <label htmlFor={id} className="mb-1 block text-sm text-muted">
        {label}
      </label>
      <select
        id={id}
        className="field target text-ellipsis"
        value={value ?? ''}
        onChange={({ currentTarget: { value: chosen } }) =>
          onChange(options.find((one) => one.value === chosen)?.value)
        }
      >
        <option value="">{all}</option>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </div>
  );
}

interface FilterTextProps {
  label: string;
  value: string | undefined;
  placeholder?: string;
  onChange: (value: string | undefined) => void;
}

/** One request for a pause in typing. */
const PAUSE_MS = 300;

/** Filters as one types. What is in the address comes from here, or is taken over from it, such as after Back. */
export function FilterText({ label, value = '', placeholder, onChange }: FilterTextProps) {
  const [text, setText] = useState(value);
  const [known, setKnown] = useState(value);
  if (known !== value) {
    setKnown(value);
    setText(value);
  }
  const latest = useRef(onChange);
  useEffect(() => {
    latest.current = onChange;
  });
  const wanted = text.trim();
  useEffect(() => {
    if (wanted === value) return undefined;
    const timer = setTimeout(() => {
      setKnown(wanted);
      latest.current(wanted === '' ? undefined : wanted);
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [wanted, value]);
  return (
    <label className="w-full sm:w-56">
      <span className="mb-1 block text-sm text-muted">{label}</span>
      <input
        type="search"
        className="field target"
        placeholder={placeholder}
        maxLength={MOST_CHARS}
        value={text}
        spellCheck={false}
        data-may-be-lost
        onChange={(event) => setText(event.currentTarget.value)}
      />
    </label>
  );
}

interface FilterDayProps {
  label: string;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

export function FilterDay({ label, value, onChange }: FilterDayProps) {
  const id = useId();
  return (
    <div className="w-full sm:w-40">
      <label htmlFor={id} className="mb-1 block text-sm text-muted">
        {label}
      </label>
      <input
        id={id}
        type="date"
        max={LAST_DAY}
        className="field target"
        value={value ?? ''}
        onChange={(event) => onChange(event.currentTarget.value === '' ? undefined : event.currentTarget.value)}
      />
    </div>
  );
}
