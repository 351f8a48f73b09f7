import { X } from 'lucide-react';
import { useId, useState, type ClipboardEvent, type KeyboardEvent, type ReactNode } from 'react';

import { isList, isOrdered, isTextual, keysOf, type LeafKey } from '../../../../src/engines/rules/language.ts';
import { calculate } from '../../../lib/arithmetic.ts';
import { RecordValue, useNameOf } from './record-value.tsx';
import type { Leaf, Test } from './tree.ts';
import { choiceInWords, namesOf, shapeOf, unitOf } from './words.ts';

interface ValuesProps {
  leaf: Leaf;
  onChange: (test: Test) => void;
  /** The id of what is wrong with it. */
  describedBy: string | undefined;
}

const BETWEEN: Partial<Record<LeafKey, string>> = { max: 'and', tolerance: 'give or take' };
const LABELS: Readonly<Record<LeafKey, string>> = { value: 'Value', min: 'From', max: 'To', tolerance: 'Give or take' };

/** What a field is compared with, as its kind and operator want it. */
export function Values({ leaf, onChange, describedBy }: ValuesProps) {
  if (isList(leaf.op)) return <ListValue leaf={leaf} onChange={onChange} describedBy={describedBy} />;
  return keysOf(leaf.op).map((key) => (
    <span key={key} className="flex flex-1 items-center gap-2">
      {BETWEEN[key] !== undefined && <span className="shrink-0 text-sm text-muted">{BETWEEN[key]}</span>}
      <OneValue
        leaf={leaf}
        name={key}
        label={LABELS[key]}
        value={leaf[key]}
        onChange={(value) => onChange({ ...testOf(leaf), [key]: value })}
        describedBy={describedBy}
      />
      {key === 'tolerance' && shapeOf(leaf.field)?.kind === 'integer' && (
        <span className="shrink-0 text-sm text-muted">{unitOf(leaf.field)}</span>
      )}
    </span>
  ));
}

export function testOf({ id: _id, kind: _kind, ...test }: Leaf): Test {
  return test;
}

interface OneProps {
  leaf: Leaf;
  name: LeafKey;
  label: string;
  value: unknown;
  onChange: (value: unknown) => void;
  describedBy?: string | undefined;
}

function OneValue({ leaf, name, label, value, onChange, describedBy }: OneProps) {
  const { field, op } = leaf;
  const shape = shapeOf(field);
  const input = { label, value, onChange, describedBy };
  if (value === null && name === 'value') return <Gone onReplace={() => onChange('')} />;
  if (shape?.kind === 'money') return <TypedValue {...input} inputMode="decimal" parse={toMoney} />;
  if (shape?.kind === 'integer') {
    const names = name === 'tolerance' ? undefined : namesOf(field);
    if (!names) return <TypedValue {...input} inputMode="numeric" parse={toNumber} />;
    const options = names.map((text, at) => [String(at + shape.min), text] as const);
    return <SelectValue {...input} options={options} parse={toNumber} />;
  }
  if (shape?.kind === 'date') return <TextValue {...input} type="date" />;
  if (shape?.kind === 'boolean') return <SelectValue {...input} options={YES_NO} parse={(text) => text === 'true'} />;
  if (shape?.kind === 'choice') return <SelectValue {...input} options={optionsOf(shape.choices)} />;
  if (shape?.kind === 'metadata' && isOrdered(op)) {
    return <TypedValue {...input} inputMode="decimal" parse={toNumber} />;
  }
  if (shape?.kind === 'metadata' && !isTextual(op)) return <ScalarValue {...input} />;
  if (shape && 'refersTo' in shape && !isTextual(op)) return <RecordValue {...input} kind={shape.refersTo} />;
  return <TextValue {...input} isCode={op === 'matches'} />;
}

const YES_NO = [
  ['true', 'yes'],
  ['false', 'no'],
] as const;

function optionsOf(choices: readonly string[]) {
  return choices.map((choice) => [choice, choiceInWords(choice)] as const);
}

function toMoney(text: string): unknown {
  return calculate(text) ?? text;
}

/** A number, or what was typed, of which the server says what is wrong. */
function toNumber(text: string): unknown {
  const trimmed = text.trim().replace(/^(-?\d+),(\d+)$/, '$1.$2');
  return trimmed !== '' && Number.isFinite(Number(trimmed)) ? Number(trimmed) : text;
}

/** The record that it named has been erased (40.7). */
function Gone({ onReplace }: { onReplace: () => void }) {
  return (
    <span className="flex items-center gap-2 text-muted">
      <span className="italic">one that is gone</span>
      <button type="button" className="target text-accent underline underline-offset-2" onClick={onReplace}>
        Choose another
      </button>
    </span>
  );
}

interface InputProps {
  label: string;
  value: unknown;
  onChange: (value: unknown) => void;
  describedBy?: string | undefined;
}

const FIELD = 'field min-h-9 min-w-0 py-1 pointer-coarse:min-h-11';

function attributesOf({ label, describedBy }: InputProps) {
  return {
    'aria-label': label,
    'aria-describedby': describedBy,
    'aria-invalid': describedBy !== undefined || undefined,
    'data-part': 'value',
  };
}

function textOf(value: unknown): string {
  return value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value);
}

function TextValue({ type = 'text', isCode = false, ...input }: InputProps & { type?: string; isCode?: boolean }) {
  return (
    <input
      {...attributesOf(input)}
      type={type}
      value={textOf(input.value)}
      spellCheck={false}
      autoComplete="off"
      onChange={(event) => input.onChange(event.currentTarget.value)}
      className={`${FIELD} ${isCode ? 'font-mono' : ''}`}
    />
  );
}

/** A number or amount: what was typed stays in the field as it is, also where something else is meant by it. */
function TypedValue({
  inputMode,
  parse,
  ...input
}: InputProps & { inputMode: 'decimal' | 'numeric'; parse: (text: string) => unknown }) {
  const { value } = input;
  const [state, setState] = useState({ typed: textOf(value), of: value });
  if (state.of !== value) {
    setState({ typed: isSame(parse(state.typed), value) ? state.typed : textOf(value), of: value });
  }
  return (
    <input
      {...attributesOf(input)}
      inputMode={inputMode}
      value={state.typed}
      autoComplete="off"
      onChange={(event) => {
        const typed = event.currentTarget.value;
        setState({ ...state, typed });
        input.onChange(parse(typed));
      }}
      onBlur={() => setState({ typed: textOf(value), of: value })}
      className={`${FIELD} min-w-20! text-right tabular-nums`}
    />
  );
}

/** A value of the JSON tab may be a number where an amount is meant. */
function isSame(one: unknown, other: unknown): boolean {
  return one === other || textOf(one) === textOf(other);
}

function SelectValue({
  options,
  parse = (text) => text,
  ...input
}: InputProps & { options: readonly (readonly [string, string])[]; parse?: (text: string) => unknown }) {
  const chosen = textOf(input.value);
  return (
    <select
      {...attributesOf(input)}
      value={chosen}
      onChange={(event) => input.onChange(parse(event.currentTarget.value))}
      className={`${FIELD} field-sizing-content w-auto!`}
    >
      {!options.some(([value]) => value === chosen) && <option value={chosen}>{chosen || 'Choose'}</option>}
      {options.map(([value, words]) => (
        <option key={value} value={value}>
          {words}
        </option>
      ))}
    </select>
  );
}

const TYPES = { string: 'text', number: 'number', boolean: 'yes or no' } as const;
type ScalarType = keyof typeof TYPES;

/** Metadata may be of any type, and a number is not equal to its text. */
function ScalarValue(input: InputProps) {
  const type = ((typeof input.value) in TYPES ? typeof input.value : 'string') as ScalarType;
  const [wanted, want] = useState<ScalarType>(type);
  const change = (next: ScalarType): void => {
    want(next);
    const text = textOf(input.value);
    input.onChange(next === 'string' ? text : next === 'boolean' ? text === 'true' : toNumber(text));
  };
  const { onChange } = input;
  return (
    <span className="flex min-w-0 flex-1 gap-2">
      <select
        aria-label="Type of the value"
        value={wanted}
        onChange={(event) => change(event.currentTarget.value as ScalarType)}
        className={`${FIELD} field-sizing-content w-auto!`}
      >
        {Object.entries(TYPES).map(([name, words]) => (
          <option key={name} value={name}>
            {words}
          </option>
        ))}
      </select>
      {wanted === 'boolean' ? (
        <SelectValue {...input} options={YES_NO} parse={(text) => text === 'true'} />
      ) : wanted === 'number' ? (
        <TypedValue {...input} inputMode="decimal" parse={toNumber} />
      ) : (
        <TextValue {...input} onChange={(value) => onChange(String(value))} />
      )}
    </span>
  );
}

/** Several values: each can be taken away, and a new one is added by Enter or by choosing it. */
function ListValue({ leaf, onChange, describedBy }: ValuesProps) {
  const shape = shapeOf(leaf.field);
  const values = Array.isArray(leaf.value) ? (leaf.value as readonly unknown[]) : [];
  const set = (next: readonly unknown[]): void => onChange({ ...testOf(leaf), value: next });
  const choices = choicesOf(leaf);
  if (choices) {
    return (
      <fieldset className="flex min-w-0 flex-1 flex-wrap gap-x-4 gap-y-1" aria-describedby={describedBy}>
        <legend className="sr-only">Values</legend>
        {choices.map(([value, words]) => (
          <label key={words} className="flex min-h-9 items-center gap-2 pointer-coarse:min-h-11">
            <input
              type="checkbox"
              data-part="value"
              className="size-5 shrink-0 accent-accent"
              checked={values.includes(value)}
              onChange={({ currentTarget: { checked } }) =>
                set(checked ? [...values, value] : values.filter((one) => one !== value))
              }
            />
            {words}
          </label>
        ))}
      </fieldset>
    );
  }
  const add = (...added: readonly unknown[]): void => set([...values, ...added.filter((one) => !values.includes(one))]);
  const kind = shape && 'refersTo' in shape ? shape.refersTo : undefined;
  return (
    <span className="flex min-w-48 flex-1 flex-wrap items-center gap-1.5">
      {values.map((value, at) => (
        <Chip key={textOf(value)} onRemove={() => set(values.toSpliced(at, 1))} name={textOf(value)}>
          {kind === undefined ? textOf(value) : <RecordName kind={kind} value={textOf(value)} />}
        </Chip>
      ))}
      {kind === undefined ? (
        <AddText leaf={leaf} onAdd={add} describedBy={describedBy} />
      ) : (
        <RecordValue
          kind={kind}
          label="Add a value"
          value=""
          onChange={(value) => add(value)}
          describedBy={describedBy}
          placeholder={values.length === 0 ? 'Choose' : 'Add another'}
        />
      )}
    </span>
  );
}

function choicesOf({ field }: Leaf): readonly (readonly [value: unknown, words: string])[] | undefined {
  const shape = shapeOf(field);
  if (shape?.kind === 'choice') return optionsOf(shape.choices);
  const names = namesOf(field);
  return shape?.kind === 'integer' && names ? names.map((words, at) => [at + shape.min, words] as const) : undefined;
}

function RecordName({ kind, value }: { kind: Parameters<typeof useNameOf>[0]; value: string }) {
  return <>{useNameOf(kind)(value)}</>;
}

function Chip({ name, onRemove, children }: { name: string; onRemove: () => void; children: ReactNode }) {
  return (
    <span className="inline-flex min-h-7 max-w-full items-center gap-1 rounded-control bg-sunken pl-2 text-sm pointer-coarse:min-h-11">
      <bdi className="min-w-0 truncate">{children}</bdi>
      <button
        type="button"
        aria-label={`Remove ${name}`}
        className="grid size-7 shrink-0 place-items-center rounded-control text-muted hover:text-ink pointer-coarse:size-11"
        onClick={onRemove}
      >
        <X aria-hidden size={14} />
      </button>
    </span>
  );
}

function AddText({
  leaf,
  onAdd,
  describedBy,
}: {
  leaf: Leaf;
  onAdd: (...values: readonly unknown[]) => void;
  describedBy: string | undefined;
}) {
  const [text, setText] = useState('');
  const hintId = useId();
  const { kind } = shapeOf(leaf.field) ?? {};
  const parse = (one: string): unknown =>
    kind === 'money' ? toMoney(one) : kind === 'integer' ? toNumber(one) : one.trim();
  const commit = (): void => {
    if (text.trim() !== '') onAdd(parse(text));
    setText('');
  };
  const act = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing || text.trim() === '') return;
    event.preventDefault();
    commit();
  };
  const paste = (event: ClipboardEvent): void => {
    const lines = event.clipboardData
      .getData('text')
      .split(/\r?\n/)
      .filter((line) => line.trim() !== '');
    if (lines.length < 2) return;
    event.preventDefault();
    onAdd(...lines.map(parse));
  };
  return (
    <>
      <input
        aria-label="Add a value"
        aria-describedby={describedBy ?? hintId}
        aria-invalid={describedBy !== undefined || undefined}
        data-part="value"
        data-may-be-lost
        value={text}
        autoComplete="off"
        spellCheck={false}
        placeholder="Add, then Enter"
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={act}
        onPaste={paste}
        onBlur={commit}
        className={`${FIELD} max-w-60 min-w-32 flex-1`}
      />
      <span id={hintId} className="sr-only">
        Enter adds what is typed
      </span>
    </>
  );
}
