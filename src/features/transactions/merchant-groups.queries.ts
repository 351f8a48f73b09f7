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
import type { SumTexts } from './totals.queries.ts';
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
}

const KEY: readonly Grouping[] = ['counterparty_id', 'text_id', 'iso_currency_code'];

/** Every merchant with enough rows, in the order of the answer (contract 10.5.5), one by one. */
export async function* merchantGroups(
  tx: ReadTx,
  filters: ResolvedFilters,
  options: CountingOptions,
  { minCount, newSince }: WantedMerchants,
): AsyncGenerator<MerchantGroup> {
  const { ascNullsLast } = tx.portable;
  const groups = await allParts(tx, filters, options, 0);
  if (newSince !== undefined) groups.push(...(await allParts(tx, upTo(filters, addDays(newSince, -1)), options, 1)));
  const [only] = groups;
  const merchants =
    only && groups.length === 1
      ? sql`select * from (${only}) as part where count >= ${minCount}`
      : sql`select ${columnsOf(KEY)}, ${SUMS_OF_SUMS}, min(first_month) as first_month, max(last_month) as last_month
          from (${sql.join(groups, sql` union all `)}) as parts group by 1, 2, 3
          having max(is_known) = 0 and sum(count) >= ${minCount}`;
  const query = sql`
    select m.counterparty_id, m.text_id, m.iso_currency_code, m.count, m.first_month, m.last_month,
      cast(m.total as text) as total, cast(m.incoming as text) as incoming
    from (${merchants}) as m
    left join counterparties cp on cp.id = m.counterparty_id left join texts x on x.id = m.text_id
    order by ${ascNullsLast(sql`m.iso_currency_code`)}, m.total desc, m.count desc,
      coalesce(cp.name_folded, x.folded), ${ascNullsLast(sql`m.counterparty_id`)}`;
  for await (const row of tx.iterate(query.compile(tx.q))) {
    const group = row as unknown as MerchantGroup & SumTexts;
    yield Object.assign(group, exact(group.total, group.incoming));
  }
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
  const wanted = groups.map(([nr, { counterparty_id, text_id, iso_currency_code, first_month, last_month }]) => [
    nr,
    counterparty_id,
    text_id,
    iso_currency_code,
    daysOfMonth(first_month).from,
    daysOfMonth(last_month).to,
  ]);
  const end = (way: RawBuilder<unknown>, days: RawBuilder<unknown>): RawBuilder<unknown> => {
    const parts = keys.map(
      (key) => sql`select * from (select t.id, t.date from transactions t where ${key} and ${days}
        and t.iso_currency_code is not distinct from w.iso and ${condition}
        order by t.date ${way}, t.id ${way} limit 1) as found`,
    );
    return sql`(${sql.join(parts, sql` union all `)}) as either order by date ${way}, id ${way} limit 1`;
  };
  const { rows } = await sql<MerchantRows & { nr: number }>`
    with w as materialized (${tx.portable.givenRows(wanted, WANTED)}),
    ends as materialized (
      select w.nr, (select date from ${end(sql`asc`, sql`t.date >= w.first_day`)}) as first_date,
        (select id from ${end(sql`desc`, sql`t.date <= w.last_day`)}) as last_id from w)
    select ends.nr, ends.first_date, l.date as last_date, coalesce(l.merchant_name, l.name) as spelling
    from ends ${tx.portable.orderedJoin} transactions l on l.id = ends.last_id`.execute(tx.q);
  return rows;
}

const WANTED = {
  nr: 'bigint',
  counterparty_id: 'text',
  text_id: 'bigint',
  iso: 'text',
  first_day: 'text',
  last_day: 'text',
} as const;
