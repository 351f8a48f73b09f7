import { sql, type RawBuilder } from 'kysely';

import type { ReadTx } from '../../db/unit-of-work.ts';
import type { DateOnly, Instant } from '../../kernel/dates.ts';
import { firstUuidAt } from '../../kernel/ids.ts';
import { effectiveOwner } from '../accounts/index.ts';
import { countUpTo } from '../transactions/index.ts';

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

/** The monthly totals of posted rows under the names of `transactions t`, so that a condition on those holds for these. */
const POSTED = sql`(select month, account_id, nullif(category_id, '') as category_id,
  nullif(attributed_user_id, '') as attributed_user_id, count from monthly_totals) as t`;

/** The few pending rows by their own index: without statistics, SQLite would look at every live row. */
function pendingRows({ portable }: ReadTx): RawBuilder<unknown> {
  return portable.readBy('transactions', 't', 'transactions_pending');
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
  const mine = own ? sql`and ${own}` : sql``;
  const live = sql`t.deleted_at is null ${mine}`;
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
    select waiting.pending, waiting.uncategorized + cast(posted.uncategorized as bigint) as uncategorized,
      ${reviewed} as needs_review, flagged, flagged_since
    from (select count(*) filter (where ${live}) as pending,
        count(*) filter (where t.category_id is null and ${live}) as uncategorized
      from ${pendingRows(tx)} where t.pending = 1) as waiting
    cross join (select coalesce(sum(t.count), 0) as uncategorized
      from ${POSTED} where t.category_id is null ${mine}) as posted
    cross join (select count(*) filter (where ${live}) as flagged,
      min(t.flagged_at) filter (where ${live}) as flagged_since
      from transactions t where t.flagged_at is not null) as flags`.execute(tx.q);
  return rows[0] as StateCounts;
}

interface Extent {
  transactions: number;
  earliest_date: DateOnly | null;
  latest_date: DateOnly | null;
}

export interface LiveCounts extends Extent {
  added_24h: number;
  added_7d: number;
}

/** Counts of live rows, and of those added since two instants. */
export async function countLive(tx: ReadTx, own: Own, dayAgo: Instant, weekAgo: Instant): Promise<LiveCounts> {
  const extent = own ? await extentOfOwn(tx, own) : await extentOfAll(tx);
  const addedSince = (at: Instant): Promise<number> => countAdded(tx, own, firstUuidAt(at), extent.transactions);
  return { ...extent, added_24h: await addedSince(dayAgo), added_7d: await addedSince(weekAgo) };
}

/** Posted rows are counted in the monthly totals; counting a million of them would take longer than all else. */
async function extentOfAll(tx: ReadTx): Promise<Extent> {
  const { rows } = await sql<Extent>`select
    cast((select coalesce(sum(count), 0) from monthly_totals) as bigint)
      + (select count(*) from ${pendingRows(tx)} where t.pending = 1 and t.deleted_at is null) as transactions,
    (select min(date) from transactions where deleted_at is null) as earliest_date,
    (select max(date) from transactions where deleted_at is null) as latest_date`.execute(tx.q);
  return rows[0] as Extent;
}

/** The monthly totals of a member also say which months their first and last rows are in. */
async function extentOfOwn(tx: ReadTx, own: RawBuilder<unknown>): Promise<Extent> {
  const posted = tx.portable.readBy('transactions', 't', 'transactions_for_totals');
  const inMonth = (month: RawBuilder<unknown>): RawBuilder<unknown> => sql`t.deleted_at is null and t.pending = 0
    and t.date >= ${month} || '-01' and t.date <= ${month} || '-31' and ${own}`;
  const { rows } = await sql<Extent>`
    with months as materialized (
      select cast(coalesce(sum(t.count), 0) as bigint) as n, min(t.month) as first, max(t.month) as last
      from ${POSTED} where ${own}),
    parts as materialized (
      select n, (select min(t.date) from ${posted} where ${inMonth(sql`months.first`)}) as first,
        (select max(t.date) from ${posted} where ${inMonth(sql`months.last`)}) as last
      from months
      union all
      select count(*) as n, min(t.date) as first, max(t.date) as last
      from ${pendingRows(tx)} where t.pending = 1 and t.deleted_at is null and ${own})
    select cast(sum(n) as bigint) as transactions, min(first) as earliest_date, max(last) as latest_date
    from parts`.execute(tx.q);
  return rows[0] as Extent;
}

type Side = RawBuilder<unknown>;
const NEWER: Side = sql`>=`;
const OLDER: Side = sql`<`;
const LOOKED_AT = [1_000, 10_000, 100_000, 1_000_000, 10_000_000];

/**
 * How many of `live` rows have an id from `first` on; UUIDs begin with the time that they were made. In its first week a
 * household has little that is older, later little that is newer: the fewer rows are counted.
 */
async function countAdded(tx: ReadTx, own: Own, first: string, live: number): Promise<number> {
  const side = await sideOfFewer(tx, first);
  const there = sql`t.id ${side} ${first}`;
  // The primary key counts live and deleted rows; the deleted ones have an index of their own.
  const counted = own
    ? sql`(select count(*) from transactions t where ${there} and t.deleted_at is null and ${own})`
    : sql`(select count(*) from transactions t where ${there})
        - (select count(*) filter (where ${there}) from transactions t where t.deleted_at is not null)`;
  const { rows } = await sql<{ n: number }>`select ${counted} as n`.execute(tx.q);
  const n = rows[0]?.n ?? 0;
  return side === NEWER ? n : live - n;
}

async function sideOfFewer(tx: ReadTx, id: string): Promise<Side> {
  for (const most of LOOKED_AT) {
    for (const side of [NEWER, OLDER]) {
      const found = await countUpTo(tx, most, sql`select 1 from transactions where id ${side} ${id}`);
      if (found < most) return side;
    }
  }
  return NEWER;
}
