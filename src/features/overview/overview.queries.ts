import { sql, type RawBuilder } from 'kysely';

import type { ReadTx } from '../../db/unit-of-work.ts';
import type { DateOnly, Instant } from '../../kernel/dates.ts';
import { firstUuidAt } from '../../kernel/ids.ts';
import { effectiveOwner } from '../accounts/index.ts';

const REVIEW = 'needs-review';

/** A condition on `transactions t`: the row belongs to this owner (contract 10.1.3). null for everybody's. */
export type Own = RawBuilder<unknown> | null;

/** Its columns are not looked up by an index: a member's rows are a large part of all, so other columns find them. */
export async function ownedBy(tx: ReadTx, ownerId: string | null): Promise<Own> {
  if (ownerId === null) return null;
  const owned = tx.q
    .selectFrom('accounts')
    .leftJoin('connections', 'connections.id', 'accounts.connection_id')
    .select('accounts.id')
    .where(effectiveOwner(), '=', ownerId);
  const ids = (await owned.execute()).map(({ id }) => id);
  const column = (name: string): RawBuilder<unknown> => tx.portable.unindexed(sql.ref(`t.${name}`));
  const [attributed, account] = [column('attributed_user_id'), column('account_id')];
  return sql`(${attributed} = ${ownerId} or (${attributed} is null and ${tx.portable.inList(account, ids)}))`;
}

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

export interface StateCounts {
  pending: number;
  uncategorized: number;
  needs_review: number;
  flagged: number;
  flagged_since: Instant | null;
}

/** Counts of live rows by state. The index of a state finds its few rows; those deleted are told apart afterwards. */
export async function countStates(tx: ReadTx, own: Own): Promise<StateCounts> {
  const { orderedJoin } = tx.portable;
  const live = own ? sql`t.deleted_at is null and ${own}` : sql`t.deleted_at is null`;
  const tagged = sql`tags ${orderedJoin} transaction_tags tt on tt.tag_id = tags.id`;
  const deleted = sql`transactions t ${orderedJoin} transaction_tags tt on tt.transaction_id = t.id
    ${orderedJoin} tags on tags.id = tt.tag_id`;
  // A new import can tag every row, so the pairs of everybody are counted without looking at their rows.
  const reviewed = own
    ? sql`(select count(*) from ${tagged} ${orderedJoin} transactions t on t.id = tt.transaction_id
        where tags.slug = ${REVIEW} and ${live})`
    : sql`(select count(*) from ${tagged} where tags.slug = ${REVIEW})
        - (select count(*) from ${deleted} where t.deleted_at is not null and tags.slug = ${REVIEW})`;
  const { rows } = await sql<StateCounts>`
    select pending, uncategorized, ${reviewed} as needs_review, flagged, flagged_since
    from (select count(*) filter (where ${live}) as pending from transactions t where t.pending = 1) as waiting
    cross join (select count(*) as uncategorized from transactions t where t.category_id is null and ${live}) as bare
    cross join (select count(*) filter (where ${live}) as flagged,
      min(t.flagged_at) filter (where ${live}) as flagged_since
      from transactions t where t.flagged_at is not null) as flags`.execute(tx.q);
  return rows[0] as StateCounts;
}

export interface LiveCounts {
  transactions: number;
  earliest_date: DateOnly | null;
  latest_date: DateOnly | null;
  added_24h: number;
  added_7d: number;
}

/** Counts of live rows and of those added since two instants; UUIDs begin with the time that they were made. */
export async function countLive(tx: ReadTx, own: Own, dayAgo: Instant, weekAgo: Instant): Promise<LiveCounts> {
  const [ofDay, ofWeek] = [firstUuidAt(dayAgo), firstUuidAt(weekAgo)];
  if (own) return countOwn(tx, own, ofDay, ofWeek);
  // Posted rows are counted in the monthly totals; counting a million of them would take longer than all else.
  const { rows } = await sql<LiveCounts>`select
    cast((select coalesce(sum(count), 0) from monthly_totals) as bigint)
      + (select count(*) from ${pendingRows(tx)} where t.pending = 1 and t.deleted_at is null) as transactions,
    (select min(date) from transactions where deleted_at is null) as earliest_date,
    (select max(date) from transactions where deleted_at is null) as latest_date,
    ${addedSince(ofDay)} as added_24h, ${addedSince(ofWeek)} as added_7d`.execute(tx.q);
  return rows[0] as LiveCounts;
}

/** The few pending rows by their own index: without statistics, SQLite would look at every live row. */
function pendingRows({ portable }: ReadTx): RawBuilder<unknown> {
  return portable.readBy('transactions', 't', 'transactions_pending');
}

/** The table of monthly totals counts the posted rows of a member, and says which months their first and last are in. */
async function countOwn(tx: ReadTx, own: RawBuilder<unknown>, ofDay: string, ofWeek: string): Promise<LiveCounts> {
  const posted = tx.portable.readBy('transactions', 't', 'transactions_for_totals');
  const inMonth = (month: RawBuilder<unknown>): RawBuilder<unknown> => sql`t.deleted_at is null and t.pending = 0
    and t.date >= ${month} || '-01' and t.date <= ${month} || '-31' and ${own}`;
  const { rows } = await sql<LiveCounts>`
    with months as materialized (
      select cast(coalesce(sum(t.count), 0) as bigint) as n, min(t.month) as first, max(t.month) as last
      from (select month, account_id, nullif(attributed_user_id, '') as attributed_user_id, count
        from monthly_totals) as t where ${own}),
    parts as materialized (
      select n, (select min(t.date) from ${posted} where ${inMonth(sql`months.first`)}) as first,
        (select max(t.date) from ${posted} where ${inMonth(sql`months.last`)}) as last
      from months
      union all
      select count(*) as n, min(t.date) as first, max(t.date) as last
      from ${pendingRows(tx)} where t.pending = 1 and t.deleted_at is null and ${own}),
    added as materialized (
      select count(*) filter (where t.id >= ${ofDay}) as day, count(*) as week
      from transactions t where t.id >= ${ofWeek} and t.deleted_at is null and ${own})
    select (select cast(sum(n) as bigint) from parts) as transactions, (select min(first) from parts) as earliest_date,
      (select max(last) from parts) as latest_date, added.day as added_24h, added.week as added_7d
    from added`.execute(tx.q);
  return rows[0] as LiveCounts;
}

/** The primary key counts live and deleted rows; the deleted ones have an index of their own. */
function addedSince(id: string): RawBuilder<unknown> {
  return sql`(select count(*) from transactions where id >= ${id})
    - (select count(*) filter (where id >= ${id}) from transactions where deleted_at is not null)`;
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
