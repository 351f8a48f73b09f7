import { sql, type RawBuilder } from 'kysely';

import type { ReadTx } from '../../db/unit-of-work.ts';
import { decodeCursor, encodeCursor, fingerprintOf, invalidCursor, type Position } from '../../kernel/cursor.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { handleRead, JsonStream, JsonText } from '../handler.ts';
import { allOf, conditionsOf, type Condition } from './conditions.ts';
import { MERGED_RANGES, rangesOf } from './date-ranges.ts';
import { FILTER_NAMES, type TransactionFilters } from './filters.contract.ts';
import { narrowest } from './narrowest.ts';
import { orderedJson, orderedRows } from './ordered-rows.ts';
import { inPieces } from './pieces.ts';
import { parseFields, recordJson, RECORD_JOINS, type FieldName } from './record.ts';
import { resolveFilters, type ResolvedFilters } from './resolve-filters.ts';
import { isExact, matchingParts, type SearchMatch } from './search.ts';
import { readSort, type SortOrder } from './sorting.ts';
import { listTransactions as operation } from './transactions.contract.ts';
import { countUpTo, transactionExists } from './transactions.queries.ts';

interface PageRow {
  id: string;
  date: string;
  json: string;
}

/** So many ids with their dates are sorted in a few milliseconds. */
const SORTED_IDS = 20_000;

export const listTransactions = handleRead(operation, async ({ tx }, { query }) => {
  const { sort, order } = readSort(query, (key) => (key === 'name' ? 'asc' : 'desc'));
  const fields = parseFields(query.fields);
  const fingerprint = fingerprintOf({ ...pick(query), order });
  const position = await readPosition(tx, query.cursor, sort, fingerprint);
  const filters = await resolveFilters(tx, query, 'include');
  if (sort !== 'date') return sorted(tx, filters, fields, sort, order, query.limit);

  const limit = query.limit ?? LIMITS.pageDefault;
  const rows = await selectPage(tx, filters, fields, order, position, limit + 1);
  const hasMore = rows.length > limit;
  const shown = hasMore ? rows.slice(0, limit) : rows;
  const last = shown.at(-1);
  const next = hasMore && last ? encodeCursor(fingerprint, { key: last.date, id: last.id }) : '';
  return new JsonText(envelope(shown.map((row) => row.json).join(','), next, hasMore, limit));
});

function pick(query: TransactionFilters): Record<string, unknown> {
  return Object.fromEntries(FILTER_NAMES.map((name) => [name, query[name]]));
}

async function readPosition(
  tx: ReadTx,
  cursor: string | undefined,
  sort: string,
  fingerprint: string,
): Promise<Position | null> {
  if (cursor === undefined) return null;
  if (sort !== 'date') throw invalidCursor('A cursor works with the date order only.');
  const position = decodeCursor(cursor, fingerprint);
  if (!(await transactionExists(tx, position.id))) {
    throw invalidCursor('The row that the cursor points at is gone. Start again from the first page.');
  }
  return position;
}

/** One page in date order, by the cheapest of three ways: few candidates, merged index ranges, or a walk. */
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
  const needsProbe = conditions.some((condition) => !isQuick(condition.filter, filters));
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
    const few = await narrowest(tx, filters);
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

/** A search and nothing else: the indexes on texts carry date and id, so no row is fetched to find the page. */
function isSearchAlone(conditions: readonly Condition[], filters: ResolvedFilters): boolean {
  if (!filters.match || filters.deleted || !isExact(filters.match)) return false;
  return conditions.every(({ filter }) => filter === 'match' || filter === 'deleted');
}

/** Filters that an index in date order answers by itself. */
function isQuick(filter: keyof ResolvedFilters, filters: ResolvedFilters): boolean {
  if (filter === 'dateFrom' || filter === 'dateTo') return true;
  if (filter === 'deleted') return true;
  if (filter === 'accountIds') return (filters.accountIds?.length ?? 0) <= MERGED_RANGES;
  if (filter === 'categoryIds') return (filters.categoryIds?.length ?? 0) <= MERGED_RANGES;
  return false;
}

function andAll(conditions: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  return conditions.length === 0 ? sql`` : sql`and ${allOf(conditions)}`;
}

function afterPosition({ key, id }: Position, order: 'asc' | 'desc'): RawBuilder<unknown> {
  return order === 'asc' ? sql`(t.date, t.id) > (${key}, ${id})` : sql`(t.date, t.id) < (${key}, ${id})`;
}

function envelope(rows: string, nextCursor: string, hasMore: boolean, limit: number | null): string {
  return `{"transactions":[${rows}],"next_cursor":"${nextCursor}","has_more":${hasMore},"limit":${limit}}`;
}

/** By amount or name: one answer, streamed row by row when it has no limit. */
async function sorted(
  tx: ReadTx,
  filters: ResolvedFilters,
  fields: readonly FieldName[],
  sort: 'amount' | 'name',
  order: SortOrder,
  limit: number | undefined,
): Promise<JsonText | JsonStream> {
  const rows = await orderedRows(tx, filters, sort, order);
  if (limit === undefined) return new JsonStream(inPieces(wholeList(orderedJson(tx, rows, fields))));
  const ids = sql`select t.id from ${rows.source} where ${rows.where} order by ${rows.by} limit ${limit + 1}`;
  const names = sort === 'amount' ? sql`` : sql`join texts n on n.id = t.name_text_id`;
  const found = await sql<{ json: string }>`select ${recordJson(tx, fields)} as json
    from (${ids}) as chosen ${tx.portable.orderedJoin} transactions t on t.id = chosen.id
    ${names} ${sql.raw(RECORD_JOINS)} order by ${rows.by}`.execute(tx.q);
  const shown = found.rows.slice(0, limit).map((row) => row.json);
  return new JsonText(envelope(shown.join(','), '', found.rows.length > limit, limit));
}

async function* wholeList(rows: AsyncIterable<string>): AsyncGenerator<string> {
  let before = '{"transactions":[';
  for await (const json of rows) {
    yield before + json;
    before = ',';
  }
  yield `${before === ',' ? '' : before}],"next_cursor":"","has_more":false,"limit":null}`;
}
