import { sql, type RawBuilder } from 'kysely';

import type { ReadTx } from '../../db/unit-of-work.ts';
import { addDays, type DateOnly } from '../../kernel/dates.ts';
import type { ResolvedFilters } from './resolve-filters.ts';
import {
  countingCondition,
  countingRows,
  groupedRows,
  SUMS_OF_SUMS,
  TEXTS_INDEX,
  type CountingOptions,
  type SumTexts,
} from './totals.queries.ts';
import { exact, type Group } from './totals.ts';

/** Rows of one merchant: with the same counterparty, or without one and with the same folded merchant or name. */
export interface MerchantGroup extends Group {
  counterparty_id: string | null;
  /** The text of the merchant or name; null with a counterparty. */
  text_id: number | null;
  first_date: string;
  last_date: string;
}

interface WantedMerchants {
  minCount: number;
  /** Leaves out merchants with a row before this day that matches all filters but the dates. */
  newSince: DateOnly | undefined;
}

/** Every merchant with enough rows, in the order of the answer (contract 10.5.5), one by one. */
export async function* merchantGroups(
  tx: ReadTx,
  filters: ResolvedFilters,
  options: CountingOptions,
  { minCount, newSince }: WantedMerchants,
): AsyncGenerator<MerchantGroup> {
  const { ascNullsLast } = tx.portable;
  const textId = sql`case when counterparty_id is null then coalesce(merchant_text_id, name_text_id) end`;
  const finer = await finerGroups(tx, filters, options);
  const known = newSince === undefined ? null : await finerGroups(tx, upTo(filters, addDays(newSince, -1)), options);
  const groups = known
    ? sql`select finer.*, 0 as is_known from (${finer}) as finer
        union all select known.*, 1 as is_known from (${known}) as known`
    : finer;
  const isNew = known ? sql`max(is_known) = 0 and` : sql``;
  const merchants = sql`
    select counterparty_id, ${textId} as text_id, iso_currency_code, ${SUMS_OF_SUMS},
      min(first_date) as first_date, max(last_date) as last_date
    from (${groups}) as finer group by 1, 2, 3 having ${isNew} sum(count) >= ${minCount}`;
  const query = sql`
    select m.counterparty_id, m.text_id, m.iso_currency_code, m.count, m.first_date, m.last_date,
      cast(m.total as text) as total, cast(m.incoming as text) as incoming
    from (${merchants}) as m
    left join counterparties cp on cp.id = m.counterparty_id left join texts x on x.id = m.text_id
    order by ${ascNullsLast(sql`m.iso_currency_code`)}, m.total desc, m.count desc,
      coalesce(cp.name_folded, x.folded), ${ascNullsLast(sql`m.counterparty_id`)}`;
  for await (const row of tx.iterate(query.compile(tx.q))) {
    const { total, incoming, ...group } = row as unknown as Omit<MerchantGroup, 'total' | 'out'> & SumTexts;
    yield { ...group, ...exact(total, incoming) };
  }
}

/** Sums per name, merchant and counterparty, as the index on texts has them. */
async function finerGroups(
  tx: ReadTx,
  filters: ResolvedFilters,
  options: CountingOptions,
): Promise<RawBuilder<unknown>> {
  const dates = sql`, min(t.date) as first_date, max(t.date) as last_date`;
  return groupedRows(await countingRows(tx, filters, options, true), TEXTS_INDEX, dates);
}

function upTo(filters: ResolvedFilters, dateTo: DateOnly): ResolvedFilters {
  const earlier = { ...filters, dateTo };
  delete earlier.dateFrom;
  return earlier;
}

/** Groups per statement. */
const GROUPS_AT_ONCE = 500;

/** How the newest row of each group without a counterparty spells the merchant, by `spellingKey`. */
export async function newestSpellings(
  tx: ReadTx,
  filters: ResolvedFilters,
  options: CountingOptions,
  groups: readonly MerchantGroup[],
): Promise<Map<string, string>> {
  const unbound = groups.filter((group) => group.text_id !== null);
  const condition = await countingCondition(tx, filters, options, 'none');
  const found = new Map<string, string>();
  for (let start = 0; start < unbound.length; start += GROUPS_AT_ONCE) {
    const some = unbound.slice(start, start + GROUPS_AT_ONCE);
    for (const row of await spellings(tx, condition, some)) found.set(spellingKey(row), row.spelling);
  }
  return found;
}

export function spellingKey({ text_id, iso_currency_code }: Pick<MerchantGroup, 'text_id' | 'iso_currency_code'>) {
  return `${text_id} ${iso_currency_code ?? ''}`;
}

type Spelling = Pick<MerchantGroup, 'text_id' | 'iso_currency_code'> & { spelling: string };

/** The spellings of each group, from two indexes: rows with this merchant, and rows without one but with this name. */
async function spellings(
  tx: ReadTx,
  condition: RawBuilder<unknown>,
  groups: readonly MerchantGroup[],
): Promise<Spelling[]> {
  const wanted = groups.map(
    ({ text_id, iso_currency_code, last_date }) =>
      sql`(cast(${text_id} as bigint), cast(${iso_currency_code} as text), cast(${last_date} as text))`,
  );
  const date = sql`t.date`;
  const newest = (key: RawBuilder<unknown>, date: RawBuilder<unknown>): RawBuilder<unknown> => sql`
    select max(t.id) as id from transactions t where ${key} and ${date} = w.last_date and t.counterparty_id is null
      and t.iso_currency_code is not distinct from w.iso_currency_code and ${condition}`;
  const { rows } = await sql<Spelling>`
    with w (text_id, iso_currency_code, last_date) as (values ${sql.join(wanted)})
    select w.text_id, w.iso_currency_code, (
      select coalesce(merchant_name, name) from transactions where id = (
        select max(id) from (
          ${newest(sql`t.merchant_text_id = w.text_id`, date)}
          union all
          ${newest(sql`t.name_text_id = w.text_id and t.merchant_text_id is null`, tx.portable.unindexed(date))}
        ) as both_ways)) as spelling
    from w`.execute(tx.q);
  return rows;
}
