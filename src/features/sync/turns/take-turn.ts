import { sql } from 'kysely';

import type { ConnectionsTable } from '../../../db/schema.ts';
import type { BareWriteTx, ReadTx } from '../../../db/unit-of-work.ts';
import { LIMITS } from '../../../kernel/limits.ts';
import { configValue } from '../../config/index.ts';
import type { Instance } from '../../handler.ts';
import { traitsOf } from '../../providers/index.ts';
import type { SyncTurn } from '../run/run-sync.ts';
import { takeLease, type WantedSync } from './leases.ts';
import type { SyncTrigger } from './request-sync.ts';

const MS_PER_SECOND = 1_000;

/** A sync that may run now, and for how long. */
export interface TakenTurn {
  readonly turn: SyncTurn;
  readonly limitMs: number;
  /** For how long if it turns out to read everything from the beginning. */
  readonly longLimitMs: number;
}

export interface WaitingTurn {
  readonly holder: string | null;
  readonly sync_log_id: string | null;
  readonly requested_trigger: string | null;
  readonly is_full_requested: number;
}

/** Who syncs the connection, and what waits. */
export async function findTurn(tx: ReadTx, connectionId: string): Promise<WaitingTurn | undefined> {
  return tx.q
    .selectFrom('sync_turns')
    .select(['holder', 'sync_log_id', 'requested_trigger', 'is_full_requested'])
    .where('connection_id', '=', connectionId)
    .executeTakeFirst();
}

/** The requested sync that is waiting. */
export function requestedSync(turn: WaitingTurn | undefined): WantedSync | undefined {
  if (turn?.requested_trigger == null) return undefined;
  return { trigger: turn.requested_trigger as SyncTrigger, isFull: turn.is_full_requested === 1 };
}

/** Takes the turn of a connection, unless it is already taken. */
export async function takeTurn(
  tx: BareWriteTx,
  instance: Instance,
  connection: ConnectionsTable,
  wanted: WantedSync,
  holder: string,
): Promise<TakenTurn | undefined> {
  const turn = await takeLease(tx, instance, connection, wanted, holder);
  if (!turn) return undefined;
  const usualMs = Number(await configValue(tx, 'sync_timeout_seconds')) * MS_PER_SECOND;
  const longLimitMs = usualMs * LIMITS.syncTimeoutFromBeginning;
  const isLong = turn.isFull || !(await hasPosition(tx, instance, connection));
  return { turn, limitMs: isLong ? longLimitMs : usualMs, longLimitMs };
}

/** Whether the next read continues where an earlier one ended. */
async function hasPosition(tx: ReadTx, instance: Instance, connection: ConnectionsTable): Promise<boolean> {
  if (traitsOf(instance, connection.provider)?.position !== 'account') return connection.sync_position !== null;
  const { rows } = await sql`select 1 from account_feeds
    where connection_id = ${connection.id} and position is not null limit 1`.execute(tx.q);
  return rows.length > 0;
}
