import type { WriteTx } from '../../../journal/write.ts';
import { findConnectionOf } from '../../connections/index.ts';
import type { Instance } from '../../handler.ts';
import { proveAccounts, type SameAccount } from '../../suggestions/index.ts';
import type { CollapsedDelivery } from '../fetch/collapse-delivery.ts';
import type { FetchedSync } from '../run/commit-sync.ts';
import { syncOrigin } from '../run/sync-origin.ts';

/**
 * Recognises the accounts that syncs made lately by their rows, and joins those that the household had already, before
 * the commit plans anything (contract 30.8.1). Answers what the commit is to ask.
 */
export async function recogniseAccounts(
  instance: Instance,
  { turn, traits, fetched }: FetchedSync,
  { rows, removed }: CollapsedDelivery,
  fence: (tx: WriteTx) => Promise<unknown>,
): Promise<readonly SameAccount[]> {
  const { connectionId } = turn;
  const connection = await instance.database.read((tx) => findConnectionOf(tx, connectionId));
  const { suggestions } = await proveAccounts(instance, {
    connectionId,
    incoming: [...rows].map(([externalAccountId, own]) => ({
      externalAccountId,
      rows: own,
      removedIds: removed
        .filter((one) => (one.externalAccountId ?? externalAccountId) === externalAccountId)
        .map(({ externalId }) => externalId),
    })),
    isHistoryComplete: fetched.outcome.history === 'complete' || connection?.history_completed_at != null,
    origin: syncOrigin(instance, turn, traits.name),
    fence,
  });
  return suggestions;
}
