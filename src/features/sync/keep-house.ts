import { sql } from 'kysely';

import type { BareWriteTx, ReadTx } from '../../db/unit-of-work.ts';
import { bookkeep } from '../../journal/write.ts';
import { instantNow } from '../../kernel/clock.ts';
import { instantAfter } from '../../kernel/dates.ts';
import { configValue } from '../config/index.ts';
import type { Instance } from '../handler.ts';
import { finishSyncs } from './after-sync.ts';
import { sweepSpools } from './spool.ts';
import { selectRunning } from './sync-logs.queries.ts';

const DAY_MS = 86_400_000;
const SESSIONS_KEPT_DAYS = 30;

/** Deletes what is older than the household keeps it: sync logs, webhook events, hosted-link sessions (30.11). */
export async function keepHouse({ database, clock }: Instance): Promise<void> {
  const now = instantNow(clock);
  const ages = await database.read(readAges);
  await bookkeep(database, async (tx) => {
    if (ages.logs > 0) await deleteLogs(tx, instantAfter(now, -ages.logs * DAY_MS));
    if (ages.events > 0)
      await deleteBefore(tx, 'webhook_events', 'created_at', instantAfter(now, -ages.events * DAY_MS));
    await deleteBefore(tx, 'link_sessions', 'completed_at', instantAfter(now, -SESSIONS_KEPT_DAYS * DAY_MS));
  });
}

/** Days; 0 keeps everything. */
async function readAges(tx: ReadTx): Promise<{ logs: number; events: number }> {
  return {
    logs: Number(await configValue(tx, 'sync_log_retention_days')),
    events: Number(await configValue(tx, 'webhook_event_retention_days')),
  };
}

/** Never one that is in progress, and never the newest of a connection. */
async function deleteLogs(tx: BareWriteTx, before: string): Promise<void> {
  await sql`delete from sync_logs where started_at < ${before} and status <> 'in_progress'
    and exists (select 1 from sync_logs newer where newer.connection_id = sync_logs.connection_id
      and (newer.started_at > sync_logs.started_at
        or (newer.started_at = sync_logs.started_at and newer.id > sync_logs.id)))`.execute(tx.q);
}

async function deleteBefore(tx: BareWriteTx, table: string, column: string, before: string): Promise<void> {
  await sql`delete from ${sql.table(table)} where ${sql.ref(column)} < ${before}`.execute(tx.q);
}

/** Takes up what a process that died has left half done. */
export async function finishLeftovers(instance: Instance): Promise<void> {
  await finishSyncs(instance);
  await sweepSpools(instance.config.dataDir, await instance.database.read(selectRunning));
}
