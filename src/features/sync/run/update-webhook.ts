import { bookkeep } from '../../../journal/write.ts';
import type { Access, ItemState, Provider } from '../../../providers/provider.ts';
import type { Instance } from '../../handler.ts';
import { addWarning } from '../logs/sync-logs.queries.ts';
import type { SyncTurn } from './run-sync.ts';

/** Updates the webhook address at the provider, after a successful sync. A failure is only a warning. */
export async function updateWebhook(
  { database }: Instance,
  { syncLogId }: SyncTurn,
  { provider, access, state }: { provider: Provider; access: Access; state: ItemState | null },
): Promise<void> {
  if (state === null || !provider.traits.capabilities.includes('webhooks')) return;
  try {
    await provider.updateWebhook(access, state);
  } catch {
    const message = 'The webhook address could not be changed at the provider. The next sync will try again.';
    const warning = { code: 'webhook_update_failed', message, account_id: null, external_id: null, count: 1 } as const;
    await bookkeep(database, (tx) => addWarning(tx, syncLogId, warning));
  }
}
