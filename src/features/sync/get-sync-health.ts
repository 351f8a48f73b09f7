import { sql } from 'kysely';

import type { OutputOf } from '../../contract/operation.ts';
import type { ReadTx } from '../../db/unit-of-work.ts';
import { instantNow } from '../../kernel/clock.ts';
import { DAY_MS, instantAfter } from '../../kernel/dates.ts';
import { configValue } from '../config/index.ts';
import { handleRead, type Instance } from '../handler.ts';
import { webhookHealth } from '../webhooks/index.ts';
import { countOutcomes, findLastFinished } from './logs/sync-history.queries.ts';
import { successRate } from './logs/sync-log-record.ts';
import { connectionsAttention } from './status/connection-attention.ts';
import { getSyncHealth as operation } from './sync.contract.ts';

const SECONDS_PER_MINUTE = 60;

type Health = OutputOf<typeof operation>;

export const getSyncHealth = handleRead(operation, async ({ tx, instance }) => {
  const now = instantNow(instance.clock);
  // A sync that runs for days counts when it ends.
  const recent = await countOutcomes(tx, { finishedFrom: instantAfter(now, -DAY_MS) });
  const last = await findLastFinished(tx);
  const concerned = await connectionsAttention(tx, instance);
  const connectionErrors = concerned.filter(({ connection }) => isBroken(connection.status)).length;
  const attention = concerned.flatMap(({ connection: { id, institution_name }, entries }) =>
    entries.map((entry) => ({ connection_id: id, institution_name, ...entry })),
  );
  const { success_count: successes, error_count: errors } = recent;
  const hasFailed =
    errors > 0 || concerned.some(({ connection: { status, provider } }) => provider !== 'csv' && isBroken(status));
  const isStale = successes + errors === 0 && attention.some(({ code }) => code === 'sync_stale');
  return {
    overall_health: overall(recent, hasFailed || isStale),
    last_sync_time: last?.finished_at ?? null,
    last_sync_status: (last?.status as Health['last_sync_status'] | undefined) ?? null,
    recent_sync_count: successes + errors,
    recent_success_count: successes,
    recent_error_count: errors,
    recent_success_rate: successRate(recent),
    ...(await countTurns(tx)),
    connection_errors: connectionErrors,
    next_sync_time: await earliestNextSync(tx),
    scheduler: await schedulerOf(tx, instance),
    attention,
    webhooks: await webhookHealth(tx, now),
  };
});

function isBroken(status: string): boolean {
  return status === 'error' || status === 'pending_reauth';
}

interface Outcomes {
  success_count: number;
  error_count: number;
}

function overall(
  { success_count: successes, error_count: errors }: Outcomes,
  isDegraded: boolean,
): Health['overall_health'] {
  const finished = successes + errors;
  if (finished >= 2 && 2 * successes < finished) return 'unhealthy';
  return isDegraded ? 'degraded' : 'healthy';
}

async function countTurns(tx: ReadTx): Promise<Pick<Health, 'running_count' | 'queued_count'>> {
  const { rows } = await sql<{ running: number | string; queued: number | string }>`
    select (select count(*) from sync_logs where status = 'in_progress') as running,
      (select count(*) from sync_turns where requested_at is not null) as queued`.execute(tx.q);
  return { running_count: Number(rows[0]?.running), queued_count: Number(rows[0]?.queued) };
}

async function earliestNextSync(tx: ReadTx): Promise<string | null> {
  const first = await tx.q
    .selectFrom('connections')
    .select('next_sync_at')
    .where('next_sync_at', 'is not', null)
    .orderBy('next_sync_at')
    .limit(1)
    .executeTakeFirst();
  return first?.next_sync_at ?? null;
}

async function schedulerOf(tx: ReadTx, { syncs }: Instance): Promise<Health['scheduler']> {
  return {
    running: syncs().isBeating(),
    interval_seconds: Number(await configValue(tx, 'sync_interval_minutes')) * SECONDS_PER_MINUTE,
    concurrency: Number(await configValue(tx, 'sync_concurrency')),
  };
}
