import { useQueries, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';

import type { CallOf, OutputOf } from '../../../src/contract/operation.ts';
import { listTransactions } from '../../../src/features/transactions/transactions.contract.ts';
import { ConnectionLost } from '../../api/client.ts';
import { keyOf, queryOptions, useApiQuery } from '../../api/queries.ts';
import type { TransactionRecord } from '../../components/transaction/transaction-row.tsx';
import { queryOf, within, type Filters } from './filters.ts';
import { AS_READ } from './list-queries.ts';
import { piecesOf, type Period, type Piece, type Stretch } from './months.ts';
import { PIECE_ROWS } from './piece-rows.ts';

type Page = OutputOf<typeof listTransactions>;
type PageInput = CallOf<typeof listTransactions>;

/** The row at a place; undefined while it has not been read. */
export type RowAt = (index: number) => TransactionRecord | undefined;

interface Wanted {
  filters: Filters;
  stretch: Stretch;
  days: readonly Period[] | undefined;
  /** The rows of the list from its start, as far as its first page goes. */
  first: readonly TransactionRecord[];
  /** Where the stretch begins in the list. */
  offset: number;
  /** Rows of the stretch that are near what is on screen. */
  from: number;
  to: number;
}

/**
 * The rows of a stretch: those near what is on screen are read, in pieces that begin with a day, so that any place can be
 * read without what comes before it. A row that is not there yet is undefined.
 */
export function useRows({ filters, stretch, days, first, offset, from, to }: Wanted) {
  const client = useQueryClient();
  const known = Math.max(0, Math.min(stretch.count, first.length - offset));
  // Its newest rows come while its days are counted.
  const isHeadNeeded = known < Math.min(PIECE_ROWS, stretch.count);
  const head = useApiQuery(listTransactions, pageOf(filters, stretch), { ...AS_READ, enabled: isHeadNeeded });
  // What is not asked for is not read again after a write, either.
  const headRows = isHeadNeeded ? head.data?.transactions : undefined;
  const covered = Math.max(known, headRows?.length ?? 0);
  const pieces = useMemo(() => (days && stretch.count > PIECE_ROWS ? piecesOf(days) : []), [days, stretch.count]);
  const cached: Cached = (input) => client.getQueryData<Page>(keyOf(listTransactions, input));
  const wanted = pieces.filter((one) => one.start < to && one.start + one.count > Math.max(from, covered));
  const read = useQueries({
    queries: wanted.map((piece) => ({
      ...queryOptions(listTransactions, nextCall(filters, piece, cached)),
      ...AS_READ,
    })),
  });
  const pages = new Map<Piece, Page | undefined>();
  const pageWith = (index: number): [Piece, Page | undefined] | undefined => {
    const piece = pieces[lastAtOrBefore(pieces, index)];
    if (!piece) return undefined;
    if (!pages.has(piece)) pages.set(piece, cachedPage(filters, piece, cached));
    return [piece, pages.get(piece)];
  };
  const rowAt: RowAt = (index) => {
    const [piece, page] = pageWith(index) ?? [];
    return (piece && page?.transactions[index - piece.start]) ?? headRows?.[index] ?? first[offset + index];
  };
  const failed = [head, ...read].find(({ error }) => error !== null && !(error instanceof ConnectionLost));
  return { rowAt, failed };
}

/** Pieces are in order of where they begin. */
function lastAtOrBefore(pieces: readonly Piece[], index: number): number {
  let [low, high] = [-1, pieces.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((pieces[middle] as Piece).start <= index) low = middle;
    else high = middle - 1;
  }
  return low;
}

function pageOf(filters: Filters, { from, to }: { from: string; to: string }, cursor?: string): PageInput {
  return { query: queryOf(within(filters, from, to), { limit: String(PIECE_ROWS), cursor }) };
}

type Cached = (input: PageInput) => Page | undefined;

/** What is to be read for a piece: itself, or the first page of its day whose cursor leads on to it. */
function nextCall(filters: Filters, piece: Piece, cached: Cached): PageInput {
  let call = pageOf(filters, piece);
  for (let page = 0; page < piece.page; page++) {
    const cursor = cached(call)?.next_cursor ?? '';
    if (cursor === '') break;
    call = pageOf(filters, piece, cursor);
  }
  return call;
}

function cachedPage(filters: Filters, piece: Piece, cached: Cached): Page | undefined {
  let page = cached(pageOf(filters, piece));
  for (let at = 0; at < piece.page && page !== undefined; at++) {
    page = page.next_cursor === '' ? undefined : cached(pageOf(filters, piece, page.next_cursor));
  }
  return page;
}
