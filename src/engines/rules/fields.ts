import type { Operator, StoredCondition } from './definition.ts';
import { leavesOf } from './definition.ts';
import { isWithin } from './json.ts';
import { RULE_LIMITS } from './rule-limits.ts';

/** A record that a leaf can name. */
export type ReferenceKind = 'category' | 'tag' | 'series' | 'counterparty' | 'account' | 'user';

/** What a field is: which operators it has and which values they take (contract 40.2.2, 40.2.3). */
export type Field = { readonly isLive: boolean } & (
  | { readonly kind: 'text' | 'date' | 'boolean' }
  | { readonly kind: 'money'; readonly isSigned: boolean }
  | { readonly kind: 'integer'; readonly min: number; readonly max: number }
  | { readonly kind: 'choice'; readonly choices: readonly string[] }
  | { readonly kind: 'reference'; readonly names: ReferenceKind }
  | { readonly kind: 'tags' }
  | { readonly kind: 'metadata'; readonly key: string }
);

const TEXT: Field = { kind: 'text', isLive: false };
const LIVE_BOOLEAN: Field = { kind: 'boolean', isLive: true };

const FIELDS: ReadonlyMap<string, Field> = new Map<string, Field>([
  ['name', TEXT],
  ['merchant_name', TEXT],
  ['amount', { kind: 'money', isSigned: true, isLive: false }],
  ['amount_abs', { kind: 'money', isSigned: false, isLive: false }],
  ['iso_currency_code', TEXT],
  ['pending', { kind: 'boolean', isLive: false }],
  ['provider', { kind: 'choice', choices: ['plaid', 'teller', 'csv'], isLive: false }],
  ['payment_channel', { kind: 'choice', choices: ['online', 'in_store', 'other'], isLive: false }],
  ['provider_category_primary', TEXT],
  ['provider_category_detailed', TEXT],
  ['category', { kind: 'reference', names: 'category', isLive: true }],
  ['category_kind', { kind: 'choice', choices: ['income', 'expense', 'transfer'], isLive: true }],
  ['account_id', { kind: 'reference', names: 'account', isLive: false }],
  ['account_name', TEXT],
  ['account_type', TEXT],
  ['user_id', { kind: 'reference', names: 'user', isLive: false }],
  ['user_name', TEXT],
  ['tags', { kind: 'tags', isLive: true }],
  ['series', { kind: 'reference', names: 'series', isLive: true }],
  ['in_series', LIVE_BOOLEAN],
  ['counterparty', { kind: 'reference', names: 'counterparty', isLive: true }],
  ['has_counterparty', LIVE_BOOLEAN],
  ['day_of_month', { kind: 'integer', min: 1, max: 31, isLive: false }],
  ['month', { kind: 'integer', min: 1, max: 12, isLive: false }],
  ['day_of_week', { kind: 'integer', min: 0, max: 6, isLive: false }],
  ['day_of_year', { kind: 'integer', min: 1, max: 366, isLive: false }],
  ['date', { kind: 'date', isLive: false }],
]);

export const FIELD_NAMES: readonly string[] = [...FIELDS.keys(), 'metadata.<key>'];

const METADATA = 'metadata.';

/** The field of this name; undefined when there is none. */
export function findField(name: string): Field | undefined {
  const known = FIELDS.get(name);
  if (known || !name.startsWith(METADATA)) return known;
  const key = name.slice(METADATA.length);
  return metadataKeyFault(key) === undefined ? { kind: 'metadata', key, isLive: true } : undefined;
}

// eslint-disable-next-line no-control-regex -- control characters are what it looks for
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;

/** Why a text is no metadata key (10.6.1); undefined when it is one. */
export function metadataKeyFault(key: string): string | undefined {
  if (key === '' || !isWithin(key, RULE_LIMITS.metadataKeyChars)) {
    return `must be a key of 1 to ${RULE_LIMITS.metadataKeyChars} characters`;
  }
  return CONTROL.test(key) || !key.isWellFormed() ? 'must be a key without control or half characters' : undefined;
}

const EQUALITY: readonly Operator[] = ['eq', 'neq', 'in', 'not_in'];
const PRESENCE: readonly Operator[] = ['exists', 'not_exists'];
const TEXTUAL: readonly Operator[] = ['contains', 'not_contains', 'starts_with', 'ends_with', 'matches'];
const ORDERED: readonly Operator[] = ['gt', 'gte', 'lt', 'lte', 'between'];

const OPERATORS: Readonly<Record<Field['kind'], readonly Operator[]>> = {
  text: [...EQUALITY, ...TEXTUAL, ...PRESENCE],
  reference: [...EQUALITY, ...PRESENCE],
  choice: [...EQUALITY, ...PRESENCE],
  money: ['eq', 'neq', ...ORDERED, 'approx', 'in', 'not_in'],
  integer: ['eq', 'neq', ...ORDERED, 'approx', 'in', 'not_in'],
  date: ['eq', 'neq', ...ORDERED],
  boolean: ['eq', 'neq'],
  tags: ['contains', 'not_contains', 'in', 'not_in', ...PRESENCE],
  metadata: [...EQUALITY, ...TEXTUAL, ...ORDERED, ...PRESENCE],
};

export function operatorsOf(field: Field): readonly Operator[] {
  const list = OPERATORS[field.kind];
  return field.kind === 'reference' && field.names === 'category' ? [...EQUALITY, ...TEXTUAL, ...PRESENCE] : list;
}

export function isTextual(op: Operator): boolean {
  return TEXTUAL.includes(op);
}

export function isOrdered(op: Operator): boolean {
  return ORDERED.includes(op);
}

export type LeafKey = 'value' | 'min' | 'max' | 'tolerance';
export const LEAF_KEYS: readonly LeafKey[] = ['value', 'min', 'max', 'tolerance'];

/** The keys that a leaf with this operator has, and no others. */
export function keysOf(op: Operator): readonly LeafKey[] {
  if (op === 'exists' || op === 'not_exists') return [];
  if (op === 'between') return ['min', 'max'];
  return op === 'approx' ? ['value', 'tolerance'] : ['value'];
}

/** True when the outcome can depend on what earlier rules of the same evaluation did. */
export function readsLive(condition: StoredCondition): boolean {
  for (const leaf of leavesOf(condition)) if (findField(leaf.field)?.isLive !== false) return true;
  return false;
}
