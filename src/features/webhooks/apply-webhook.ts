import type { ConnectionsTable } from '../../db/schema.ts';
import type { WriteTx } from '../../journal/write.ts';
import { DAY_MS, instantAfter } from '../../kernel/dates.ts';
import { LIMITS } from '../../kernel/limits.ts';
import type { WebhookEvent } from '../../providers/webhook.ts';
import type { Instance } from '../handler.ts';
import { changeByEvent, requestSync } from '../sync/index.ts';

/** The immediate outcome of an event: `received` waits for the sync that it asked for. */
export interface Applied {
  status: 'received' | 'processed' | 'error';
  error?: string;
}

interface Arrived {
  event: WebhookEvent;
  connection: ConnectionsTable | undefined;
}

const DONE: Applied = { status: 'processed' };

/** Does what an event means for its connection (contract 30.13). One that is disconnected is never changed. */
export async function applyWebhook(tx: WriteTx, instance: Instance, { event, connection }: Arrived): Promise<Applied> {
  if (!event.isReadable) return { status: 'error', error: 'The body was not a JSON object.' };
  if (event.type === 'unknown' || event.type === 'test' || event.type === 'account_revoked') return DONE;
  if (!connection) return { status: 'error', error: 'No connection matches this webhook.' };
  if (connection.status === 'disconnected') return DONE;
  switch (event.type) {
    case 'sync_available':
      return askForSync(tx, instance, connection);
    case 'connection_error':
    case 'access_revoked':
      await reportError(tx, instance, connection, event);
      break;
    case 'login_repaired':
      await changeByEvent(tx, instance, connection, { kind: 'reauthenticated', trigger: 'webhook' });
      break;
    case 'pending_expiration':
      await noteExpiry(tx, connection, event.consentExpiresAt);
      break;
    case 'new_accounts':
      await change(tx, connection, { new_accounts_at: connection.new_accounts_at ?? tx.now });
      break;
  }
  return DONE;
}

async function askForSync(tx: WriteTx, instance: Instance, { id, paused }: ConnectionsTable): Promise<Applied> {
  if (paused === 1) return DONE;
  await requestSync(tx, id, { trigger: 'webhook' });
  tx.afterCommit(() => instance.wakeSyncs());
  return { status: 'received' };
}

async function reportError(
  tx: WriteTx,
  instance: Instance,
  connection: ConnectionsTable,
  { code, failureClass, type }: WebhookEvent,
): Promise<void> {
  await changeByEvent(tx, instance, connection, {
    kind: 'error_reported',
    failureClass: type === 'access_revoked' ? 'login' : (failureClass ?? 'item'),
    code: code ?? 'UNKNOWN',
  });
}

/** Without a time it is a guess, which does not replace an earlier time that the provider stated. */
async function noteExpiry(tx: WriteTx, connection: ConnectionsTable, stated: string | null): Promise<void> {
  if (stated !== null) {
    const announced = { consent_expires_at: stated, consent_guessed_at: null, consent_announced_at: tx.now };
    await change(tx, connection, announced);
    return;
  }
  const guess = instantAfter(tx.now, LIMITS.consentGuessDays * DAY_MS);
  const { consent_expires_at: known, consent_guessed_at: guessedAt } = connection;
  if (known !== null && guessedAt === null && known <= guess) return;
  await change(tx, connection, {
    consent_expires_at: guess,
    consent_guessed_at: tx.now,
    consent_announced_at: null,
  });
}

type ConsentColumns = Pick<ConnectionsTable, 'consent_expires_at' | 'consent_guessed_at' | 'consent_announced_at'>;

/** These columns are their own record. */
async function change(
  tx: WriteTx,
  { id, status }: ConnectionsTable,
  columns: Partial<ConsentColumns & Pick<ConnectionsTable, 'new_accounts_at'>>,
): Promise<void> {
  tx.journal.allowUnjournaled('connection');
  const row = tx.q.updateTable('connections').set({ ...columns, updated_at: tx.now });
  await row.where('id', '=', id).where('status', '=', status).execute();
}
