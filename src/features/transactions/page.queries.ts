import { sql, type RawBuilder } from 'kysely';

import type { ReadTx } from '../../db/unit-of-work.ts';
import type { Position } from '../../kernel/cursor.ts';
import { allOf, conditionsOf, type Condition } from './conditions.queries.ts';
import { MERGED_RANGES, mostSelectiveFilter, rangesOf } from './index-choice.queries.ts';
import { parseFields, RECORD_JOINS, recordJson, type FieldName } from './record.queries.ts';
import type { ResolvedFilters } from './resolve-filters.ts';
import { isExact, matchingParts, type SearchMatch } from './search.queries.ts';
import { countUpTo } from './transactions.queries.ts';
import { QUICK_FILTERS } from './filters.contract.ts';

interface PageRow {
  id: string;
  date: string;
  json: string;
}

/** This many ids with their dates are sorted in a few milliseconds. */
const SORTED_IDS = 20_000;

/** One page in date order, read in the cheapest of three ways: few candidates, merged index ranges, or a walk. */
export async function selectPage(
  tx: ReadTx,
  filters: ResolvedFilters,
  fields: readonly FieldName[],
  order: 'asc' | 'desc',
  position: Position | null,
  count: number,
): Promise<PageRow[]> {
  const way = order === 'asc' ? sql.raw('asc') : sql.raw('desc');
  const ordered = sql`order by t.date ${way}, t.id ${way} limit ${count}`;
  const conditions = conditionsOf(tx, filters, 'all');
  const after = position ? [afterPosition(position, order)] : [];
  const all = [...conditions.map((condition) => condition.sql), ...after];
  const ids = await pageIds(tx, filters, conditions, all, after, ordered);
  const { rows } = await sql<PageRow>`
    with page as materialized (${ids})
    select t.id, t.date, ${recordJson(tx, fields)} as json
    from page ${tx.portable.orderedJoin} transactions t on t.id = page.id ${sql.raw(RECORD_JOINS)}
    order by t.date ${way}, t.id ${way}`.execute(tx.q);
  return rows;
}

async function pageIds(
  tx: ReadTx,
  filters: ResolvedFilters,
  conditions: readonly Condition[],
  all: readonly RawBuilder<unknown>[],
  after: readonly RawBuilder<unknown>[],
  ordered: RawBuilder<unknown>,
): Promise<RawBuilder<unknown>> {
  const needsProbe = conditions.some((condition) => !isWalked(condition.filter, filters));
  if (needsProbe && isSearchAlone(conditions, filters)) {
    const found = matchingParts(tx, filters.match as SearchMatch);
    let count = 0;
    for (const part of found) count += await countUpTo(tx, SORTED_IDS + 1, part);
    if (count <= SORTED_IDS) {
      // The first rows of the union are among the first rows of its parts.
      const first = found.map((part) => sql`select * from (${part} ${andAll(after)} ${ordered}) as part`);
      return sql`select t.id, t.date from (${sql.join(first, sql` union `)}) as t ${ordered}`;
    }
  } else if (needsProbe) {
    const few = await mostSelectiveFilter(tx, filters);
    if (few) {
      return sql`with few as materialized (${few.ids}) select t.id, t.date from few
        ${tx.portable.orderedJoin} transactions t on t.id = few.id where ${allOf(all)} ${ordered}`;
    }
  }
  const walked = conditionsOf(tx, filters, 'date');
  const ranges = rangesOf(filters);
  if (!ranges) {
    const where = allOf([...walked.map((condition) => condition.sql), ...after]);
    return sql`select t.id, t.date from transactions t where ${where} ${ordered}`;
  }
  const others = walked.filter((condition) => condition.filter !== ranges.filter).map((condition) => condition.sql);
  const parts = ranges.values.map(
    (value) => sql`select * from (select t.id, t.date from transactions t
      where ${sql.ref(`t.${ranges.column}`)} = ${value} and ${allOf([...others, ...after])} ${ordered}) as part`,
  );
  return sql`select t.id, t.date from (${sql.join(parts, sql` union all `)}) as t ${ordered}`;
}

/** Whether there is a search and no other filter: the indexes on texts have date and id, so no row is fetched. */
function isSearchAlone(conditions: readonly Condition[], filters: ResolvedFilters): boolean {
  if (!filters.match || filters.deleted || !isExact(filters.match)) return false;
  return conditions.every(({ filter }) => filter === 'match' || filter === 'deleted');
}

/** Whether a walk in date order is enough to answer a filter. */
function isWalked(filter: keyof ResolvedFilters, filters: ResolvedFilters): boolean {
  const by = filter in QUICK_FILTERS ? QUICK_FILTERS[filter as keyof typeof QUICK_FILTERS].by : null;
  if (by !== 'ranges') return by === 'walk';
  const values = filters[filter] as readonly string[] | undefined;
  return (values?.length ?? 0) <= MERGED_RANGES;
}

function andAll(conditions: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  return conditions.length === 0 ? sql`` : sql`and ${allOf(conditions)}`;
}

function afterPosition({ key, id }: Position, order: 'asc' | 'desc'): RawBuilder<unknown> {
  return order === 'asc' ? sql`(t.date, t.id) > (${key}, ${id})` : sql`(t.date, t.id) < (${key}, ${id})`;
}

/** The newest live transactions of an account as JSON texts of full records, date then id descending. */
export async function recentTransactionsJson(tx: ReadTx, accountId: string, count: number): Promise<string[]> {
  const filters = { deleted: false, accountIds: [accountId] };
  const rows = await selectPage(tx, filters, parseFields(undefined), 'desc', null, count);
  return rows.map((row) => row.json);
}
