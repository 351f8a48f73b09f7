import { sql, type RawBuilder } from 'kysely';

import type { ReadTx } from '../../../db/unit-of-work.ts';
import { LIMITS } from '../../../kernel/limits.ts';
import { carriersOf, type SearchMatch } from '../filters/search.queries.ts';

/** What a page wants of the rows that match. */
interface Wanted {
  /** Conditions on `transactions t` besides that it has one of the texts. */
  where: readonly RawBuilder<unknown>[];
  order: 'asc' | 'desc';
  count: number;
}

/** The index ranges of several values of one column, each in the order of the dates. */
interface Ranges {
  column: string;
  values: readonly (string | number)[];
}

/** A row as date and id, which sort as the page does, and the column and value in whose range it was found. */
interface Found {
  key: string;
  range: string;
}

const DATE_CHARS = 10;

/**
 * The ids of the first rows that match. All ranges are merged step by step: the first few rows of each show which
 * ranges reach into the page, and only these are read further. So it costs little whether a text has many rows, or many
 * texts have few.
 */
export async function firstMatches(tx: ReadTx, match: SearchMatch, wanted: Wanted): Promise<string[]> {
  const { count, order } = wanted;
  const before = order === 'asc' ? (a: string, b: string) => a < b : (a: string, b: string) => a > b;
  let ranges = await rangesOf(tx, match);
  let first: string[] = [];
  let depth = 0;
  while (ranges.length > 0 && depth < count) {
    const size = ranges.reduce((sum, { values }) => sum + values.length, 0);
    depth = Math.min(count, Math.max(depth + 1, Math.floor(LIMITS.searchRowsMerged / size)));
    const found = await startsOf(tx, ranges, depth, wanted);
    const keys = new Set([...first, ...found.map(({ key }) => key)]);
    first = [...keys].sort((a, b) => (before(a, b) ? -1 : 1)).slice(0, count);
    const last = first.length < count ? undefined : first.at(-1);
    const inPage = last === undefined ? found : found.filter(({ key }) => !before(last, key));
    ranges = unfinished(ranges, inPage, depth);
  }
  return first.map((key) => key.slice(DATE_CHARS));
}

async function rangesOf(tx: ReadTx, match: SearchMatch): Promise<Ranges[]> {
  const ranges: Ranges[] = [];
  for (const { column, values } of carriersOf(tx, match)) {
    const listed = 'execute' in values ? (await values.execute(tx.q)).rows.map(({ id }) => id) : values;
    if (listed.length > 0) ranges.push({ column, values: listed });
  }
  return ranges;
}

/** The first `depth` rows of each range, as far as they can be among the first of all. */
async function startsOf(tx: ReadTx, ranges: readonly Ranges[], depth: number, wanted: Wanted): Promise<Found[]> {
  const { portable } = tx;
  const way = sql.raw(wanted.order);
  const starts = ranges.map(({ column, values }) => {
    const name = sql.raw(`t.${column}`);
    const all = [sql`${name} = v.value`, sql`${name} is not null`, sql`t.deleted_at is null`, ...wanted.where];
    const start = sql`select t.date || t.id as value from transactions t where ${sql.join(all, sql` and `)}
      order by t.date ${way}, t.id ${way} limit ${depth}`;
    return sql`select * from (select ${sql.lit(`${column} `)} || v.value as "range", e.value as key
      from ${portable.forEach(portable.listed(values), start)} order by e.value ${way} limit ${wanted.count}) as part`;
  });
  const all = portable.forAnyValues(tx, sql`${sql.join(starts, sql` union all `)}`);
  return (await sql<Found>`${all}`.execute(tx.q)).rows;
}

/** The ranges all of whose rows so far are in the page, which may have more of them. */
function unfinished(ranges: readonly Ranges[], inPage: readonly Found[], depth: number): Ranges[] {
  const counts = new Map<string, number>();
  for (const { range } of inPage) counts.set(range, (counts.get(range) ?? 0) + 1);
  return ranges
    .map(({ column, values }) => ({
      column,
      values: values.filter((value) => (counts.get(`${column} ${value}`) ?? 0) >= depth),
    }))
    .filter(({ values }) => values.length > 0);
}
