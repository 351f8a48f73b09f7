import type { UseQueryResult } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { z } from 'zod';

import type { CallOf, OutputOf } from '../../src/contract/operation.ts';
import { useHistoryState } from '../lib/history-state.ts';
import { ApiError } from './client.ts';
import { useApiQuery } from './queries.ts';

type Callable = Parameters<typeof useApiQuery>[0];
type Extras<O extends Callable> = Parameters<typeof useApiQuery<O>>[2];

interface PageOfList {
  has_more: boolean;
  next_cursor: string;
}

interface Pages<O extends Callable> {
  query: UseQueryResult<OutputOf<O>>;
  /** For `<Pager>`, once the page is there. */
  pagerOf: (page: PageOfList) => {
    hasPrevious: boolean;
    hasNext: boolean;
    busy: boolean;
    onPrevious: () => void;
    onNext: () => void;
  };
}

/** The cursors of the pages behind the first one, up to the one that is shown. */
const Cursors = z.array(z.string());
const NONE: readonly string[] = [];

interface Reading<O extends Callable> {
  /** How often the first page is asked for again by itself. */
  refetchInterval?: NonNullable<Extras<O>>['refetchInterval'];
  /** A dialog is no place of its own: closing it forgets the page. */
  isInDialog?: boolean;
}

/**
 * A list that is read page by page. Where it is belongs to the entry of the history, so that Back from one of its rows
 * finds the same page.
 */
export function usePages<O extends Callable>(
  operation: O,
  input: CallOf<O>,
  { refetchInterval = false, isInDialog = false }: Reading<O> = {},
): Pages<O> {
  const [placed, place] = useHistoryState<readonly string[]>('cursors', Cursors, NONE);
  const [here, setHere] = useState(NONE);
  const cursors = isInDialog ? here : placed;
  const go: typeof place = isInDialog ? setHere : place;
  const cursor = cursors.at(-1);
  const query = useApiQuery(operation, cursor === undefined ? input : withCursor(input, cursor), {
    placeholderData: (earlier) => earlier,
    refetchInterval: cursor === undefined ? refetchInterval : false,
  });
  useEffect(() => {
    // The row that the page began after is gone: the list is read from its start.
    if (cursor !== undefined && query.error instanceof ApiError && query.error.code === 'INVALID_CURSOR') {
      go(NONE, 'replace');
    }
  });
  const pagerOf = ({ has_more: hasNext, next_cursor: next }: PageOfList) => ({
    hasPrevious: cursors.length > 0,
    hasNext,
    busy: query.isPlaceholderData,
    onPrevious: () => go(cursors.slice(0, -1), 'push'),
    onNext: () => go([...cursors, next], 'push'),
  });
  return { query, pagerOf };
}

function withCursor<O extends Callable>(input: CallOf<O>, cursor: string): CallOf<O> {
  const { query = {} } = input as { query?: object };
  return { ...input, query: { ...query, cursor } };
}
