import type { Migration } from '../migrate.ts';

/** A group of a totals table. Absent values are '', or 0 for a text, so that they can be part of a key. */
type Key = readonly (readonly [column: string, valueOf: (row: string) => string])[];

export const OF_MONTHS: Key = [
  ['month', (row) => `substr(${row}.date, 1, 7)`],
  ['account_id', (row) => `${row}.account_id`],
  ['category_id', (row) => `coalesce(${row}.category_id, '')`],
  ['attributed_user_id', (row) => `coalesce(${row}.attributed_user_id, '')`],
  ['iso_currency_code', (row) => `coalesce(${row}.iso_currency_code, '')`],
];

/** The rows of a merchant have the same counterparty, or none and the same merchant, otherwise name (contract 10.5.5). */
export const OF_MERCHANTS: Key = [
  ...OF_MONTHS,
  ['counterparty_id', (row) => `coalesce(${row}.counterparty_id, '')`],
  [
    'text_id',
    (row) =>
      `case when ${row}.counterparty_id is null then coalesce(${row}.merchant_text_id, ${row}.name_text_id) else 0 end`,
  ],
];

const TABLES = { monthly_totals: OF_MONTHS, merchant_totals: OF_MERCHANTS };

const SUMS = 'count, outgoing_count, total_cents, incoming_cents';

/** The columns of a transaction that decide where it counts, and for how much. */
const COUNTED = [
  'date',
  'amount_cents',
  'account_id',
  'category_id',
  'attributed_user_id',
  'iso_currency_code',
  'counterparty_id',
  'merchant_text_id',
  'name_text_id',
  'pending',
  'deleted_at',
];

function columnsOf(key: Key): string {
  return key.map(([column]) => column).join(', ');
}

function valuesOf(key: Key, row: string): string {
  return key.map(([, valueOf]) => valueOf(row)).join(', ');
}

function sumsOf(row: string): string {
  const amount = `${row}.amount_cents`;
  return `count(*), count(*) filter (where ${amount} > 0), sum(${amount}), coalesce(sum(${amount}) filter (where ${amount} < 0), 0)`;
}

/** Only posted, live rows can count in totals (contract 10.1.4); whether their account counts is asked when reading. */
function counts(row: string): string {
  return `${row}.deleted_at is null and ${row}.pending = 0`;
}

function filled(table: string, key: Key): string {
  return `insert into ${table} (${columnsOf(key)}, ${SUMS})
    select ${valuesOf(key, 't')}, ${sumsOf('t')} from transactions t where ${counts('t')}
    group by ${key.map((_column, index) => index + 1).join(', ')}`;
}

/** SQLite: what one row adds. */
function added(table: string, key: Key): string {
  const amount = 'new.amount_cents';
  return `insert into ${table} (${columnsOf(key)}, ${SUMS})
    select ${valuesOf(key, 'new')}, 1, ${amount} > 0, ${amount}, min(${amount}, 0) where ${counts('new')}
    on conflict (${columnsOf(key)}) do update set count = count + 1,
      outgoing_count = outgoing_count + excluded.outgoing_count, total_cents = total_cents + excluded.total_cents,
      incoming_cents = incoming_cents + excluded.incoming_cents;`;
}

/** SQLite: what one row no longer adds. */
function removed(table: string, key: Key): string {
  const amount = 'old.amount_cents';
  const same = key.map(([column, valueOf]) => `${column} = ${valueOf('old')}`).join(' and ');
  return `update ${table} set count = count - 1, outgoing_count = outgoing_count - (${amount} > 0),
      total_cents = total_cents - ${amount}, incoming_cents = incoming_cents - min(${amount}, 0)
      where ${counts('old')} and ${same};
    delete from ${table} where count = 0 and ${same};`;
}

function forEachTable(statement: (table: string, key: Key) => string): string {
  return Object.entries(TABLES)
    .map(([table, key]) => statement(table, key))
    .join('\n');
}

/** The rows before and after a statement of PostgreSQL, and what they count for. */
export type Sources = readonly (readonly [rows: 'old_rows' | 'new_rows', sign: 1 | -1])[];

const SUM_COLUMNS = SUMS.split(', ');

/** PostgreSQL: what a statement changed in all, per group of merchants. */
export function difference(sources: Sources): string {
  const parts = sources.map(
    ([rows, sign]) => `select ${valuesOf(OF_MERCHANTS, 'r')}, ${sign}, ${sign} * (r.amount_cents > 0)::int,
      ${sign} * r.amount_cents, ${sign} * least(r.amount_cents, 0) from ${rows} r where ${counts('r')}`,
  );
  return summed(OF_MERCHANTS, `(${parts.join(' union all ')}) as changed (${columnsOf(OF_MERCHANTS)}, ${SUMS})`);
}

function summed(key: Key, source: string): string {
  const sums = SUM_COLUMNS.map((name) => `sum(${name})`);
  return `select ${columnsOf(key)}, ${sums.map((sum, index) => `${sum} as ${SUM_COLUMNS[index]}`).join(', ')}
    from ${source} group by ${columnsOf(key)} having ${sums.map((sum) => `${sum} <> 0`).join(' or ')}`;
}

export function addedTo(table: string, key: Key): string {
  return `insert into ${table} as total (${columnsOf(key)}, ${SUMS}) ${summed(key, 'difference')}
    on conflict (${columnsOf(key)}) do update set
    ${SUM_COLUMNS.map((name) => `${name} = total.${name} + excluded.${name}`).join(', ')} returning total.count`;
}

function emptied(table: string, key: Key): string {
  const same = key.map(([column, valueOf]) => `total.${column} = ${valueOf('r')}`).join(' and ');
  return `delete from ${table} total using old_rows r where total.count = 0 and ${same};`;
}

/** Only a statement that takes something away can leave a group empty. */
function trigger(event: 'insert' | 'update' | 'delete'): string[] {
  const sources: Sources = [
    ...(event === 'insert' ? [] : [['old_rows', -1] as const]),
    ...(event === 'delete' ? [] : [['new_rows', 1] as const]),
  ];
  const tables = sources.map(([rows]) => `${rows === 'old_rows' ? 'old' : 'new'} table as ${rows}`).join(' ');
  return [
    `create function count_transactions_after_${event}() returns trigger language plpgsql as $$
    declare is_any_empty boolean;
    begin
      with difference as materialized (${difference(sources)}),
      months as (${addedTo('monthly_totals', OF_MONTHS)}), merchants as (${addedTo('merchant_totals', OF_MERCHANTS)})
      select exists (select from months where count = 0) or exists (select from merchants where count = 0)
      into is_any_empty;
      ${event === 'insert' ? '' : `if is_any_empty then ${forEachTable(emptied)} end if;`}
      return null;
    end $$`,
    `create trigger transactions_counted_after_${event} after ${event} on transactions
      referencing ${tables} for each statement execute function count_transactions_after_${event}()`,
  ];
}

/**
 * Sums beside the rows, per month and what most totals are grouped by. The database keeps them in the statement that
 * changes a row, so no write can miss them; on SQLite, `insertMany` adds new rows: docs/decisions/0026.
 */
export const totals: Migration = {
  version: 14,
  name: 'totals',
  statements: [
    // incoming_cents sums the negative amounts, outgoing_count counts the positive ones.
    `create table monthly_totals (
      month {text} not null, account_id {text} not null, category_id {text} not null,
      attributed_user_id {text} not null, iso_currency_code {text} not null, count {int} not null,
      outgoing_count {int} not null, total_cents {money} not null, incoming_cents {money} not null,
      primary key (${columnsOf(OF_MONTHS)})) {strict}{without_rowid}`,
    `create table merchant_totals (
      month {text} not null, account_id {text} not null, category_id {text} not null,
      attributed_user_id {text} not null, iso_currency_code {text} not null, counterparty_id {text} not null,
      text_id {int} not null, count {int} not null, outgoing_count {int} not null, total_cents {money} not null,
      incoming_cents {money} not null, primary key (${columnsOf(OF_MERCHANTS)})) {strict}{without_rowid}`,
    filled('monthly_totals', OF_MONTHS),
    filled('merchant_totals', OF_MERCHANTS),
    // What these tables do not know is read from the rows: by date, so that only the days asked for are read. It covers
    // sums per day and account. With the category, a bulk change would touch a page of it for nearly every row.
    `drop index transactions_for_totals`,
    `create index transactions_for_totals on transactions (date, account_id, iso_currency_code, amount_cents)
      where deleted_at is null and pending = 0`,
    // The newest rows with a text are the end of one range.
    `drop index transactions_by_name_text`,
    `create index transactions_by_name_text on transactions (name_text_id, date, id) where deleted_at is null`,
  ],
  sqlite: [
    `create trigger transactions_counted_after_delete after delete on transactions when ${counts('old')} begin
      ${forEachTable(removed)} end`,
    `create trigger transactions_counted_after_update after update of ${COUNTED.join(', ')} on transactions
      when ${COUNTED.map((column) => `old.${column} is not new.${column}`).join(' or ')} begin
      ${forEachTable(removed)} ${forEachTable(added)} end`,
  ],
  postgres: [...trigger('insert'), ...trigger('update'), ...trigger('delete')],
};
