import { sql } from 'kysely';

import type { ConnectionsTable } from '../../../db/schema.ts';
import { shortIdFor } from '../../../db/short-ids.ts';
import type { BareWriteTx, Database, ReadTx } from '../../../db/unit-of-work.ts';
import { bookkeep } from '../../../journal/write.ts';
import { LIMITS } from '../../../kernel/limits.ts';
import type { Instance } from '../../handler.ts';
import type { SyncTurn } from '../run/run-sync.ts';
import type { SyncTrigger } from './request-sync.ts';

/** Who syncs a connection (contract 30.7.1). A run writes only while the fencing token of its lease is still there. */

const TOKEN_BYTES = 16;

/** What a lease is taken for. */
export interface WantedSync {
  readonly trigger: SyncTrigger;
  readonly isFull: boolean;
}

/**
 * Takes the lease of a connection and begins its log, unless it is already held. A waiting request is fulfilled
 * with it.
 */
export async function takeLease(
  tx: BareWriteTx,
  { random }: Pick<Instance, 'random'>,
  connection: Pick<ConnectionsTable, 'id' | 'provider' | 'institution_name'>,
  { trigger, isFull }: WantedSync,
  holder: string,
): Promise<SyncTurn | undefined> {
  const [syncLogId, fencingToken] = [tx.ids.uuid(), Buffer.from(random.bytes(TOKEN_BYTES)).toString('hex')];
  const nothingWaits = { requested_trigger: null, is_full_requested: 0, requested_at: null } as const;
  const lease = {
    holder,
    fencing_token: fencingToken,
    expires_at: tx.portable.sharedClock(tx.now, LIMITS.syncLeaseMs),
    sync_log_id: syncLogId,
    ...nothingWaits,
  };
  const taken = await tx.q
    .insertInto('sync_turns')
    .values({ connection_id: connection.id, ...lease })
    .onConflict((conflict) =>
      conflict.column('connection_id').doUpdateSet(lease).where('sync_turns.holder', 'is', null),
    )
    .returning('connection_id')
    .executeTakeFirst();
  if (!taken) return undefined;
  await beginLog(tx, connection, { id: syncLogId, fencing_token: fencingToken, trigger, is_full: isFull ? 1 : 0 });
  return { connectionId: connection.id, syncLogId, fencingToken, trigger, isFull };
}

async function beginLog(
  tx: BareWriteTx,
  { id: connectionId, provider, institution_name }: Pick<ConnectionsTable, 'id' | 'provider' | 'institution_name'>,
  log: { id: string; fencing_token: string; trigger: string; is_full: 0 | 1 },
): Promise<void> {
  await tx.q
    .insertInto('sync_logs')
    .values({
      ...log,
      short_id: await shortIdFor(tx, 'sync_logs'),
      connection_id: connectionId,
      provider,
      institution_name,
      status: 'in_progress',
      started_at: tx.now,
      finished_at: null,
      duration_ms: null,
      error_code: null,
      error_message: null,
      warning_message: null,
      provider_error: null,
      change_set_id: null,
    })
    .execute();
}

/** Whether the sync still holds its turn; one that lost it writes nothing more (contract 30.7.1). */
export async function holdsTurn(
  tx: ReadTx,
  { connectionId, fencingToken }: Pick<SyncTurn, 'connectionId' | 'fencingToken'>,
): Promise<boolean> {
  const found = await tx.q
    .selectFrom('sync_turns')
    .select('connection_id')
    .where('connection_id', '=', connectionId)
    .where('fencing_token', '=', fencingToken)
    .executeTakeFirst();
  return found !== undefined;
}

/** Renews leases. Returns the tokens of those that are still held; the others were taken away. */
export async function renewLeases(database: Database, tokens: readonly string[]): Promise<ReadonlySet<string>> {
  const renewed = await bookkeep(database, (tx) =>
    tx.q
      .updateTable('sync_turns')
      .set({ expires_at: tx.portable.sharedClock(tx.now, LIMITS.syncLeaseMs) })
      .where(tx.portable.inList(sql.ref('fencing_token'), tokens))
      .where('holder', 'is not', null)
      .returning('fencing_token')
      .execute(),
  );
  return new Set(renewed.flatMap(({ fencing_token: token }) => (token === null ? [] : [token])));
}

/** Releases the lease. Returns whether another sync of the connection is waiting. */
export async function releaseLease(
  tx: BareWriteTx,
  { connectionId, fencingToken }: Pick<SyncTurn, 'connectionId' | 'fencingToken'>,
): Promise<boolean> {
  const released = await tx.q
    .updateTable('sync_turns')
    .set({ holder: null, fencing_token: null, expires_at: null, sync_log_id: null })
    .where('connection_id', '=', connectionId)
    .where('fencing_token', '=', fencingToken)
    .returning('requested_at')
    .executeTakeFirst();
  return released?.requested_at != null;
}

/** A lease that was taken and not released. */
export interface HeldLease {
  readonly connection_id: string;
  readonly fencing_token: string;
  readonly sync_log_id: string;
}

export async function findHeldLease(tx: ReadTx, connectionId: string): Promise<HeldLease | undefined> {
  const held = tx.q.selectFrom('sync_turns').select(['connection_id', 'fencing_token', 'sync_log_id']);
  const found = held.where('connection_id', '=', connectionId).where('fencing_token', 'is not', null);
  return (await found.executeTakeFirst()) as HeldLease | undefined;
}

/** Which leases are lost: all where no other process can hold one, else those that ended and those of these holders. */
export interface LostLeases {
  readonly all: boolean;
  /** Processes that are gone. */
  readonly holders?: readonly string[];
}

/** Leases whose holder has not renewed them in time, or is gone. */
export async function selectLostLeases(tx: ReadTx, now: string, which: LostLeases): Promise<HeldLease[]> {
  const { all, holders = [] } = which;
  let query = tx.q
    .selectFrom('sync_turns')
    .select(['connection_id', 'fencing_token', 'sync_log_id'])
    .where('expires_at', 'is not', null);
  if (!all) {
    query = query.where((eb) =>
      eb.or([eb('expires_at', '<=', tx.portable.sharedClock(now)), tx.portable.inList(sql.ref('holder'), holders)]),
    );
  }
  return (await query.execute()) as HeldLease[];
}
