import { useState, type ReactNode } from 'react';

import { Button } from '../../components/button.tsx';
import { calculate } from '../../lib/arithmetic.ts';
import { listOf, type FilterName, type Filters } from './filters.ts';

export interface PartProps {
  filters: Filters;
  set: (next: Partial<Record<FilterName, string | undefined>>) => void;
  toggle: (name: FilterName, value: string) => void;
}

export function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className="mb-5 border-b border-line pb-5">
      <legend className="mb-2 font-semibold">{title}</legend>
      {children}
    </fieldset>
  );
}

export function Labelled({ label, children }: { label: string; children: ReactNode }) {
  return (
    <label className="block min-w-0 flex-1">
      <span className="mb-1 block text-sm text-muted">{label}</span>
      {children}
    </label>
  );
}

interface ChoicesProps extends PartProps {
  name: FilterName;
  options: readonly { value: string; label: string }[];
}

/** Several of a few, with boxes to tick. What the address has in another form of its id is ticked, too. */
export function Choices({ name, options, filters, toggle }: ChoicesProps) {
  const values = listOf(filters[name]);
  return (
    <div className="grid gap-x-6 sm:grid-cols-2">
      {options.map(({ value, label }) => (
        <label key={value} className="flex min-w-0 items-center gap-3 py-1 pointer-coarse:py-2.5">
          <input
            type="checkbox"
            className="size-5 shrink-0 accent-accent"
            checked={values.includes(value)}
            onChange={() => toggle(name, value)}
          />
          <bdi className="truncate">{label}</bdi>
        </label>
      ))}
    </div>
  );
}

/** What is typed is calculated when the field is left; what is no amount stays for the server to name. */
export function AmountInput({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const [text, setText] = useState(value);
  return (
    <input
      inputMode="decimal"
      className="field target"
      value={text}
      autoComplete="off"
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={() => onChange(text.trim() === '' ? '' : (calculate(text) ?? text.trim()))}
    />
  );
}

interface ChoiceProps {
  label: string;
  value: string | undefined;
  options: Readonly<Record<string, string>>;
  onChange: (value: string | undefined) => void;
}

/** One of a list, or any. Another value, or several, which the address may have, stays as it is. */
export function Choice({ label, value, options, onChange }: ChoiceProps) {
  const known = value === undefined || value in options;
  return (
    <Labelled label={label}>
      <select
        className="field target"
        value={value ?? ''}
        onChange={({ currentTarget: { value: next } }) => onChange(next === '' ? undefined : next)}
      >
        <option value="">Any</option>
        {!known && <option value={value}>{value}</option>}
        {Object.entries(options).map(([one, words]) => (
          <option key={one} value={one}>
            {words}
          </option>
        ))}
      </select>
    </Labelled>
  );
}

export function Box({
  label,
  checked,
  onChange,
}: {
  label: string;
  checked: boolean;
  onChange: (isOn: boolean) => void;
}) {
  return (
    <label className="flex items-center gap-3 py-1 pointer-coarse:py-2.5">
      <input
        type="checkbox"
        className="size-5 accent-accent"
        checked={checked}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      {label}
    </label>
  );
}

interface ChosenProps extends PartProps {
  name: FilterName;
  nameOf: ((id: string) => string | undefined) | undefined;
}

/** What has been chosen; pressing one takes it away. */
export function Chosen({ name, nameOf, filters, toggle }: ChosenProps) {
  const values = listOf(filters[name]);
  if (values.length === 0) return null;
  return (
    <ul className="my-1 flex flex-wrap gap-2">
      {values.map((value) => (
        <li key={value}>
          <button
            type="button"
            aria-label={`Remove ${nameOf?.(value) ?? value}`}
            className="target rounded-full bg-accent-soft px-3 text-sm text-accent-strong"
            onClick={() => toggle(name, value)}
          >
            <bdi>{nameOf?.(value) ?? value}</bdi> ×
          </button>
        </li>
      ))}
    </ul>
  );
}

/** A button that becomes a picker. */
export function Adding({ label, children }: { label: string; children: (done: () => void) => ReactNode }) {
  const [isOpen, open] = useState(false);
  if (isOpen) return children(() => open(false));
  return (
    <Button look="quiet" className="-ml-4 text-sm" onClick={() => open(true)}>
      {label}
    </Button>
  );
}
