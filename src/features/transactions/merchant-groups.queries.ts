import { sql, type RawBuilder } from 'kysely';

import type { ReadTx } from '../../db/unit-of-work.ts';
import { addDays, type DateOnly } from '../../kernel/dates.ts';
import {
  columnsOf,
  countingCondition,
  partsOf,
  sumsOf,
  SUMS_OF_SUMS,
  type CountingOptions,
  type Grouping,
} from './counted-parts.queries.ts';
import type { ResolvedFilters } from './resolve-filters.ts';
import { exact, type Group } from './totals.ts';
import { daysOfMonth } from './whole-months.ts';

/** Rows of one merchant: with the same counterparty, or without one and with the same folded merchant or name. */
export interface MerchantGroup extends Group {
  counterparty_id: string | null;
  /** The text of the merchant or name; null with a counterparty. */
  text_id: number | null;
  /** YYYY-MM of its first and last row. */
  first_month: string;
  last_month: string;
}

/** What only rows say of a merchant. */
export interface MerchantRows {
  first_date: DateOnly;
  last_date: DateOnly;
  /** How the newest row spells it. */
  spelling: string;
}

interface WantedMerchants {
  minCount: number;
  /** Leaves out merchants with a row before this day that matches all filters but the dates. */
  newSince: DateOnly | undefined;
  /** How many are found: in all, the first currencies first, or of each currency. */
  limit: number;
  limitIs: 'in all' | 'of each currency';
}

interface FoundMerchants {
  /** The first ones, in the order of the answer (contract 10.5.5). */
  groups: MerchantGroup[];
  /** The sums of all merchants per currency, and how many merchants there are. */
  totals: Group[];
  count: number;
}

const KEY: readonly Grouping[] = ['counterparty_id', 'text_id', 'iso_currency_code'];

/** Merchants with enough rows. There can be as many as transactions, so the database adds up those that are not shown. */
export async function merchantGroups(
  tx: ReadTx,
  filters: ResolvedFilters,
  options: CountingOptions,
  wanted: WantedMerchants,
): Promise<FoundMerchants> {
  const { ascNullsLast } = tx.portable;
  const currencies = ascNullsLast(sql`iso_currency_code`);
  const largest = sql`total desc, count desc`;
  const inOrder = sql`${largest}, name, ${ascNullsLast(sql`counterparty_id`)}`;
  const named = (merchants: RawBuilder<unknown>): RawBuilder<unknown> => sql`
    select m.*, coalesce(cp.name_folded, (select x.folded from texts x where x.id = m.text_id)) as name
    from ${merchants} as m left join counterparties cp on cp.id = m.counterparty_id`;
  const ranked = sql`select n.*, row_number() over (partition by iso_currency_code order by ${inOrder}) as nr
    from (${named(sql`merchants`)}) as n`;
  const first = tx.portable.firstWithTies(sql`merchants`, sql`${currencies}, ${largest}`, wanted.limit);
  const shown =
    wanted.limitIs === 'in all'
      ? sql`select * from (${named(first)}) as n order by ${currencies}, ${inOrder} limit ${sql.lit(wanted.limit)}`
      : sql`select * from (${ranked}) as r where nr <= ${sql.lit(wanted.limit)}`;
  const query = sql`
    with merchants as materialized (${await merchantSums(tx, filters, options, wanted)})
    select merchants, counterparty_id, text_id, iso_currency_code, count, first_month, last_month, total_text, incoming_text
    from (
      select 1 as merchants, counterparty_id, text_id, iso_currency_code, count, first_month, last_month, name,
        total, cast(total as text) as total_text, cast(incoming as text) as incoming_text from (${shown}) as shown
      union all
      select count(*), null, null, iso_currency_code, cast(sum(count) as bigint), null, null, null,
        null, cast(sum(total) as text), cast(sum(incoming) as text) from merchants group by iso_currency_code
    ) as found order by ${currencies}, ${inOrder}`;
  return toFound((await tx.values(query.compile(tx.q))) as unknown as readonly FoundRow[]);
}

/** A merchant, or the sums of all with a currency: those have no month. */
type FoundRow = readonly [
  merchants: number,
  counterparty_id: string | null,
  text_id: number | null,
  iso_currency_code: string | null,
  count: number,
  first_month: string | null,
  last_month: string | null,
  total: string,
  incoming: string | null,
];

function toFound(rows: readonly FoundRow[]): FoundMerchants {
  const found: FoundMerchants = { groups: [], totals: [], count: 0 };
  for (const row of rows) {
    const [merchants, counterparty_id, text_id, iso_currency_code, count, first_month, last_month, total, incoming] =
      row;
    const group = { iso_currency_code, count, ...exact(total, incoming) };
    if (first_month === null || last_month === null) {
      found.totals.push(group);
      found.count += merchants;
    } else found.groups.push({ ...group, counterparty_id, text_id, first_month, last_month });
  }
  return found;
}

async function merchantSums(
  tx: ReadTx,
  filters: ResolvedFilters,
  options: CountingOptions,
  { minCount, newSince }: WantedMerchants,
): Promise<RawBuilder<unknown>> {
  const groups = await allParts(tx, filters, options, 0);
  if (newSince !== undefined) groups.push(...(await allParts(tx, upTo(filters, addDays(newSince, -1)), options, 1)));
  const [only] = groups;
  if (only && groups.length === 1) return sql`select * from (${only}) as part where count >= ${minCount}`;
  return sql`select ${columnsOf(KEY)}, ${SUMS_OF_SUMS}, min(first_month) as first_month, max(last_month) as last_month
    from (${sql.join(groups, sql` union all `)}) as parts group by 1, 2, 3
    having max(is_known) = 0 and sum(count) >= ${minCount}`;
}

async function allParts(
  tx: ReadTx,
  filters: ResolvedFilters,
  options: CountingOptions,
  isKnown: 0 | 1,
): Promise<RawBuilder<unknown>[]> {
  const parts: RawBuilder<unknown>[] = [];
  for (const part of await partsOf(tx, filters, options, KEY)) {
    const sums = await sumsOf(tx, part, options, KEY, true);
    parts.push(sql`select ${columnsOf(KEY)}, count, total, incoming, first_month, last_month, ${sql.lit(isKnown)} as is_known
      from (${sums}) as part`);
  }
  return parts;
}

function upTo(filters: ResolvedFilters, dateTo: DateOnly): ResolvedFilters {
  const earlier = { ...filters, dateTo };
  delete earlier.dateFrom;
  return earlier;
}

/** The first and last row of each group, in the order of the groups. */
export async function rowsOfMerchants(
  tx: ReadTx,
  filters: ResolvedFilters,
  options: CountingOptions,
  groups: readonly MerchantGroup[],
): Promise<MerchantRows[]> {
  const condition = await countingCondition(tx, filters, options, 'none');
  const found: MerchantRows[] = [];
  const numbered = [...groups.entries()];
  for (const [some, keys] of [
    [numbered.filter(([, { counterparty_id: id }]) => id !== null), BOUND],
    [numbered.filter(([, { counterparty_id: id }]) => id === null), UNBOUND],
  ] as const) {
    if (some.length === 0) continue;
    for (const { nr, ...row } of await firstAndLast(tx, condition, some, keys)) found[nr] = row;
  }
  return found;
}

/** How the rows of a merchant are found, one index for each: those with its counterparty, or without one by its text. */
const BOUND = [sql`t.counterparty_id = w.counterparty_id`];
const UNBOUND = [
  sql`t.merchant_text_id = w.text_id and t.counterparty_id is null`,
  sql`t.name_text_id = w.text_id and t.merchant_text_id is null and t.counterparty_id is null`,
];

async function firstAndLast(
  tx: ReadTx,
  condition: RawBuilder<unknown>,
  groups: readonly (readonly [nr: number, group: MerchantGroup])[],
  keys: readonly RawBuilder<unknown>[],
): Promise<(MerchantRows & { nr: number })[]> {
  // A group has rows in both months, so each end is among the rows of one month.
  const wanted = groups.map(([nr, { counterparty_id, text_id, iso_currency_code, count, first_month, last_month }]) => [
    nr,
    counterparty_id,
    text_id,
    iso_currency_code,
    count === 1 ? 1 : 0,
    daysOfMonth(first_month).from,
    daysOfMonth(last_month).to,
  ]);
  const end = (way: RawBuilder<unknown>, days: RawBuilder<unknown>): RawBuilder<unknown> => {
    const parts = keys.map(
      (key) => sql`select * from (
        select t.id, t.date, t.date || coalesce(t.merchant_name, t.name) as dated_spelling from transactions t
        where ${key} and ${days} and t.iso_currency_code is not distinct from w.iso and ${condition}
        order by t.date ${way}, t.id ${way} limit 1) as found`,
    );
    return sql`(${sql.join(parts, sql` union all `)}) as either order by date ${way}, id ${way} limit 1`;
  };
  const query = sql`with w as materialized (${tx.portable.givenRows(wanted, WANTED)})
    select w.nr, case when w.is_one = 0 then (select date from ${end(sql`asc`, sql`t.date >= w.first_day`)}) end as first_date,
      (select dated_spelling from ${end(sql`desc`, sql`t.date <= w.last_day`)}) as last from w`;
  const { rows } = await sql<{ nr: number; first_date: DateOnly | null; last: string }>`
    ${tx.portable.forAnyValues(tx, query)}`.execute(tx.q);
  return rows.map(({ nr, first_date, last }) => ({
    nr,
    first_date: first_date ?? last.slice(0, DATE_CHARS),
    last_date: last.slice(0, DATE_CHARS),
    spelling: last.slice(DATE_CHARS),
  }));
}

const DATE_CHARS = 10;

const WANTED = {
  nr: 'bigint',
  counterparty_id: 'text',
  text_id: 'bigint',
  iso: 'text',
  is_one: 'bigint',
  first_day: 'text',
  last_day: 'text',
} as const;
