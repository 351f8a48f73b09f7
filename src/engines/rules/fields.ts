import type { DateOnly } from '../../kernel/dates.ts';
import { formatCents, type Cents } from '../../kernel/money.ts';
import type { Catalog } from './catalog.ts';
import type { StoredLeaf } from './definition.ts';
import { metadataKeyFault, type Json } from './json.ts';
import { FIELD_SHAPES, isTextual, METADATA, type FieldName, type Operator, type ReferenceKind } from './language.ts';
import type { RowPart, RuleRow } from './row.ts';
import type { DateParts, LivePart, Subject, TextEntry } from './subject.ts';

/** The texts that are searched for literals of rules, before any rule is evaluated. */
export type IndexedText = 'name' | 'merchant';

/** A field of a condition (contract 40.2.2). Its kind decides which operators and values it takes. */
export type Field = {
  /** The parts of a row that it reads. */
  readonly parts: readonly RowPart[];
  /** What the row has, as shown in answers; null for nothing. */
  readonly show: (subject: Subject, catalog: Catalog) => Json;
} & (
  | { readonly kind: 'text'; readonly read: (subject: Subject) => TextEntry; readonly index?: IndexedText }
  | { readonly kind: 'money'; readonly isSigned: boolean; readonly read: (subject: Subject) => Cents }
  | {
      readonly kind: 'integer';
      readonly min: number;
      readonly max: number;
      readonly read: (subject: Subject) => number;
      /** The length of the cycle, such as the number of days in the month of the row. */
      readonly cycle: (subject: Subject) => number;
    }
  | { readonly kind: 'date'; readonly read: (subject: Subject) => DateOnly }
  | { readonly kind: 'boolean'; readonly read: (subject: Subject) => boolean }
  | { readonly kind: 'choice'; readonly choices: readonly string[]; readonly read: ReadChoice<Subject> }
  | { readonly kind: 'reference'; readonly refersTo: ReferenceKind; readonly read: (subject: Subject) => string | null }
  /** A reference. Text operators see the slug. */
  | { readonly kind: 'category'; readonly refersTo: ReferenceKind; readonly read: (subject: Subject) => string | null }
  | {
      readonly kind: 'tags';
      readonly refersTo: ReferenceKind;
      readonly read: (subject: Subject) => ReadonlySet<string>;
    }
  | { readonly kind: 'metadata'; readonly key: string; readonly read: (subject: Subject) => unknown }
);

type ReadChoice<S> = (subject: S, catalog: Pick<Catalog, 'categories'>) => string | null;

/** One part of a row: live parts as earlier rules left them, others as delivered. */
type Seen<P extends RowPart> = Pick<Subject, P & LivePart> & { readonly row: Pick<RuleRow, Exclude<P, LivePart>> };

/** What every field but `metadata.<key>` reads. */
export const FIELDS = {
  name: text('name', ({ row }) => row.name, { index: 'name', read: ({ name }) => name }),
  merchant_name: text('merchantName', ({ row }) => row.merchantName, {
    index: 'merchant',
    read: ({ merchant }) => merchant,
  }),
  amount: money((cents) => cents, { isSigned: true }),
  amount_abs: money(Math.abs, { isSigned: false }),
  iso_currency_code: text('isoCurrencyCode', ({ row }) => row.isoCurrencyCode),
  pending: boolean('pending', ({ row }) => row.pending),
  provider: choice(FIELD_SHAPES.provider.choices, 'provider', ({ row }) => row.provider),
  payment_channel: choice(FIELD_SHAPES.payment_channel.choices, 'paymentChannel', ({ row }) => row.paymentChannel),
  provider_category_primary: text('providerCategoryPrimary', ({ row }) => row.providerCategoryPrimary),
  provider_category_detailed: text('providerCategoryDetailed', ({ row }) => row.providerCategoryDetailed),
  category: { ...reference('category', 'categoryId', ({ categoryId }) => categoryId), kind: 'category' },
  category_kind: choice(FIELD_SHAPES.category_kind.choices, 'categoryId', ({ categoryId }, { categories }) =>
    categoryId === null ? null : (categories.get(categoryId)?.kind ?? null),
  ),
  account_id: reference('account', 'accountId', ({ row }) => row.accountId),
  account_name: text('accountName', ({ row }) => row.accountName),
  account_type: text('accountType', ({ row }) => row.accountType),
  user_id: reference('user', 'userId', ({ row }) => row.userId),
  user_name: text('userName', ({ row }) => row.userName),
  tags: {
    kind: 'tags',
    refersTo: 'tag',
    parts: ['tags'],
    read: ({ tags }) => tags,
    show: ({ tags }) => [...tags].sort(),
  },
  series: reference('series', 'seriesId', ({ seriesId }) => seriesId),
  in_series: boolean('seriesId', ({ seriesId }) => seriesId !== null),
  counterparty: reference('counterparty', 'counterpartyId', ({ counterpartyId }) => counterpartyId),
  has_counterparty: boolean('counterpartyId', ({ counterpartyId }) => counterpartyId !== null),
  day_of_month: datePart(FIELD_SHAPES.day_of_month, 'dayOfMonth', 'monthDays'),
  month: datePart(FIELD_SHAPES.month, 'month', 12),
  day_of_week: datePart(FIELD_SHAPES.day_of_week, 'dayOfWeek', 7),
  day_of_year: datePart(FIELD_SHAPES.day_of_year, 'dayOfYear', 'yearDays'),
  date: { kind: 'date', parts: ['date'], read: ({ row }) => row.date, show: ({ row }) => row.date },
} as const satisfies { readonly [N in FieldName]: FieldOf<(typeof FIELD_SHAPES)[N]['kind']> };

export const FIELD_NAMES: readonly string[] = [...Object.keys(FIELDS), 'metadata.<key>'];

const BY_NAME: ReadonlyMap<string, Field> = new Map(Object.entries(FIELDS));

/** The field of this name; undefined when there is none. */
export function findField(name: string): Field | undefined {
  if (!name.startsWith(METADATA)) return BY_NAME.get(name);
  const key = name.slice(METADATA.length);
  return metadataKeyFault(key) === undefined ? metadata(key) : undefined;
}

/** The field of a stored leaf. */
export function getField({ field: name }: Pick<StoredLeaf, 'field'>): Field {
  const field = findField(name);
  if (field === undefined) throw new Error('A stored condition has a field that does not exist.');
  return field;
}

/** The kind of record that the values of a leaf refer to; undefined if they are plain values. */
export function namedBy(field: Field, op: Operator): ReferenceKind | undefined {
  if (!('refersTo' in field)) return undefined;
  return field.kind === 'category' && isTextual(op) ? undefined : field.refersTo;
}

const SHOWN: Readonly<Record<ReferenceKind, (id: string, catalog: Catalog) => string>> = {
  category: (id, { categories }) => categories.get(id)?.slug ?? id,
  tag: (id, { tags }) => tags.get(id) ?? id,
  series: (id) => id,
  counterparty: (id) => id,
  account: (id) => id,
  user: (id, { users }) => users.get(id) ?? id,
};

/** A reference in a leaf, as shown in answers (contract 40.7). */
export function showReference(kind: ReferenceKind, id: string, catalog: Catalog): string {
  return SHOWN[kind](id, catalog);
}

type FieldOf<K extends Field['kind']> = Extract<Field, { readonly kind: K }>;

function text<P extends RowPart>(
  part: P,
  of: (seen: Seen<P>) => string | null,
  indexed?: Required<Pick<FieldOf<'text'>, 'index' | 'read'>>,
): FieldOf<'text'> {
  return { kind: 'text', parts: [part], read: (subject) => subject.entry(of(subject)), show: of, ...indexed };
}

function money(of: (cents: Cents) => Cents, { isSigned }: { isSigned: boolean }): FieldOf<'money'> {
  const read = ({ row }: Subject): Cents => of(row.amountCents);
  return { kind: 'money', isSigned, parts: ['amountCents'], read, show: (subject) => formatCents(read(subject)) };
}

function boolean<P extends RowPart>(part: P, read: (seen: Seen<P>) => boolean): FieldOf<'boolean'> {
  return { kind: 'boolean', parts: [part], read, show: read };
}

function choice<P extends RowPart>(choices: readonly string[], part: P, read: ReadChoice<Seen<P>>): FieldOf<'choice'> {
  return { kind: 'choice', choices, parts: [part], read, show: read };
}

function reference<P extends RowPart>(
  refersTo: ReferenceKind,
  part: P,
  read: (seen: Seen<P>) => string | null,
): FieldOf<'reference'> {
  const show = (subject: Subject, catalog: Catalog): string | null => {
    const id = read(subject);
    return id === null ? null : showReference(refersTo, id, catalog);
  };
  return { kind: 'reference', refersTo, parts: [part], read, show };
}

function datePart(
  { min, max }: Pick<FieldOf<'integer'>, 'min' | 'max'>,
  part: keyof DateParts,
  cycle: keyof DateParts | number,
): FieldOf<'integer'> {
  const read = ({ day }: Subject): number => day[part];
  const length = typeof cycle === 'number' ? () => cycle : ({ day }: Subject) => day[cycle];
  return { kind: 'integer', min, max, parts: ['date'], read, cycle: length, show: read };
}

function metadata(key: string): FieldOf<'metadata'> {
  const read = (subject: Subject): unknown => subject.metadata.get(key);
  return { kind: 'metadata', key, parts: ['metadata'], read, show: (subject) => (read(subject) ?? null) as Json };
}
