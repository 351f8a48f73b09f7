import { sql } from 'kysely';

import type { ReadTx } from '../../../db/unit-of-work.ts';
import { bookkeep } from '../../../journal/write.ts';
import { instantNow } from '../../../kernel/clock.ts';
import { DAY_MS, instantAfter } from '../../../kernel/dates.ts';
import { configValue } from '../../config/index.ts';
import type { Instance } from '../../handler.ts';
import { oldJobs } from '../../jobs/index.ts';
import { deleteInParts, type OldRows } from '../../old-rows.ts';
import { oldRuleRuns, RUNS_OF_GONE_SYNCS } from '../../rules/index.ts';
import { pickUpEvents } from '../../webhooks/index.ts';
import { sweepSpools } from '../fetch/spool.ts';
import { selectRunning } from '../logs/sync-logs.queries.ts';
import { finishSyncs } from '../run/after-sync.ts';
import { requestSync } from '../turns/request-sync.ts';

/**
 * Deletes sync logs and webhook events that are older than the household keeps them (contract 30.11), and what runs of
 * rules left long ago, because in many a household no other run follows.
 */
export async function keepHouse({ database, clock }: Instance): Promise<void> {
  const now = instantNow(clock);
  const { logs, events } = await database.read(readDaysKept);
  if (logs > 0) {
    await deleteInParts(database, logsBefore(instantAfter(now, -logs * DAY_MS)));
    await deleteInParts(database, RUNS_OF_GONE_SYNCS);
  }
  if (events > 0) await deleteInParts(database, eventsBefore(instantAfter(now, -events * DAY_MS)));
  await deleteInParts(database, oldJobs(now));
  await deleteInParts(database, oldRuleRuns(now));
}

/** 0 keeps everything. */
async function readDaysKept(tx: ReadTx): Promise<{ logs: number; events: number }> {
  return {
    logs: Number(await configValue(tx, 'sync_log_retention_days')),
    events: Number(await configValue(tx, 'webhook_event_retention_days')),
  };
}

/** Never one that is in progress, and never the newest of a connection. */
function logsBefore(instant: string): OldRows {
  const isOld = sql`started_at < ${instant} and status <> 'in_progress'
    and exists (select 1 from sync_logs newer where newer.connection_id = sync_logs.connection_id
      and (newer.started_at, newer.id) > (sync_logs.started_at, sync_logs.id))`;
  return { table: 'sync_logs', key: ['id'], isOld };
}

function eventsBefore(instant: string): OldRows {
  return { table: 'webhook_events', key: ['id'], isOld: sql`created_at < ${instant}` };
}

/** Picks up what a dead process left half done. */
export async function finishLeftovers(instance: Instance): Promise<void> {
  const { database, config } = instance;
  await finishSyncs(instance);
  await bookkeep(database, (tx) => pickUpEvents(tx, (id) => requestSync(tx, id, { trigger: 'webhook' })));
  await sweepSpools(config.dataDir, await database.read(selectRunning));
}
