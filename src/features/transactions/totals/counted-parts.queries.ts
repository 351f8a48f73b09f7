import { sql, type RawBuilder } from 'kysely';

import type { ReadTx } from '../../../db/unit-of-work.ts';
import { allOf, conditionsOf, spendingCondition, type Indexing } from '../filters/conditions.queries.ts';
import { mostSelectiveFilter, rowsFrom, type Candidates } from '../filters/index-choice.queries.ts';
import type { ResolvedFilters } from '../filters/resolve-filters.ts';
import { splitByMonths, type Months } from './whole-months.ts';

export interface CountingOptions {
  includePending: boolean;
}

/** What sums are grouped by: columns of `transactions`, and the text of a merchant without a counterparty. */
export type Grouping =
  | 'date'
  | 'month'
  | 'account_id'
  | 'attributed_user_id'
  | 'category_id'
  | 'iso_currency_code'
  | 'counterparty_id'
  | 'text_id';

/** A part of what is summed: transactions, or whole months of a table of totals (migration 0014). */
export type Part = RowsPart | MonthsPart;
interface RowsPart {
  table: 'transactions';
  filters: ResolvedFilters;
}
interface MonthsPart {
  table: TotalsTable;
  filters: ResolvedFilters;
  months: Months;
}
type TotalsTable = 'monthly_totals' | 'merchant_totals';

const MONTHLY_KEY: readonly Grouping[] = [
  'month',
  'account_id',
  'attributed_user_id',
  'category_id',
  'iso_currency_code',
];
const MERCHANT_KEY: readonly Grouping[] = [...MONTHLY_KEY, 'counterparty_id', 'text_id'];

/** Filters that no index helps with more than the one that covers totals. */
const SCANNED: ReadonlySet<string> = new Set<keyof ResolvedFilters>([
  'dateFrom',
  'dateTo',
  'currencies',
  'accountIds',
  'accountsLeftOut',
  'owner',
  'categoryIdsOrNone',
  'uncategorized',
  'spending',
  'deleted',
  'pending',
]);

/** The filters that the keys of both tables of totals can answer. */
const MONTHLY_FILTERS: ReadonlySet<string> = new Set([...SCANNED, 'categoryIds']);

/** So many rows of the index of totals are scanned in the time that it takes to fetch one. */
const SCANNED_PER_FETCHED = 4;
const ALWAYS_FETCHED = 1_000;
const MOST_FETCHED = 40_000;
/** So many rows are fetched in the time that it takes to read a year of merchants, whose table is in order of months. */
const FETCHED_FOR_MERCHANTS = 2_000;

/** The order of the index `transactions_for_totals`, which covers sums by these. */
const TOTALS_INDEX: readonly Grouping[] = ['date', 'account_id', 'iso_currency_code'];

/**
 * The parts whose sums add up to what matches and counts. Whole months come from a table of totals where its key can
 * answer filters and groups; pending rows are few and in no such table.
 */
export async function partsOf(
  tx: ReadTx,
  filters: ResolvedFilters,
  { includePending }: CountingOptions,
  groupedBy: readonly Grouping[],
): Promise<Part[]> {
  if (filters.pending === true) return [{ table: 'transactions', filters }];
  const parts = await postedParts(tx, { ...filters, pending: false }, groupedBy);
  if (!includePending || filters.pending === false) return parts;
  return [...parts, { table: 'transactions', filters: { ...filters, pending: true } }];
}

async function postedParts(tx: ReadTx, filters: ResolvedFilters, groupedBy: readonly Grouping[]): Promise<Part[]> {
  const table = tableFor(filters, groupedBy);
  if (table === null || (await isQuickerByRow(tx, table, filters))) return [{ table: 'transactions', filters }];
  const { months, days } = splitByMonths(filters);
  const { dateFrom: _from, dateTo: _to, ...others } = filters;
  const parts: Part[] = days.map((range) => ({ table: 'transactions', filters: { ...others, ...range } }));
  if (months) parts.push({ table, filters: others, months });
  return parts;
}

async function isQuickerByRow(tx: ReadTx, table: TotalsTable, filters: ResolvedFilters): Promise<boolean> {
  if (table === 'monthly_totals' || !(filters.categoryIds ?? filters.counterpartyIds)) return false;
  return (await mostSelectiveFilter(tx, filters, { cap: FETCHED_FOR_MERCHANTS })) !== null;
}

/** Whether the key of the monthly totals answers these filters, for whole months. */
export function isInMonthlyTotals(filters: ResolvedFilters): boolean {
  return tableFor(filters, []) === 'monthly_totals';
}

function tableFor(filters: ResolvedFilters, groupedBy: readonly Grouping[]): TotalsTable | null {
  const others = namesOf(filters).filter((name) => !MONTHLY_FILTERS.has(name));
  if (filters.deleted || others.some((name) => name !== 'counterpartyIds')) return null;
  if (others.length === 0 && groupedBy.every((one) => MONTHLY_KEY.includes(one))) return 'monthly_totals';
  return groupedBy.every((one) => MERCHANT_KEY.includes(one)) ? 'merchant_totals' : null;
}

function namesOf(filters: ResolvedFilters): string[] {
  return Object.entries(filters).flatMap(([name, value]) => (value === undefined ? [] : [name]));
}

/** Sums of a part, incoming money negative: `count`, `total`, `incoming`, and, if dated, the first and last month. */
export async function sumsOf(
  tx: ReadTx,
  part: Part,
  options: CountingOptions,
  groupedBy: readonly Grouping[],
  { isDated = false }: { isDated?: boolean } = {},
): Promise<RawBuilder<unknown>> {
  if (part.table !== 'transactions') return sumsOfMonths(tx, part, groupedBy, isDated);
  const rows = await countingRows(tx, part.filters, options);
  const finer = rows.isFew || tx.portable.groupsInAnyOrder || isDated ? null : inIndexOrder(groupedBy);
  if (!finer) return sumsOfRows(rows, groupedBy, isDated ? firstAndLastMonth(expressionOf('month')) : sql``);
  return sql`select ${columnsOf(groupedBy)}, ${SUMS_OF_SUMS} from (${sumsOfRows(rows, finer)}) as finer
    group by ${positionsOf(groupedBy)}`;
}

/** Groups by day directly, each row would be sorted; grouped in the order of the index first, far fewer groups are. */
function inIndexOrder(groupedBy: readonly Grouping[]): readonly Grouping[] | null {
  if (!groupedBy.includes('date') || !groupedBy.every((one) => TOTALS_INDEX.includes(one))) return null;
  return TOTALS_INDEX.slice(0, Math.max(...groupedBy.map((one) => TOTALS_INDEX.indexOf(one))) + 1);
}

/** The sums of finer groups. */
export const SUMS_OF_SUMS = sql`cast(sum(count) as bigint) as count, sum(total) as total, sum(incoming) as incoming`;

/** A generated column is in no index, but its date is. */
const EXPRESSIONS: Partial<Record<Grouping, string>> = {
  month: 'substr(t.date, 1, 7)',
  text_id: 'case when t.counterparty_id is null then coalesce(t.merchant_text_id, t.name_text_id) end',
};

/** Of rows `t`. */
export function expressionOf(one: Grouping): string {
  return EXPRESSIONS[one] ?? `t.${one}`;
}

function firstAndLastMonth(month: string): RawBuilder<unknown> {
  return sql.raw(`, min(${month}) as first_month, max(${month}) as last_month`);
}

/** The sums behind every total, of rows `t`. Incoming money is negative. */
export const ROW_SUMS = sql`count(*) as count, sum(t.amount_cents) as total,
  sum(t.amount_cents) filter (where t.amount_cents < 0) as incoming`;

export function sumsOfRows(
  { source, where }: CountingRows,
  groupedBy: readonly Grouping[],
  more: RawBuilder<unknown> = sql``,
): RawBuilder<unknown> {
  const columns = sql.join(groupedBy.map((one) => sql.raw(`${expressionOf(one)} as ${one}`)));
  return sql`select ${columns}, ${ROW_SUMS} ${more}
    from ${source} where ${where} group by ${positionsOf(groupedBy)}`;
}

function sumsOfMonths(
  tx: ReadTx,
  { table, filters, months }: MonthsPart,
  groupedBy: readonly Grouping[],
  isDated: boolean,
): RawBuilder<unknown> {
  const conditions = conditionsOf(tx, filters, 'none').filter(({ filter }) => !APART.has(filter));
  const where = conditions.map((condition) => condition.sql);
  if (filters.spending) where.push(spendingCondition(tx, filters.spending, sql`t.outgoing_count > 0`));
  const sums = SUMS_OF_MONTHS[filters.spending?.is ?? 'all'];
  const dates = isDated ? firstAndLastMonth('t.month') : sql``;
  // Grouped as they are stored: absent values become null once for each group, not for each row.
  const columns = groupedBy.map((one) => sql.raw(one in ABSENT ? orNull(`t.stored_${one}`, one) : `t.${one}`));
  const keys = groupedBy.map((one) => sql.raw(one in ABSENT ? `t.stored_${one}` : `t.${one}`));
  return sql`select ${sql.join(columns)}, ${sums} ${dates}
    from (${totalsFrom(table, months)}) as t where ${allOf(where)} group by ${sql.join(keys)}`;
}

/** What every row in a table of totals is, and what is asked of its sums. */
const APART: ReadonlySet<string> = new Set(['deleted', 'pending', 'spending']);

const SUMS_OF_MONTHS = {
  all: sql`cast(sum(t.count) as bigint) as count, sum(t.total_cents) as total, sum(t.incoming_cents) as incoming`,
  gross: sql`cast(sum(t.outgoing_count) as bigint) as count, sum(t.total_cents - t.incoming_cents) as total,
    cast(null as bigint) as incoming`,
  net: sql`cast(sum(case when t.category_id is null then t.outgoing_count else t.count end) as bigint) as count,
    sum(case when t.category_id is null then t.total_cents - t.incoming_cents else t.total_cents end) as total,
    sum(case when t.category_id is null then null else t.incoming_cents end) as incoming`,
};

/** What stands for absent values in the tables of totals. */
const ABSENT: Partial<Record<Grouping, string>> = {
  category_id: "''",
  attributed_user_id: "''",
  iso_currency_code: "''",
  counterparty_id: "''",
  text_id: '0',
};

function orNull(column: string, one: Grouping): string {
  return `nullif(${column}, ${ABSENT[one]}) as ${one}`;
}

/** Columns as in `transactions`, absent values null again; and under `stored_…` as they are stored. */
function totalsFrom(table: TotalsTable, { from, to }: Months): RawBuilder<unknown> {
  const within = [
    ...(from === undefined ? [] : [sql`month >= ${from}`]),
    ...(to === undefined ? [] : [sql`month <= ${to}`]),
  ];
  const columns = (table === 'merchant_totals' ? MERCHANT_KEY : MONTHLY_KEY).map((one) =>
    one in ABSENT ? `${orNull(one, one)}, ${one} as stored_${one}` : one,
  );
  return sql`select ${sql.raw(columns.join(', '))}, count, outgoing_count, total_cents, incoming_cents
    from ${sql.table(table)} where ${allOf(within)}`;
}

/** The rows of `transactions t` that match and count, as parts of a query. */
interface CountingRows {
  source: RawBuilder<unknown>;
  where: RawBuilder<unknown>;
  /** Whether they are few enough to be fetched, instead of reading all days asked for. */
  isFew: boolean;
}

/**
 * The one definition of "counts in totals" (contract 10.1.4): live, in an account that counts (see resolveFilters),
 * and posted unless pending rows are asked for.
 */
async function countingRows(tx: ReadTx, filters: ResolvedFilters, options: CountingOptions): Promise<CountingRows> {
  const few = await fewRows(tx, filters);
  // The engine by itself takes another index of dates, and then fetches every row even if this one covers the sums.
  const isByDay = !few && filters.pending === false && !filters.deleted;
  return {
    source: isByDay ? tx.portable.readBy('transactions', 't', 'transactions_for_totals') : rowsFrom(tx, few),
    where: countingCondition(tx, filters, options, few ? 'all' : 'date'),
    isFew: few !== null,
  };
}

/** The candidates of the most selective filter, if it takes less time to fetch them than to scan all dates asked for. */
async function fewRows(tx: ReadTx, filters: ResolvedFilters): Promise<Candidates | null> {
  if (filters.pending !== true && namesOf(filters).every((name) => SCANNED.has(name))) return null;
  const worthIt = Math.floor((await postedBetween(tx, filters)) / SCANNED_PER_FETCHED);
  return mostSelectiveFilter(tx, filters, { cap: Math.min(MOST_FETCHED, Math.max(ALWAYS_FETCHED, worthIt)) });
}

/** About how many posted rows there are between two dates: those of all months that they touch. */
async function postedBetween(tx: ReadTx, { dateFrom = '', dateTo = '9999-12' }: ResolvedFilters): Promise<number> {
  const { rows } = await sql<{ n: number }>`select cast(coalesce(sum(count), 0) as bigint) as n from monthly_totals
    where month between ${dateFrom.slice(0, 7)} and ${dateTo.slice(0, 7)}`.execute(tx.q);
  return rows[0]?.n ?? 0;
}

export function countingCondition(
  tx: ReadTx,
  filters: ResolvedFilters,
  options: CountingOptions,
  indexing: Indexing,
): RawBuilder<unknown> {
  const posted = options.includePending || filters.pending !== undefined ? filters : { ...filters, pending: false };
  return allOf(conditionsOf(tx, posted, indexing).map((condition) => condition.sql));
}

export function columnsOf(groupedBy: readonly string[]): RawBuilder<unknown> {
  return sql.join(groupedBy.map((name) => sql.raw(name)));
}

function positionsOf(groupedBy: readonly Grouping[]): RawBuilder<unknown> {
  return sql.raw(groupedBy.map((_name, index) => index + 1).join(', '));
}
