import type { ReadTx } from '../../db/unit-of-work.ts';
import { cutPage, fingerprintOf, invalidCursor, positionAfter, type Position } from '../../kernel/cursor.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { handleRead, JsonStream, JsonText } from '../handler.ts';
import { filterIdentity } from './filters/filter-identity.ts';
import {
  inPieces,
  orderedJson,
  orderedRows,
  readSort,
  selectOrderedPage,
  type SortOrder,
} from './pages/ordered-rows.queries.ts';
import { selectPage } from './pages/page.queries.ts';
import { parseFields, type FieldName } from './pages/record.queries.ts';
import { resolveFilters, type ResolvedFilters } from './filters/resolve-filters.ts';
import { listTransactions as operation } from './transactions.contract.ts';
import { transactionExists } from './transactions.queries.ts';

export const listTransactions = handleRead(operation, async ({ tx }, { query }) => {
  const { sort, order } = readSort(query, (key) => (key === 'name' ? 'asc' : 'desc'));
  const fields = parseFields(query.fields);
  const fingerprint = fingerprintOf({ ...(await filterIdentity(tx, query)), order });
  const position = await readPosition(tx, query.cursor, sort, fingerprint);
  const filters = await resolveFilters(tx, query, 'include');
  if (sort !== 'date') return sorted(tx, filters, { fields, sort, order, limit: query.limit });

  const limit = query.limit ?? LIMITS.pageDefault;
  const rows = await selectPage(tx, filters, { fields, order, position, count: limit + 1 });
  const { shown, end } = cutPage(rows, limit, fingerprint, ({ date, id }) => ({ key: date, id }));
  return new JsonText(envelope(shown.map((row) => row.json).join(','), end.next_cursor, end.has_more, limit));
});

async function readPosition(
  tx: ReadTx,
  cursor: string | undefined,
  sort: string,
  fingerprint: string,
): Promise<Position | null> {
  if (cursor !== undefined && sort !== 'date') {
    throw invalidCursor('A cursor works only with sort=date. Leave the cursor out, or sort by date.');
  }
  return positionAfter(cursor, fingerprint, (id) => transactionExists(tx, id));
}

function envelope(rows: string, nextCursor: string, hasMore: boolean, limit: number | null): string {
  return `{"transactions":[${rows}],"next_cursor":"${nextCursor}","has_more":${hasMore},"limit":${limit}}`;
}

interface SortedPage {
  fields: readonly FieldName[];
  sort: 'amount' | 'name';
  order: SortOrder;
  limit: number | undefined;
}

/** A page sorted by amount or name; streamed row by row if it has no limit. */
async function sorted(
  tx: ReadTx,
  filters: ResolvedFilters,
  { fields, sort, order, limit }: SortedPage,
): Promise<JsonText | JsonStream> {
  if (limit === undefined) {
    const rows = await orderedRows(tx, filters, sort, order);
    return new JsonStream(inPieces(wholeList(orderedJson(tx, rows, fields))));
  }
  const found = await selectOrderedPage(tx, filters, { fields, sort, order, position: null, count: limit + 1 });
  const shown = found.slice(0, limit).map(({ json }) => json);
  return new JsonText(envelope(shown.join(','), '', found.length > limit, limit));
}

async function* wholeList(rows: AsyncIterable<string>): AsyncGenerator<string> {
  let before = '{"transactions":[';
  for await (const json of rows) {
    yield before + json;
    before = ',';
  }
  yield `${before === ',' ? '' : before}],"next_cursor":"","has_more":false,"limit":null}`;
}
