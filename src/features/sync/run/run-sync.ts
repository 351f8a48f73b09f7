import { ProviderFailure } from '../../../providers/provider-failure.ts';
import { NO_CALLER, type Instance } from '../../handler.ts';
import { commitLargeSync } from '../commit-large-sync.ts';
import { fetchSync } from '../fetch/fetch-sync.ts';
import { hasLongHistory, loadSync } from '../fetch/load-sync.ts';
import { removeSpool } from '../fetch/spool.ts';
import type { SyncTrigger } from '../turns/request-sync.ts';
import { finishSync } from './after-sync.ts';
import { commitSync, type FetchedSync } from './commit-sync.ts';
import { failSync, logFailure } from './fail-sync.ts';
import { updateWebhook } from './update-webhook.ts';

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
export async function runSync(
  instance: Instance,
  turn: SyncTurn,
  signal: AbortSignal,
  onReadFromBeginning: () => void = () => undefined,
): Promise<void> {
  const { config } = instance;
  try {
    instance.failpoint('sync:begun');
    const { provider, access, request } = await loadSync(instance, turn);
    const where = { dataDir: config.dataDir, syncLogId: turn.syncLogId };
    const fetched = await fetchSync(provider, access, { ...request, signal }, where, onReadFromBeginning);
    instance.failpoint('sync:fetched');
    signal.throwIfAborted();
    await commit(instance, { turn, traits: provider.traits, fetched });
    await updateWebhook(instance, turn, { provider, access, state: fetched.outcome.state });
    await finishSync(instance, turn);
    instance.failpoint('sync:finished');
  } catch (error) {
    if (signal.aborted && !(signal.reason instanceof ProviderFailure)) return;
    const reason: unknown = signal.aborted ? signal.reason : error;
    logFailure(instance, turn, reason);
    await failSync(instance, turn, reason);
  } finally {
    await removeSpool(config.dataDir, turn.syncLogId);
  }
}

/** A sync with many rows, or into long accounts, is committed in a thread, so that other requests stay fast. */
async function commit(instance: Instance, sync: FetchedSync): Promise<void> {
  const { connectionId } = sync.turn;
  const isLarge =
    sync.fetched.spool !== null || (await instance.database.read((tx) => hasLongHistory(tx, connectionId)));
  if (!isLarge) return commitSync(instance, sync);
  await instance.runTask(commitLargeSync, sync, NO_CALLER);
}
