import { sql, type Selectable } from 'kysely';

import type { SqlValue } from '../../db/engine.ts';
import type { TransactionsTable } from '../../db/schema.ts';
import { textIds } from '../../db/texts.ts';
import type { ReadTx } from '../../db/unit-of-work.ts';
import { journalOf } from '../../journal/journal-of.ts';
import { flag, recorded, type Column } from '../../journal/columns.ts';
import type { NetChange } from '../../journal/undo.ts';
import type { WriteTx } from '../../journal/write.ts';
import { fold } from '../../kernel/fold.ts';
import { formatCents, parseCents } from '../../kernel/money.ts';

const transactions = journalOf('transaction');

/** Columns of `transactions` that no bank delivers. Every other one needs an entry in `DELIVERED` to compile. */
type OwnColumn = keyof Pick<
  TransactionsTable,
  | 'id'
  | 'short_id'
  | 'account_id'
  | 'name_text_id'
  | 'merchant_text_id'
  | 'counterparty_id'
  | 'category_id'
  | 'category_source'
  | 'category_rule_id'
  | 'series_id'
  | 'attributed_user_id'
  | 'attributed_by_link_id'
  | 'metadata'
  | 'flagged_at'
  | 'locks'
  | 'import_id'
  | 'created_change_set_id'
  | 'deleted_at'
  | 'deleted_cause'
  | 'merged_into_id'
  | 'creation_effects_id'
  | 'created_at'
  | 'updated_at'
  | 'month'
>;

export type DeliveredColumn = Exclude<keyof TransactionsTable, OwnColumn>;
export type DeliveredRow = Pick<Selectable<TransactionsTable>, DeliveredColumn>;

interface DeliveredField extends Column {
  readonly role: 'recorded';
  readonly toField?: (value: SqlValue) => unknown;
  readonly toColumn?: (value: unknown) => SqlValue;
  /** The column with the dictionary id of its text. */
  readonly textId?: 'name_text_id' | 'merchant_text_id';
}

/** What imports refresh, the journal records, and a revert restores. */
const DELIVERED: Readonly<Record<DeliveredColumn, DeliveredField>> = {
  date: recorded,
  authorized_date: recorded,
  datetime: recorded,
  amount_cents: {
    role: 'recorded',
    field: 'amount',
    toField: (value) => formatCents(value as number),
    toColumn: (value) => parseCents(String(value)) ?? 0,
  },
  iso_currency_code: recorded,
  name: { role: 'recorded', textId: 'name_text_id' },
  merchant_name: { role: 'recorded', textId: 'merchant_text_id' },
  provider_category_primary: recorded,
  provider_category_detailed: recorded,
  payment_channel: recorded,
  pending: flag(),
};

const ENTRIES = Object.entries(DELIVERED).map(([column, { field = column, ...rest }]) => {
  return { column: column as DeliveredColumn, field, ...rest };
});
export const DELIVERED_COLUMNS: readonly DeliveredColumn[] = ENTRIES.map(({ column }) => column);
const FIELDS: ReadonlySet<string> = new Set(ENTRIES.map(({ field }) => field));

/** Whether the journal knows a delivered value by this name. */
export function isDeliveredField(field: string): boolean {
  return FIELDS.has(field);
}

/** The delivered values among these, as the journal names and shows them. */
export function deliveredFieldsOf(values: Readonly<Partial<DeliveredRow>>): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const { column, field, toField } of ENTRIES) {
    const value = values[column];
    if (value !== undefined) fields[field] = toField ? toField(value) : value;
  }
  return fields;
}

/** What the bank delivered about a transaction, and the keys by which an import recognises its row. */
export interface Delivered {
  id: string;
  shortId: string;
  /** As `deliveredFieldsOf` gives them. */
  fields: Readonly<Record<string, unknown>>;
  sourceKey: string | null;
  contentKey: string | null;
}

type Row = DeliveredRow & { id: string; short_id: string; source_key: string | null; content_key: string | null };

export async function selectDelivered(tx: ReadTx, ids: readonly string[]): Promise<Map<string, Delivered>> {
  if (ids.length === 0) return new Map();
  const names = ['id', 'short_id', ...DELIVERED_COLUMNS];
  const columns = sql.join(names.map((name) => sql.ref(`t.${name}`)));
  const { rows } = await sql<Row>`select ${columns}, o.source_key, o.content_key
    from transactions t left join transaction_origins o on o.transaction_id = t.id
    where ${tx.portable.inList(sql.ref('t.id'), ids)}`.execute(tx.q);
  return new Map(
    rows.map((row) => {
      const keys = { sourceKey: row.source_key, contentKey: row.content_key };
      return [row.id, { id: row.id, shortId: row.short_id, fields: deliveredFieldsOf(row), ...keys }];
    }),
  );
}

/** What a bank delivered, as the columns of the row. */
export type DeliveredValues = DeliveredRow & Pick<Selectable<TransactionsTable>, 'name_text_id' | 'merchant_text_id'>;

const VALUE_COLUMNS = [...DELIVERED_COLUMNS, 'name_text_id', 'merchant_text_id'] as const;

export async function selectDeliveredValues(
  tx: ReadTx,
  ids: readonly string[],
): Promise<ReadonlyMap<string, DeliveredValues>> {
  if (ids.length === 0) return new Map();
  const rows = await tx.q
    .selectFrom('transactions')
    .select(['id', ...VALUE_COLUMNS])
    .where(tx.portable.inList(sql.ref('id'), ids))
    .execute();
  return new Map(rows.map(({ id, ...values }) => [id, values]));
}

/** The caller records the change. */
export async function updateDeliveredValues(
  tx: WriteTx,
  rows: readonly { id: string; values: DeliveredValues }[],
): Promise<void> {
  if (rows.length === 0) return;
  const values = rows.map(({ id, values: own }) => [id, ...VALUE_COLUMNS.map((column) => own[column]), tx.now]);
  await tx.updateMany('transactions', [...VALUE_COLUMNS, 'updated_at'], values);
}

/** The values with those that the journal names in `fields`. */
export async function withDeliveredFields(
  tx: WriteTx,
  values: DeliveredValues,
  fields: Readonly<Record<string, unknown>>,
): Promise<DeliveredValues> {
  return { ...values, ...columnsOf(fields, await textIdsIn(tx, [fields])) };
}

/** Gives each row these values, under their names in the journal, and records it with what only an undo needs. */
export async function replaceDelivered(
  tx: WriteTx,
  rows: readonly { current: Delivered; fields: Readonly<Record<string, unknown>> }[],
  internal: Readonly<Record<string, unknown>>,
): Promise<void> {
  const values = await selectDeliveredValues(
    tx,
    rows.map(({ current }) => current.id),
  );
  const texts = await textIdsIn(
    tx,
    rows.map(({ fields }) => fields),
  );
  const written = rows.flatMap(({ current: { id }, fields }) => {
    const known = values.get(id);
    return known ? [{ id, values: { ...known, ...columnsOf(fields, texts) } }] : [];
  });
  await updateDeliveredValues(tx, written);
  for (const { current, fields } of rows) {
    const before = Object.fromEntries(Object.keys(fields).map((name) => [name, current.fields[name] ?? null]));
    transactions.changed(
      tx,
      { id: current.id, short_id: current.shortId },
      { before, after: { ...fields } },
      { internal },
    );
  }
}

/** Restores the values that the bank had delivered before a change set changed them, and the keys of the row. */
export async function restoreDelivered(
  tx: WriteTx,
  restored: readonly { change: NetChange; current: Delivered }[],
): Promise<void> {
  for (const { change, current } of restored) {
    const names = Object.keys(change.before ?? {}).filter(isDeliveredField);
    if (names.length === 0) continue;
    const wanted = Object.fromEntries(names.map((name) => [name, change.before?.[name] ?? null]));
    const columns = columnsOf(wanted, await textIdsIn(tx, [wanted]));
    const columnNames = [...Object.keys(columns), 'updated_at'] as (keyof TransactionsTable)[];
    await tx.updateMany('transactions', columnNames, [[current.id, ...Object.values(columns), tx.now]]);
    const { content_key: contentKey, source_key: sourceKey } = change.internal as Record<string, string | undefined>;
    if (contentKey !== undefined && sourceKey !== undefined) {
      await sql`update transaction_origins set content_key = ${contentKey}, source_key = ${sourceKey}
        where transaction_id = ${current.id}`.execute(tx.q);
    }
    const before = Object.fromEntries(names.map((name) => [name, current.fields[name] ?? null]));
    transactions.changed(
      tx,
      { id: current.id, short_id: current.shortId },
      { before, after: wanted },
      contentKey === undefined ? {} : { internal: keysOf(current) },
    );
  }
}

function keysOf({ contentKey, sourceKey }: Delivered): Record<string, unknown> {
  return { content_key: contentKey, source_key: sourceKey };
}

function columnsOf(
  fields: Readonly<Record<string, unknown>>,
  texts: ReadonlyMap<string, number>,
): Record<string, SqlValue> {
  const columns: Record<string, SqlValue> = {};
  for (const { column, field, toColumn, textId } of ENTRIES) {
    if (!(field in fields)) continue;
    const value = fields[field];
    columns[column] = toColumn ? toColumn(value) : (value as SqlValue);
    if (textId !== undefined) columns[textId] = value === null ? null : (texts.get(fold(value as string)) as number);
  }
  return columns;
}

/** The dictionary ids of the texts among these values, by the folded text. */
async function textIdsIn(
  tx: WriteTx,
  all: readonly Readonly<Record<string, unknown>>[],
): Promise<ReadonlyMap<string, number>> {
  const names = ENTRIES.flatMap(({ field, textId }) => (textId === undefined ? [] : [field]));
  const texts = all.flatMap((fields) => names.map((name) => fields[name]).filter((text) => typeof text === 'string'));
  return textIds(tx, [...new Set(texts.map(fold))]);
}
