import type { BareWriteTx } from '../../../db/unit-of-work.ts';
import { failWaitingEvents } from '../../webhooks/index.ts';

export type SyncTrigger = 'cron' | 'webhook' | 'manual' | 'initial';

/** When requests merge, the first of these wins (30.6). */
const PRECEDENCE: readonly SyncTrigger[] = ['manual', 'initial', 'webhook', 'cron'];

/** For a connection that was disconnected or has lost its login. */
const DROPPED = 'The sync was dropped: the connection was disconnected, or the bank wants you to sign in again.';

/**
 * Asks for a sync of a connection (contract 30.6). The request is stored with the connection, so it survives a crash; a
 * free worker of any process picks it up. Requests for one connection merge. Answers whether none was waiting before.
 */
export async function requestSync(
  tx: BareWriteTx,
  connectionId: string,
  { trigger, isFull = false }: { trigger: SyncTrigger; isFull?: boolean },
): Promise<boolean> {
  const waiting = await tx.q
    .selectFrom('sync_turns')
    .select(['requested_trigger', 'is_full_requested', 'requested_at'])
    .where('connection_id', '=', connectionId)
    .executeTakeFirst();
  const triggers = [trigger, waiting?.requested_trigger ?? null];
  const request = {
    requested_trigger: PRECEDENCE.find((one) => triggers.includes(one)) ?? trigger,
    is_full_requested: isFull || waiting?.is_full_requested === 1 ? 1 : 0,
    requested_at: waiting?.requested_at ?? tx.now,
  } as const;
  await tx.q
    .insertInto('sync_turns')
    .values({ connection_id: connectionId, ...request })
    .onConflict((conflict) => conflict.column('connection_id').doUpdateSet(request))
    .execute();
  return waiting?.requested_at == null;
}

/** Drops the waiting sync; `why` is what the webhooks that asked for it are told. */
export async function dropRequest(tx: BareWriteTx, connectionId: string, why = DROPPED): Promise<void> {
  await tx.q
    .updateTable('sync_turns')
    .set({ requested_trigger: null, is_full_requested: 0, requested_at: null })
    .where('connection_id', '=', connectionId)
    .execute();
  await failWaitingEvents(tx, connectionId, why);
}

/** Drops the waiting sync, unless a person asked for it. */
export async function keepManualRequest(tx: BareWriteTx, connectionId: string): Promise<void> {
  const { numUpdatedRows } = await tx.q
    .updateTable('sync_turns')
    .set({ requested_trigger: null, is_full_requested: 0, requested_at: null })
    .where('connection_id', '=', connectionId)
    .where('requested_trigger', '<>', 'manual')
    .executeTakeFirst();
  if (numUpdatedRows > 0n) await failWaitingEvents(tx, connectionId, DROPPED);
}
