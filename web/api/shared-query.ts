import { hashKey, notifyManager, QueryObserver } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';

import type { CallOf, OutputOf } from '../../src/contract/operation.ts';
import { queryClient, queryOptions, type Callable } from './queries.ts';

/**
 * A hook for an answer that every row of a list needs. All rows share one observer: with one each, mounting a row cost
 * more in observers than in elements.
 */
export function sharedQuery<O extends Callable>(
  operation: O,
  input: CallOf<O>,
  extras: { staleTime: number },
): () => OutputOf<O> | undefined {
  const options = { ...queryOptions(operation, input), ...extras };
  const hash = hashKey(options.queryKey);
  const observer = new QueryObserver(queryClient, options);
  const subscribe = (onChange: () => void): (() => void) => {
    // The query may have been thrown away while nobody needed it.
    if (!observer.hasListeners()) observer.setOptions(options);
    return observer.subscribe(notifyManager.batchCalls(onChange));
  };
  const read = (): OutputOf<O> | undefined =>
    queryClient.getQueryCache().get(hash)?.state.data as OutputOf<O> | undefined;
  return () => useSyncExternalStore(subscribe, read);
}
