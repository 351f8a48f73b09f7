/**
 * The words of conditions (contract 40.2): which fields there are, what each takes and what its values mean. The engine
 * reads rows by them (`fields.ts`), and the dashboard makes its editor of them.
 */

export type Operator =
  | 'eq'
  | 'neq'
  | 'in'
  | 'not_in'
  | 'contains'
  | 'not_contains'
  | 'starts_with'
  | 'ends_with'
  | 'matches'
  | 'gt'
  | 'gte'
  | 'lt'
  | 'lte'
  | 'between'
  | 'approx'
  | 'exists'
  | 'not_exists';

/** A kind of record that a rule can refer to. */
export type ReferenceKind = 'category' | 'tag' | 'series' | 'counterparty' | 'account' | 'user';

/** What a field is; `category` is a reference whose slug text operators see. */
export type FieldShape =
  | { readonly kind: 'text' | 'boolean' | 'date' | 'metadata' }
  | { readonly kind: 'money'; readonly isSigned: boolean }
  | { readonly kind: 'integer'; readonly min: number; readonly max: number }
  | { readonly kind: 'choice'; readonly choices: readonly string[] }
  | { readonly kind: 'reference' | 'category' | 'tags'; readonly refersTo: ReferenceKind };
export type FieldKind = FieldShape['kind'];

const text = { kind: 'text' } as const;
const boolean = { kind: 'boolean' } as const;

/** Every field but `metadata.<key>`. To add one, add its entry here and what it reads in `fields.ts`. */
export const FIELD_SHAPES = {
  name: text,
  merchant_name: text,
  amount: { kind: 'money', isSigned: true },
  amount_abs: { kind: 'money', isSigned: false },
  iso_currency_code: text,
  pending: boolean,
  provider: { kind: 'choice', choices: ['plaid', 'teller', 'csv'] },
  payment_channel: { kind: 'choice', choices: ['online', 'in_store', 'other'] },
  provider_category_primary: text,
  provider_category_detailed: text,
  category: { kind: 'category', refersTo: 'category' },
  category_kind: { kind: 'choice', choices: ['income', 'expense', 'transfer'] },
  account_id: { kind: 'reference', refersTo: 'account' },
  account_name: text,
  account_type: text,
  user_id: { kind: 'reference', refersTo: 'user' },
  user_name: text,
  tags: { kind: 'tags', refersTo: 'tag' },
  series: { kind: 'reference', refersTo: 'series' },
  in_series: boolean,
  counterparty: { kind: 'reference', refersTo: 'counterparty' },
  has_counterparty: boolean,
  day_of_month: { kind: 'integer', min: 1, max: 31 },
  month: { kind: 'integer', min: 1, max: 12 },
  day_of_week: { kind: 'integer', min: 0, max: 6 },
  day_of_year: { kind: 'integer', min: 1, max: 366 },
  date: { kind: 'date' },
} as const satisfies Record<string, FieldShape>;
export type FieldName = keyof typeof FIELD_SHAPES;

/** `metadata.<key>`: everything after the first dot is the key. */
export const METADATA = 'metadata.';

const EQUALITY: readonly Operator[] = ['eq', 'neq', 'in', 'not_in'];
const PRESENCE: readonly Operator[] = ['exists', 'not_exists'];
const TEXTUAL: readonly Operator[] = ['contains', 'not_contains', 'starts_with', 'ends_with', 'matches'];
const ORDERED: readonly Operator[] = ['gt', 'gte', 'lt', 'lte', 'between'];

const OPERATORS: Readonly<Record<FieldKind, readonly Operator[]>> = {
  text: [...EQUALITY, ...TEXTUAL, ...PRESENCE],
  reference: [...EQUALITY, ...PRESENCE],
  category: [...EQUALITY, ...TEXTUAL, ...PRESENCE],
  choice: [...EQUALITY, ...PRESENCE],
  money: ['eq', 'neq', ...ORDERED, 'approx', 'in', 'not_in'],
  integer: ['eq', 'neq', ...ORDERED, 'approx', 'in', 'not_in'],
  date: ['eq', 'neq', ...ORDERED],
  boolean: ['eq', 'neq'],
  tags: ['contains', 'not_contains', 'in', 'not_in', ...PRESENCE],
  metadata: [...EQUALITY, ...TEXTUAL, ...ORDERED, ...PRESENCE],
};

/** The operators that a field has (contract 40.2.3). */
export function operatorsOf({ kind }: { readonly kind: FieldKind }): readonly Operator[] {
  return OPERATORS[kind];
}

export function isTextual(op: Operator): boolean {
  return TEXTUAL.includes(op);
}

export function isOrdered(op: Operator): boolean {
  return ORDERED.includes(op);
}

/** Whether its value is a list. */
export function isList(op: Operator): boolean {
  return op === 'in' || op === 'not_in';
}

export type LeafKey = 'value' | 'min' | 'max' | 'tolerance';
export const LEAF_KEYS: readonly LeafKey[] = ['value', 'min', 'max', 'tolerance'];

/** The keys that a leaf with this operator has. */
export function keysOf(op: Operator): readonly LeafKey[] {
  if (op === 'exists' || op === 'not_exists') return [];
  if (op === 'between') return ['min', 'max'];
  return op === 'approx' ? ['value', 'tolerance'] : ['value'];
}
