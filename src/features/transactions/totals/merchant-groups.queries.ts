import { sql, type RawBuilder } from 'kysely';

import type { ReadTx } from '../../../db/unit-of-work.ts';
import { addDays, type DateOnly } from '../../../kernel/dates.ts';
import {
  columnsOf,
  countingCondition,
  partsOf,
  sumsOf,
  SUMS_OF_SUMS,
  type CountingOptions,
  type Grouping,
} from './counted-parts.queries.ts';
import type { ResolvedFilters } from '../filters/resolve-filters.ts';
import { exact, type Group } from './totals.ts';
import { daysOfMonth } from './whole-months.ts';

/**
 * Rows of one merchant: with the same counterparty, or without one and with the same folded merchant or name. If that is
 * the name of a counterparty, they are its rows, too.
 */
export interface MerchantGroup extends Group {
  counterparty_id: string | null;
  /** The text of the merchant or name; null with a counterparty. */
  text_id: number | null;
  /** YYYY-MM of its first and last row. */
  first_month: string;
  last_month: string;
}

/** What the sums do not say of a merchant. */
export interface MerchantLook {
  counterparty: { name: string; short_id: string; logo_url: string | null } | null;
  first_date: DateOnly;
  last_date: DateOnly;
  /** How the newest row spells it. */
  spelling: string;
}

/**
 * Of `transactions t` without a counterparty, the counterparty whose name is the text of the row (contract 10.5.5): that
 * of one merged into another stands for its target.
 */
export const MERCHANTS_BY_NAME = sql`left join counterparties named on t.counterparty_id is null
  and named.name_text_id = coalesce(t.merchant_text_id, t.name_text_id)`;

/** What makes rows those of one merchant, as text: a counterparty, otherwise the text of merchant or name. */
export const MERCHANT_KEY = sql`coalesce(t.counterparty_id, named.canonical_counterparty_id, named.id,
  cast(coalesce(t.merchant_text_id, t.name_text_id) as text))`;

interface WantedMerchants {
  minCount: number;
  /** Leaves out merchants with a row before this day that matches all filters but the dates. */
  newSince: DateOnly | undefined;
  limit: number;
  limitIs: LimitKind;
}

/** How many are found: in all, the first currencies first, or of each currency. */
export type LimitKind = 'in all' | 'of each currency';

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
  return sql`select coalesce(p.counterparty_id, named.canonical_counterparty_id, named.id) as counterparty_id,
      case when named.id is null then p.text_id end as text_id, p.iso_currency_code,
      ${SUMS_OF_SUMS}, min(first_month) as first_month, max(last_month) as last_month
    from (${sql.join(groups, sql` union all `)}) as p left join counterparties named on named.name_text_id = p.text_id
    group by 1, 2, 3 having max(is_known) = 0 and sum(count) >= ${minCount}`;
}

async function allParts(
  tx: ReadTx,
  filters: ResolvedFilters,
  options: CountingOptions,
  isKnown: 0 | 1,
): Promise<RawBuilder<unknown>[]> {
  const parts: RawBuilder<unknown>[] = [];
  for (const part of await partsOf(tx, filters, options, KEY)) {
    const sums = await sumsOf(tx, part, options, KEY, { isDated: true });
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

/** The counterparty, first and last row of each group, in the order of the groups. */
export async function looksOfMerchants(
  tx: ReadTx,
  filters: ResolvedFilters,
  options: CountingOptions,
  groups: readonly MerchantGroup[],
): Promise<MerchantLook[]> {
  const condition = countingCondition(tx, filters, options, 'none');
  const wanted = await keysOfGroups(tx, groups);
  const end = (what: RawBuilder<unknown>, days: RawBuilder<unknown>, way: RawBuilder<unknown>): RawBuilder<unknown>[] =>
    KEYS.map(
      (key) => sql`(select ${what} from transactions t
        where ${key} and ${days} and t.iso_currency_code is not distinct from w.iso and ${condition}
        order by t.date ${way}, t.id ${way} limit 1)`,
    );
  const [first, ...orFirst] = end(sql`t.date`, sql`t.date >= w.first_day`, sql`asc`);
  const [last, ...orLast] = end(DATED_SPELLING, sql`t.date <= w.last_day`, sql`desc`);
  // Only a key without a counterparty has texts, and may have both a first row of each.
  const query = sql`with w as materialized (${tx.portable.givenRows(wanted, WANTED)})
    select w.nr, cp.name, cp.short_id, cp.logo_url, coalesce(${first}, ${orFirst[0]}) as first_1, ${orFirst[1]} as first_2,
      coalesce(${last}, ${orLast[0]}) as last_1, ${orLast[1]} as last_2
    from w left join counterparties cp on cp.id = w.counterparty_id`;
  const rows = (await tx.values(tx.portable.forAnyValues(tx, query).compile(tx.q))) as unknown as readonly LookRow[];
  const found = Map.groupBy(rows, ([nr]) => nr);
  return groups.map((_group, nr) => toLook(found.get(nr) ?? []));
}

/** What the rows of each group are found by: its counterparty and the texts of its names, or its own text. */
async function keysOfGroups(tx: ReadTx, groups: readonly MerchantGroup[]): Promise<(string | number | null)[][]> {
  const texts = await textsNaming(
    tx,
    groups.flatMap(({ counterparty_id: id }) => id ?? []),
  );
  return groups.flatMap(
    ({ counterparty_id: id, text_id: text, iso_currency_code, count, first_month, last_month }, nr) => {
      const first = daysOfMonth(first_month).from;
      const last = daysOfMonth(last_month).to;
      // A group has rows in both months, so each end is among the rows of one month. No row is after null: one is found once.
      const days = [iso_currency_code, count === 1 ? null : first, last];
      const ofText = (one: number): (string | number | null)[] => [nr, null, one, ...days];
      if (id === null) return [ofText(text as number)];
      return [[nr, id, null, ...days], ...(texts.get(id) ?? []).map(ofText)];
    },
  );
}

/** The texts of the names of counterparties, and of those merged into them. */
async function textsNaming(tx: ReadTx, ids: readonly string[]): Promise<Map<string, number[]>> {
  const { portable } = tx;
  const { rows } = await sql<{ id: string; text_id: number }>`
    select coalesce(canonical_counterparty_id, id) as id, name_text_id as text_id from counterparties
    where ${portable.inList(sql.ref('id'), ids)} or ${portable.inList(sql.ref('canonical_counterparty_id'), ids)}`.execute(
    tx.q,
  );
  const found = Map.groupBy(rows, ({ id }) => id);
  return new Map([...found].map(([id, names]) => [id, names.map(({ text_id: text }) => text)]));
}

/** How the rows of a merchant are found, one index for each: those with its counterparty, or without one by its text. */
const KEYS = [
  sql`t.counterparty_id = w.counterparty_id`,
  sql`t.merchant_text_id = w.text_id and t.counterparty_id is null`,
  sql`t.name_text_id = w.text_id and t.merchant_text_id is null and t.counterparty_id is null`,
];

const WANTED = {
  nr: 'bigint',
  counterparty_id: 'text',
  text_id: 'bigint',
  iso: 'text',
  first_day: 'text',
  last_day: 'text',
} as const;

/** In the order of the rows. */
const DATED_SPELLING = sql`t.date || t.id || coalesce(t.merchant_name, t.name)`;
const DATE_CHARS = 10;
const UUID_CHARS = 36;

type LookRow = readonly [
  nr: number,
  name: string | null,
  short_id: string | null,
  logo_url: string | null,
  first_1: DateOnly | null,
  first_2: DateOnly | null,
  last_1: string | null,
  last_2: string | null,
];

/** @param rows one for each key of the merchant; that with its counterparty has the name */
function toLook(rows: readonly LookRow[]): MerchantLook {
  const [[, name, shortId, logo]] = rows as readonly [LookRow];
  const firsts = rows.flatMap((row) => row.slice(4, 6) as (string | null)[]).filter((one) => one !== null);
  const lasts = rows.flatMap((row) => row.slice(6) as (string | null)[]).filter((one) => one !== null);
  const last = lasts.reduce((newest, one) => (one > newest ? one : newest), '');
  const lastDate = last.slice(0, DATE_CHARS);
  return {
    counterparty: name === null || shortId === null ? null : { name, short_id: shortId, logo_url: logo },
    first_date: firsts.reduce((oldest, one) => (one < oldest ? one : oldest), lastDate),
    last_date: lastDate,
    spelling: last.slice(DATE_CHARS + UUID_CHARS),
  };
}
