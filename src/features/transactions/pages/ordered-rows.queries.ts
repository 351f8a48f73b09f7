import { sql, type RawBuilder } from 'kysely';

import type { ReadTx } from '../../../db/unit-of-work.ts';
import { invalidCursor, wholeNumber, type Position } from '../../../kernel/cursor.ts';
import { invalidParameter } from '../../../kernel/errors.ts';
import { allOf, conditionsOf } from '../filters/conditions.queries.ts';
import { mostSelectiveFilter, rangesOf, rowsFrom } from '../filters/index-choice.queries.ts';
import { RECORD_JOINS, recordJson, type FieldName } from './record.queries.ts';
import type { ResolvedFilters } from '../filters/resolve-filters.ts';

/** The matching rows of `transactions t` as parts of a query, read in the wanted order by an index. */
interface OrderedRows {
  source: RawBuilder<unknown>;
  where: RawBuilder<unknown>;
  /** The sort key, then id, both in the chosen direction. */
  by: RawBuilder<unknown>;
  /** Whether `by` refers to `texts n`, which the source joins. */
  needsNames: boolean;
}

export async function orderedRows(
  tx: ReadTx,
  filters: ResolvedFilters,
  sort: SortKey,
  order: SortOrder,
): Promise<OrderedRows> {
  const way = sql.raw(order);
  const by = (key: RawBuilder<unknown>): RawBuilder<unknown> => sql`${key} ${way}, t.id ${way}`;
  const where = (indexing: 'all' | 'none'): RawBuilder<unknown> =>
    allOf(conditionsOf(tx, filters, indexing).map((condition) => condition.sql));
  if (sort === 'amount') {
    return { source: sql`transactions t`, where: where('all'), by: by(sql`t.amount_cents`), needsNames: false };
  }
  if (sort === 'name') {
    const source = sql`texts n ${tx.portable.orderedJoin} transactions t on t.name_text_id = n.id`;
    return { source, where: where('none'), by: by(sql`n.folded`), needsNames: true };
  }
  const few = await mostSelectiveFilter(tx, filters);
  if (few) {
    return { source: rowsFrom(tx, few), where: where('all'), by: by(sql`t.date`), needsNames: false };
  }
  return { source: sql`transactions t`, where: alongDates(tx, filters), by: by(sql`t.date`), needsNames: false };
}

/** A walk along the dates: of one account or category if the filters ask for one, otherwise of all rows. */
function alongDates(tx: ReadTx, filters: ResolvedFilters): RawBuilder<unknown> {
  const ranges = rangesOf(filters);
  const [only, ...others] = ranges?.values ?? [];
  return allOf(
    conditionsOf(tx, filters, 'date').map((condition) =>
      condition.filter === ranges?.filter && others.length === 0
        ? sql`${sql.ref(`t.${ranges.column}`)} = ${only}`
        : condition.sql,
    ),
  );
}

/** The JSON texts of all these rows one by one, so that memory stays flat. */
export async function* orderedJson(
  tx: ReadTx,
  { source, where, by }: OrderedRows,
  fields: readonly FieldName[],
): AsyncGenerator<string> {
  const query = sql<{ json: string }>`select ${recordJson(tx, fields)} as json
    from ${source} ${sql.raw(RECORD_JOINS)} where ${where} order by ${by}`;
  for await (const { json } of tx.iterate(query.compile(tx.q))) yield json;
}

interface OrderedRow {
  id: string;
  /** What a cursor keeps of the sort key: the amount in cents, or the id of the text of the name. */
  key: string;
  json: string;
}

interface WantedPage {
  fields: readonly FieldName[];
  sort: 'amount' | 'name';
  order: SortOrder;
  /** The page begins after it; null for the first one. */
  position: Position | null;
  count: number;
}

/** One page by amount or name. Its ids are found before any record is built. */
export async function selectOrderedPage(
  tx: ReadTx,
  filters: ResolvedFilters,
  { fields, sort, order, position, count }: WantedPage,
): Promise<OrderedRow[]> {
  const { source, where, by, needsNames } = await orderedRows(tx, filters, sort, order);
  const after = position ? sql`and ${await afterOrdered(tx, sort, order, position)}` : sql``;
  const key = sql.ref(sort === 'amount' ? 't.amount_cents' : 't.name_text_id');
  const ids = sql`select t.id from ${source} where ${where} ${after} order by ${by} limit ${count}`;
  const names = needsNames ? sql`join texts n on n.id = t.name_text_id` : sql``;
  const { rows } = await sql<OrderedRow>`select t.id, cast(${key} as text) as key, ${recordJson(tx, fields)} as json
    from (${ids}) as chosen ${tx.portable.orderedJoin} transactions t on t.id = chosen.id
    ${names} ${sql.raw(RECORD_JOINS)} order by ${by}`.execute(tx.q);
  return rows;
}

/** @throws INVALID_CURSOR for a position that no cursor of ours has, or whose name has gone with its last row */
async function afterOrdered(
  tx: ReadTx,
  sort: 'amount' | 'name',
  order: SortOrder,
  { key, id }: Position,
): Promise<RawBuilder<unknown>> {
  const number = wholeNumber(key);
  const text = sort === 'amount' ? undefined : await findFolded(tx, number);
  if (sort === 'name' && text === undefined) {
    throw invalidCursor('The row that the cursor points to no longer exists. Start again from the first page.');
  }
  const column = sql.ref(sort === 'amount' ? 't.amount_cents' : 'n.folded');
  const value = text ?? number;
  // The first comparison says by itself what the second implies, because only it can use the index of the key.
  return order === 'asc'
    ? sql`${column} >= ${value} and (${column}, t.id) > (${value}, ${id})`
    : sql`${column} <= ${value} and (${column}, t.id) < (${value}, ${id})`;
}

async function findFolded(tx: ReadTx, textId: number): Promise<string | undefined> {
  return (await tx.q.selectFrom('texts').select('folded').where('id', '=', textId).executeTakeFirst())?.folded;
}

export type SortKey = 'date' | 'amount' | 'name';
export type SortOrder = 'asc' | 'desc';

interface SortControls {
  sort?: SortKey | undefined;
  sort_by?: SortKey | undefined;
  order?: SortOrder | undefined;
  sort_order?: SortOrder | undefined;
}

/** @throws INVALID_PARAMETER for a parameter together with its synonym */
export function readSort(
  query: SortControls,
  defaultOrder: (sort: SortKey) => SortOrder,
): { sort: SortKey; order: SortOrder } {
  if (query.sort !== undefined && query.sort_by !== undefined) {
    throw invalidParameter('sort_by', 'sort and sort_by are the same. Send only one of them.');
  }
  if (query.order !== undefined && query.sort_order !== undefined) {
    throw invalidParameter('sort_order', 'order and sort_order are the same. Send only one of them.');
  }
  const sort = query.sort ?? query.sort_by ?? 'date';
  return { sort, order: query.order ?? query.sort_order ?? defaultOrder(sort) };
}

const PIECE_CHARS = 65_536;

/** Joins small texts into pieces that are worth sending. */
export async function* inPieces(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let piece = '';
  for await (const text of texts) {
    piece += text;
    if (piece.length < PIECE_CHARS) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}
