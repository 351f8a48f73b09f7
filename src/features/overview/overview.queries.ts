import { sql, type RawBuilder } from 'kysely';

import type { ReadTx } from '../../db/unit-of-work.ts';
import type { Instant } from '../../kernel/dates.ts';
import { effectiveOwner } from '../accounts/index.ts';

export interface RecordCounts {
  accounts: number;
  connections: number;
  categories: number;
  tags: number;
  rules: number;
  series: number;
  counterparties: number;
}

export async function countRecords(tx: ReadTx, ownerId: string | null): Promise<RecordCounts> {
  const ofOwner = (owner: RawBuilder<unknown>): RawBuilder<unknown> =>
    ownerId === null ? sql`` : sql`and ${owner} = ${ownerId}`;
  const { rows } = await sql<RecordCounts>`select
    (select count(*) from accounts left join connections on connections.id = accounts.connection_id
      where accounts.deleted_at is null ${ofOwner(effectiveOwner())}) as accounts,
    (select count(*) from connections
      where status <> 'disconnected' ${ofOwner(sql.ref('connections.user_id'))}) as connections,
    (select count(*) from categories where merged_into_id is null) as categories,
    (select count(*) from tags) as tags,
    (select count(*) from rules) as rules,
    (select count(*) from series) as series,
    (select count(*) from counterparties where canonical_counterparty_id is null) as counterparties`.execute(tx.q);
  return rows[0] as RecordCounts;
}

export async function selectSyncTimes(
  tx: ReadTx,
): Promise<{ last_sync_at: Instant | null; next_sync_at: Instant | null }> {
  return tx.q
    .selectFrom('connections')
    .select(({ fn }) => [
      fn.max<string | null>('last_sync_at').as('last_sync_at'),
      fn.min<string | null>('next_sync_at').as('next_sync_at'),
    ])
    .where('status', '!=', 'disconnected')
    .executeTakeFirstOrThrow();
}

/** How many of something wait, and since when the oldest does. */
export interface Waiting {
  count: number;
  since: Instant | null;
}

/** Proposals that can still be decided. */
export async function countOpenProposals(tx: ReadTx, now: Instant): Promise<Waiting> {
  return tx.q
    .selectFrom('proposals')
    .select(({ fn }) => [fn.countAll<number>().as('count'), fn.min<Instant | null>('proposed_at').as('since')])
    .where('status', '=', 'proposed')
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow();
}

/** Runs that failed or ran out of time. */
export async function countFailedRuns(tx: ReadTx, since: Instant): Promise<number> {
  const { count } = await tx.q
    .selectFrom('workflow_runs')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('started_at', '>=', since)
    .where('status', 'in', ['error', 'timeout'])
    .executeTakeFirstOrThrow();
  return count;
}

export interface FailedWorkflow {
  workflowId: string;
  status: 'error' | 'timeout';
  since: Instant | null;
}

/** Enabled workflows whose newest finished run failed or ran out of time. */
export async function selectFailedWorkflows(tx: ReadTx): Promise<FailedWorkflow[]> {
  const { rows } = await sql<{ id: string; status: 'error' | 'timeout'; completed_at: Instant | null }>`
    select w.id, r.status, r.completed_at from workflows w join workflow_runs r on r.id = (
      select id from workflow_runs where workflow_id = w.id and status <> 'skipped' and status <> 'in_progress'
      order by started_at desc, id desc limit 1)
    where w.is_enabled = 1 and r.status in ('error', 'timeout')`.execute(tx.q);
  return rows.map(({ id, status, completed_at }) => ({ workflowId: id, status, since: completed_at }));
}

/** Connections of a member, by UUID; null for everybody's. */
export async function selectOwnConnections(tx: ReadTx, ownerId: string | null): Promise<ReadonlySet<string> | null> {
  if (ownerId === null) return null;
  const rows = await tx.q.selectFrom('connections').select('id').where('user_id', '=', ownerId).execute();
  return new Set(rows.map(({ id }) => id));
}
