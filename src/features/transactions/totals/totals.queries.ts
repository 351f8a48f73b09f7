import { sql, type RawBuilder } from 'kysely';

import type { ReadTx } from '../../../db/unit-of-work.ts';
import {
  columnsOf,
  countingCondition,
  partsOf,
  ROW_SUMS,
  sumsOf,
  sumsOfRows,
  type CountingOptions,
} from './counted-parts.queries.ts';
import { mostSelectiveFilter, rowsFrom } from '../filters/index-choice.queries.ts';
import { NO_FILTERS, resolveFilters, type ResolvedFilters } from '../filters/resolve-filters.ts';
import {
  compareNullsLast,
  exact,
  foldGroups,
  toTotal,
  type Dimension,
  type Group,
  type TotalRecord,
} from './totals.ts';

/** Sums as the database returns them: exact decimal text, because they can be wider than a safe integer. */
export interface SumTexts {
  count: number;
  total: string;
  incoming: string | null;
}

/** Sums of the rows that match and count in totals. A group may occur several times: once for each part of them. */
export async function selectGroups(
  tx: ReadTx,
  filters: ResolvedFilters,
  options: CountingOptions,
  dimensions: readonly Dimension[],
): Promise<Group[]> {
  const groups: Group[] = [];
  for (const part of await partsOf(tx, filters, options, dimensions)) {
    const sums = await sumsOf(tx, part, options, dimensions);
    const found = await sql<Omit<Group, 'total' | 'out'> & SumTexts>`
      select ${columnsOf(dimensions)}, count, cast(total as text) as total,
        cast(incoming as text) as incoming
      from (${sums}) as sums`.execute(tx.q);
    for (const { total, incoming, ...group } of found.rows) groups.push({ ...group, ...exact(total, incoming) });
  }
  return groups;
}

/**
 * Sums per tag and the other dimensions. A row with two tags is in two groups. Rows without a tag are the whole minus
 * the tagged rows, which are fewer.
 * @param dimensions what else the sums are grouped by, besides the currency
 * @param whole sums of all rows that count, grouped at least as finely
 */
export async function selectTagGroups(
  tx: ReadTx,
  filters: ResolvedFilters,
  options: CountingOptions,
  dimensions: readonly Dimension[],
  whole: readonly Group[],
): Promise<Group[]> {
  const tagged = await taggedGroups(tx, filters, options, dimensions);
  const once = tagged.filter((group) => group.isFirst).map(negative);
  const key = (group: Group): string =>
    JSON.stringify([group.iso_currency_code, ...dimensions.map((one) => group[one] ?? null)]);
  const untagged = foldGroups([...whole, ...once], key)
    .filter((group) => group.count > 0)
    .map((group) => ({ ...group, tag_id: null }));
  return [...tagged, ...untagged];
}

/** Up to this many rows take less time to fetch with their tags than all tags with their rows. */
const FETCHED_ROWS = 40_000;

interface TaggedGroup extends Group {
  /** Whether this is the first tag of its rows: every tagged row is in exactly one such group. */
  isFirst: boolean;
}

async function taggedGroups(
  tx: ReadTx,
  filters: ResolvedFilters,
  options: CountingOptions,
  dimensions: readonly Dimension[],
): Promise<TaggedGroup[]> {
  const few = await mostSelectiveFilter(tx, filters, { cap: FETCHED_ROWS, byDate: true });
  const where = countingCondition(tx, filters, options, few ? 'all' : 'none');
  const { orderedJoin } = tx.portable;
  const rows = few
    ? sql`${rowsFrom(tx, few)} ${orderedJoin} transaction_tags tt on tt.transaction_id = t.id`
    : sql`transaction_tags tt ${orderedJoin} transactions t on t.id = tt.transaction_id`;
  const isLater = sql`exists (select 1 from transaction_tags other
    where other.transaction_id = tt.transaction_id and other.tag_id < tt.tag_id)`;
  const columns = sql.join(['tt.tag_id', ...dimensions.map((one) => `t.${one}`)].map((name) => sql.raw(name)));
  const found = await sql<Omit<Group, 'total' | 'out'> & { is_later: 0 | 1 } & SumTexts>`
    select ${columnsOf(['tag_id', ...dimensions])}, iso_currency_code, is_later, count, cast(total as text) as total,
      cast(incoming as text) as incoming
    from (select ${columns}, t.iso_currency_code, case when ${isLater} then 1 else 0 end as is_later, ${ROW_SUMS}
      from ${rows} where ${where} group by ${columns}, t.iso_currency_code, is_later) as sums`.execute(tx.q);
  return found.rows.map(({ total, incoming, is_later, ...group }) => ({
    ...group,
    ...exact(total, incoming),
    isFirst: is_later === 0,
  }));
}

function negative(group: Group): Group {
  return { ...group, count: -group.count, total: -group.total, out: -group.out };
}

/** A total of a counterparty, with the days of the first and last row in it. */
export interface DatedTotal extends TotalRecord {
  first_date: string;
  last_date: string;
}

/** One total per currency over the rows bound to exactly this counterparty that count in totals (contract 10.12). */
export async function totalsOfCounterparty(tx: ReadTx, id: string): Promise<DatedTotal[]> {
  const filters = { ...(await resolveFilters(tx, NO_FILTERS, 'exclude')), counterpartyIds: [id] };
  const options = { includePending: false };
  const where = countingCondition(tx, filters, options, 'all');
  const dates = sql`, min(t.date) as first_date, max(t.date) as last_date`;
  // The index on the counterparty finds them faster than a scan, however many there are.
  const sums = sumsOfRows({ source: sql`transactions t`, where, isFew: true }, ['iso_currency_code'], dates);
  const { rows } = await sql<Sums>`
    select iso_currency_code, count, cast(total as text) as total, cast(incoming as text) as incoming, first_date,
      last_date
    from (${sums}) as sums`.execute(tx.q);
  return rows
    .sort((a, b) => compareNullsLast(a.iso_currency_code, b.iso_currency_code))
    .map(({ total, incoming, first_date, last_date, ...group }) => ({
      ...toTotal({ ...group, ...exact(total, incoming) }),
      first_date,
      last_date,
    }));
}

type Sums = SumTexts & Pick<DatedTotal, 'iso_currency_code' | 'first_date' | 'last_date'>;

/** What the transactions of a counterparty come to. */
export interface CounterpartyTotals {
  /** Live ones, pending ones and those of excluded accounts too. */
  transactionCount: number;
  totals: readonly DatedTotal[];
}

/** The same of every counterparty, from the sums that are kept per month; only the days are looked up among the rows. */
export async function totalsByCounterparty(tx: ReadTx): Promise<Map<string, CounterpartyTotals>> {
  const filters = await resolveFilters(tx, NO_FILTERS, 'exclude');
  const all = await resolveFilters(tx, NO_FILTERS, 'include');
  const options = { includePending: false };
  // One pass for what counts and for what does not: the account decides.
  const dimensions = ['counterparty_id', 'iso_currency_code', 'account_id'] as const;
  const parts = (await selectGroups(tx, all, options, dimensions)).filter(({ counterparty_id: id }) => id != null);
  const leftOut = new Set(filters.accountsLeftOut);
  const counted = parts.filter(({ account_id: id }) => !leftOut.has(id as string));
  const groups = foldGroups(counted, (group) => `${group.counterparty_id} ${group.iso_currency_code}`);
  const days = await daysOf(tx, groups, countingCondition(tx, filters, options, 'none'));
  const found = new Map<string, { transactionCount: number; totals: DatedTotal[] }>();
  const of = (id: string): { transactionCount: number; totals: DatedTotal[] } => {
    const known = found.get(id) ?? { transactionCount: 0, totals: [] };
    found.set(id, known);
    return known;
  };
  for (const { counterparty_id: id, count } of parts) of(id as string).transactionCount += count;
  for (const id of await selectPending(tx)) of(id).transactionCount += 1;
  for (const [at, group] of groups.entries()) {
    of(group.counterparty_id as string).totals.push({ ...toTotal(group), ...(days[at] as Days) });
  }
  for (const { totals } of found.values()) {
    totals.sort((a, b) => compareNullsLast(a.iso_currency_code, b.iso_currency_code));
  }
  return found;
}

/** The counterparties of pending rows, which are few and in no sums; one entry for each row. */
async function selectPending(tx: ReadTx): Promise<string[]> {
  const pending = tx.portable.readBy('transactions', 't', 'transactions_pending');
  const { rows } = await sql<{ id: string }>`select t.counterparty_id as id from ${pending}
    where t.pending = 1 and t.deleted_at is null and t.counterparty_id is not null`.execute(tx.q);
  return rows.map(({ id }) => id);
}

type Days = Pick<DatedTotal, 'first_date' | 'last_date'>;

/** The first and last day of each group, in the same order. */
async function daysOf(tx: ReadTx, groups: readonly Group[], counts: RawBuilder<unknown>): Promise<Days[]> {
  const given = tx.portable.givenRows(
    groups.map(({ counterparty_id: id, iso_currency_code: currency }) => [id ?? null, currency ?? '']),
    { id: 'text', currency: 'text' },
  );
  const day = (order: 'asc' | 'desc'): RawBuilder<unknown> => sql`(select t.date from transactions t
    where t.counterparty_id = given.id and coalesce(t.iso_currency_code, '') = given.currency and ${counts}
    order by t.date ${sql.raw(order)}, t.id ${sql.raw(order)} limit 1)`;
  const { rows } = await sql<Days & { id: string; currency: string }>`select given.id, given.currency,
    ${day('asc')} as first_date, ${day('desc')} as last_date from (${given}) as given`.execute(tx.q);
  const found = new Map(rows.map((row) => [`${row.id} ${row.currency}`, row]));
  return groups.map(({ counterparty_id: id, iso_currency_code: currency }) => {
    const { first_date, last_date } = found.get(`${id} ${currency ?? ''}`) as Days;
    return { first_date, last_date };
  });
}
