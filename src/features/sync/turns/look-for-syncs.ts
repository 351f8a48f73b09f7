import { sql } from 'kysely';

import type { ConnectionsTable } from '../../../db/schema.ts';
import { isUnavailable } from '../../../db/unavailable.ts';
import type { ReadTx } from '../../../db/unit-of-work.ts';
import { intervalMs } from '../../../engines/sync/next-sync.ts';
import { write, type WriteTx } from '../../../journal/write.ts';
import { instantNow } from '../../../kernel/clock.ts';
import { DAY_MS, instantAfter } from '../../../kernel/dates.ts';
import { LIMITS } from '../../../kernel/limits.ts';
import { configValue } from '../../config/index.ts';
import type { Instance } from '../../handler.ts';
import { configuredProviders, traitsOf } from '../../providers/index.ts';
import { changeByEvent, syncPace } from '../status/connection-events.ts';
import { endLostTurns, SYNC_ORIGIN } from './end-turn.ts';
import { dropRequest } from './request-sync.ts';
import { findTurn, requestedSync, takeTurn, type TakenTurn } from './take-turn.ts';

const PAUSED = 'The sync was dropped: the connection is paused.';
const NOT_NOW = 'The sync was dropped: the provider is not set up, or allows no more syncs today.';

interface Found {
  readonly kind: 'lost' | 'held' | 'consent' | 'waiting' | 'due';
  /** Of `held`: the holder. */
  readonly connection_id: string;
  readonly at: string;
}

/**
 * One look at what there is to do (contract 30.11): leases and consents that have ended, requests that wait, connections
 * that are due. Starts as many syncs as there are free slots, those that wait longest first.
 */
export async function lookForSyncs(instance: Instance): Promise<void> {
  let { found, concurrency } = await findWork(instance);
  const holders = await goneHolders(instance, found);
  if (holders.length > 0 || found.some(({ kind }) => kind === 'lost')) {
    await endLostTurns(instance, { all: false, holders });
    // What was interrupted is retried at once.
    ({ found, concurrency } = await findWork(instance));
  }
  const ofKind = (wanted: Found['kind']): string[] =>
    found.flatMap(({ kind, connection_id: id }) => (kind === wanted ? [id] : []));
  for (const id of ofKind('consent')) await attempt(instance, () => endConsent(instance, id));
  for (const id of [...ofKind('waiting'), ...ofKind('due')]) {
    const slot = instance.syncs().reserve(concurrency);
    if (!slot) return;
    await attempt(instance, async () => {
      const taken = await startOne(instance, id);
      if (taken) slot.start(taken);
    }).finally(slot.leave);
  }
}

/** Processes that hold a turn and are gone, so nobody need wait until their leases end. */
async function goneHolders({ database }: Instance, found: readonly Found[]): Promise<string[]> {
  const gone: string[] = [];
  const holders = new Set(found.flatMap(({ kind, connection_id: holder }) => (kind === 'held' ? [holder] : [])));
  if (holders.size > 0) holders.delete(await database.presence());
  for (const holder of holders) if (!(await database.isPresent(holder))) gone.push(holder);
  return gone;
}

/** One connection that cannot be handled must not keep the others from being synced. */
async function attempt(instance: Instance, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (isUnavailable(error)) throw error;
    instance.logger.error({ err: error }, 'The scheduler could not handle a connection.');
  }
}

async function findWork({ database, clock }: Instance): Promise<{ found: readonly Found[]; concurrency: number }> {
  return database.read(async (tx) => {
    const found = await selectWork(tx, instantNow(clock));
    const concurrency = found.length === 0 ? 0 : Number(await configValue(tx, 'sync_concurrency'));
    return { found, concurrency };
  });
}

/** Everything in one query, because idle connections must cost nothing: each part reads an index or a few rows. */
async function selectWork(tx: ReadTx, now: string): Promise<Found[]> {
  const { rows } = await sql<Found>`
    select 'lost' as kind, connection_id, expires_at as at from sync_turns
      where expires_at is not null and expires_at <= ${tx.portable.sharedClock(now)}
    union all select 'held', holder, min(expires_at) from sync_turns where holder is not null group by holder
    union all select 'waiting', connection_id, requested_at from sync_turns
      where requested_at is not null and holder is null
    union all select 'due', c.id, c.next_sync_at from connections c
      where c.next_sync_at is not null and c.next_sync_at <= ${now} and c.paused = 0
        and c.status in ('active', 'error') and c.provider <> 'csv'
        and not exists (select 1 from sync_turns t
          where t.connection_id = c.id and (t.holder is not null or t.requested_at is not null))
    union all select 'consent', id, consent_expires_at from connections
      where consent_expires_at is not null and consent_expires_at <= ${now} and consent_guessed_at is null
        and status in ('active', 'error')
    order by at limit ${sql.lit(LIMITS.syncsLookedAt)}`.execute(tx.q);
  return rows;
}

/** Takes the turn of a connection, if it may still sync automatically. */
async function startOne(instance: Instance, connectionId: string): Promise<TakenTurn | undefined> {
  const holder = await instance.database.presence();
  const { value } = await write(instance.database, SYNC_ORIGIN, async (tx) => {
    const connection = await findConnection(tx, connectionId);
    if (!connection) return undefined;
    const turn = await findTurn(tx, connectionId);
    if (turn?.holder != null) return undefined;
    const requested = requestedSync(turn);
    const wanted = requested ?? (isDue(connection, tx.now) ? { trigger: 'cron' as const, isFull: false } : undefined);
    if (!wanted || connection.status === 'disconnected') return undefined;
    const isByItself = wanted.trigger === 'cron' || wanted.trigger === 'webhook';
    if (connection.paused === 1 && isByItself) {
      await dropRequest(tx, connectionId, PAUSED);
      return undefined;
    }
    const later = await putOff(tx, instance, connection, wanted.trigger !== 'manual');
    if (later !== undefined) {
      if (requested) await dropRequest(tx, connectionId, NOT_NOW);
      await moveOn(tx, connection, later);
      return undefined;
    }
    return takeTurn(tx, instance, connection, wanted, holder);
  });
  return value;
}

function isDue({ next_sync_at: at, paused, status }: ConnectionsTable, now: string): boolean {
  return at !== null && at <= now && paused === 0 && (status === 'active' || status === 'error');
}

/** When a sync that cannot begin now is to be tried again. */
async function putOff(
  tx: ReadTx,
  instance: Instance,
  connection: ConnectionsTable,
  countsCalls: boolean,
): Promise<string | undefined> {
  const now = instantNow(instance.clock);
  const pace = await syncPace(tx, instance, connection.provider);
  if (!(await configuredProviders(tx, instance)).includes(connection.provider)) {
    return instantAfter(now, intervalMs(connection, pace));
  }
  const callsPerDay = traitsOf(instance, connection.provider)?.callsPerDay ?? null;
  return callsPerDay === null || !countsCalls ? undefined : nextFreeCall(tx, connection.id, callsPerDay, now);
}

/** When the provider's daily limit of calls has room again; undefined: now. */
async function nextFreeCall(
  tx: ReadTx,
  connectionId: string,
  callsPerDay: number,
  now: string,
): Promise<string | undefined> {
  const recent = await tx.q
    .selectFrom('sync_logs')
    .select('started_at')
    .where('connection_id', '=', connectionId)
    .where('started_at', '>', instantAfter(now, -DAY_MS))
    .orderBy('started_at', 'desc')
    .limit(callsPerDay)
    .execute();
  const oldest = recent[callsPerDay - 1];
  return oldest && instantAfter(oldest.started_at, DAY_MS);
}

/** The scheduler's own time is not journaled: it changes with every sync. */
async function moveOn(tx: WriteTx, connection: ConnectionsTable, at: string): Promise<void> {
  if (connection.next_sync_at === null) return;
  tx.journal.allowUnjournaled('connection');
  await tx.q.updateTable('connections').set({ next_sync_at: at }).where('id', '=', connection.id).execute();
}

/** A consent that the provider stated has ended: nothing more is read until someone signs in again. */
async function endConsent(instance: Instance, connectionId: string): Promise<void> {
  await write(instance.database, SYNC_ORIGIN, async (tx) => {
    const connection = await findConnection(tx, connectionId);
    const endsAt = connection?.consent_expires_at ?? null;
    if (!connection || endsAt === null || endsAt > tx.now || connection.consent_guessed_at !== null) return;
    await changeByEvent(tx, instance, connection, { kind: 'consent_expired' });
  });
}

async function findConnection(tx: ReadTx, id: string): Promise<ConnectionsTable | undefined> {
  return tx.q.selectFrom('connections').selectAll().where('id', '=', id).executeTakeFirst();
}
