import {
  QueryClient,
  useMutation,
  useQuery,
  type QueryFilters,
  type UseMutationResult,
  type UseQueryOptions,
  type UseQueryResult,
} from '@tanstack/react-query';
import { useRef } from 'react';

import type { CallOf, OutputOf } from '../../src/contract/operation.ts';
import { randomId } from '../lib/random-id.ts';
import { showUndo } from '../components/toast-store.ts';
import { api, ApiError } from './client.ts';

export interface Callable {
  name: string;
  method: string;
  path: string;
  response: unknown;
}

export const queryClient = new QueryClient({
  defaultOptions: {
    // The connection is watched in `connection.ts`; the browser's own idea of "online" says little about our server.
    queries: { networkMode: 'always', retry: shouldRetry, staleTime: 5_000 },
    mutations: { networkMode: 'always' },
  },
});

const RETRIES = 2;

/** A lost connection is asked again by its watcher, which then refreshes everything. */
function shouldRetry(failures: number, error: Error): boolean {
  return failures < RETRIES && error instanceof ApiError && error.status >= 500;
}

/** Data are known by the name of their operation and its input. */
export function keyOf<O extends Callable>(operation: O, input?: CallOf<O>): readonly unknown[] {
  return input === undefined ? [operation.name] : [operation.name, input];
}

type QueryExtras<T> = Omit<UseQueryOptions<T, Error, T>, 'queryKey' | 'queryFn'>;

export function queryOptions<O extends Callable>(operation: O, input: CallOf<O>) {
  return {
    queryKey: keyOf(operation, input),
    queryFn: ({ signal }: { signal: AbortSignal }): Promise<OutputOf<O>> => api.call(operation, input, { signal }),
  };
}

/** `useApiQuery(listTags, {})`: the data of a read operation. */
export function useApiQuery<O extends Callable>(
  operation: O,
  input: CallOf<O>,
  extras: QueryExtras<OutputOf<O>> = {},
): UseQueryResult<OutputOf<O>> {
  return useQuery({ ...queryOptions(operation, input), ...extras });
}

/** A record, and the ETag of the state that it shows: what a form over it is filled from. */
export interface KnownRecord<T> {
  value: T;
  etag: string | null;
}

function readRecord<O extends Callable>(operation: O, input: CallOf<O>) {
  return {
    queryKey: [...keyOf(operation, input), 'record'],
    queryFn: async ({ signal }: { signal: AbortSignal }): Promise<KnownRecord<OutputOf<O>>> => {
      const { value, etag } = await api.send(operation, input, { signal });
      return { value, etag };
    },
  };
}

/** `useApiRecord(getTag, {…})`: a single record for a form (`recordOf` in the options of `useOperationForm`). */
export function useApiRecord<O extends Callable>(
  operation: O,
  input: CallOf<O>,
  extras: QueryExtras<KnownRecord<OutputOf<O>>> = {},
): UseQueryResult<KnownRecord<OutputOf<O>>> & { reread: () => Promise<KnownRecord<OutputOf<O>>> } {
  const options = readRecord(operation, input);
  return Object.assign(useQuery({ ...options, ...extras }), {
    reread: () => queryClient.fetchQuery({ ...options, staleTime: 0 }),
  });
}

/** What a write is called with; `ifMatch` is the ETag of the record that it was made from. */
export type WriteInput<O> = CallOf<O> & { ifMatch?: string | undefined; prefer?: 'respond-async' };

interface WriteExtras<O> {
  /** The reads that this write makes old; by their operations. Without it, everything is read again. */
  refreshes?: readonly { name: string }[];
  /** What the toast says when the write can be undone: "Tag deleted". */
  undo?: string | ((value: OutputOf<O>) => string);
  onSuccess?: (value: OutputOf<O>) => void;
}

/** A write that is not known to have ended. */
export interface Intent {
  input: string;
  key: string;
  /** It was sent, and its answer was lost. */
  isTried: boolean;
}

/**
 * `const rename = useApiWrite(updateTag, { refreshes: [listTags] })`. One intent has one Idempotency-Key: pressing again
 * after a lost answer repeats the same write instead of doing it twice.
 */
export function useApiWrite<O extends Callable>(
  operation: O,
  { refreshes, undo, onSuccess }: WriteExtras<O> = {},
): UseMutationResult<OutputOf<O>, Error, WriteInput<O>> {
  const open = useRef<Intent | null>(null);
  return useMutation({
    mutationFn: async (input: WriteInput<O>) => {
      const { ifMatch, prefer, ...call } = input;
      const headers = { ...(ifMatch === undefined ? {} : { ifMatch }), ...(prefer === undefined ? {} : { prefer }) };
      const { value, changeSetId } = await underOneKey(open, JSON.stringify(input), (idempotencyKey) =>
        api.send(operation, call as CallOf<O>, { idempotencyKey, ...headers }),
      );
      if (undo !== undefined && changeSetId !== null) {
        showUndo(typeof undo === 'string' ? undo : undo(value), changeSetId);
      }
      return value;
    },
    onSuccess: async (value) => {
      await refresh(refreshes);
      onSuccess?.(value);
    },
  });
}

/** Where the intent is remembered until its write has ended. */
export interface OpenIntent {
  current: Intent | null;
}

/** Sends a write so that sending the same text again after a lost answer has the same key. */
export async function underOneKey<T>(open: OpenIntent, text: string, send: (key: string) => Promise<T>): Promise<T> {
  const intent = open.current?.input === text ? open.current : { input: text, key: randomId(), isTried: false };
  open.current = intent;
  try {
    const answer = await send(intent.key);
    open.current = null;
    return answer;
  } catch (error) {
    open.current = isUndecided(error, intent.isTried) ? { ...intent, isTried: true } : null;
    throw error;
  }
}

/** Whether the write may have been done all the same. What is said before a repetition is looked at leaves that open. */
function isUndecided(error: unknown, isTried: boolean): boolean {
  if (!(error instanceof ApiError) || error.status >= 500) return true;
  return isTried && (error.status === 401 || error.status === 429 || isStillRunning(error));
}

function isStillRunning({ body }: ApiError): boolean {
  return body.error.details?.some(({ path }) => path === 'Idempotency-Key') === true;
}

/** What these operations have read is read again; without a list, everything. */
export async function refresh(operations?: readonly { name: string }[]): Promise<void> {
  const which = operations?.map(({ name }) => ({ queryKey: [name] })) ?? [{}];
  await Promise.all(
    which.map((filter) => {
      askAgain({ ...filter, predicate: ({ state }) => state.data === undefined });
      return queryClient.invalidateQueries(filter);
    }),
  );
}

/**
 * What is on its way when a write is answered may be from before it, and would be taken for new. `invalidateQueries` asks again
 * only where there was an earlier answer.
 */
export function askAgain(filter: QueryFilters): void {
  for (const query of queryClient.getQueryCache().findAll({ ...filter, fetchStatus: 'fetching' })) {
    if (query.isActive() && !query.isDisabled()) {
      void query.cancel({ silent: true });
      query.fetch().catch(ignore);
    } else {
      // Whoever waits for it gets it, but it does not last.
      query.fetch().then(() => query.invalidate(), ignore);
    }
  }
}

function ignore(): void {}
