import { sql } from 'kysely';

import type { ReadTx } from '../../db/unit-of-work.ts';
import type { DateOnly } from '../../kernel/dates.ts';
import { effectiveOwner } from '../accounts/index.ts';
import type { DaySum, HeldAccount, Snapshot, Span } from './net-worth.ts';

const LIABILITIES: ReadonlySet<string> = new Set(['credit', 'loan']);

/** UUIDs; with accounts exactly those, otherwise those that count in balances (contract 80.2). */
export interface Holding {
  ownerIds?: readonly string[];
  accountIds?: readonly string[];
}

export async function selectHeldAccounts(tx: ReadTx, { ownerIds, accountIds }: Holding): Promise<HeldAccount[]> {
  const firstRow = sql<string | null>`(select t.date from transactions t where t.account_id = accounts.id
    and t.deleted_at is null and t.pending = 0 order by t.date limit 1)`;
  let query = tx.q
    .selectFrom('accounts')
    .leftJoin('connections', 'connections.id', 'accounts.connection_id')
    .select(['accounts.id', 'accounts.type', firstRow.as('first_row_date')])
    .where('accounts.deleted_at', 'is', null);
  if (ownerIds) query = query.where(tx.portable.inList(effectiveOwner(), ownerIds));
  query = accountIds
    ? query.where(tx.portable.inList(sql.ref('accounts.id'), accountIds))
    : query
        .where('accounts.is_excluded', '=', 0)
        .where('accounts.is_dependent_linked', '=', 0)
        .where('connections.status', '!=', 'disconnected');
  const rows = await query.execute();
  return rows.map(({ id, type, first_row_date }) => ({
    id,
    isLiability: LIABILITIES.has(type),
    firstRowDate: first_row_date,
  }));
}

/**
 * The balances from which those of a range follow: per account and currency the oldest, the newest, the last before
 * the range, and those in it. Without a range only the newest.
 */
export async function selectSnapshots(
  tx: ReadTx,
  accounts: readonly HeldAccount[],
  range: { from: DateOnly; to: DateOnly } | null,
): Promise<Snapshot[]> {
  const ids = accounts.map(({ id }) => id);
  const among = tx.portable.inList(sql.ref('account_id'), ids);
  const known = sql`case when balance_current_cents is not null`;
  const more = range
    ? sql`, min(${known} then date end) as oldest, max(${known} and date <= ${range.from} then date end) as base`
    : sql``;
  const wanted = range
    ? sql`s.date in (ends.newest, ends.oldest, ends.base) or s.date between ${range.from} and ${range.to}`
    : sql`s.date = ends.newest`;
  const { rows } = await sql<{ account_id: string; currency: string; date: string; cents: number | null }>`
    with ends as (select account_id, iso_currency_code, max(date) as newest ${more} from balance_snapshots
      where ${among} group by account_id, iso_currency_code)
    select s.account_id, s.iso_currency_code as currency, s.date, s.balance_current_cents as cents
    from ends ${tx.portable.orderedJoin} balance_snapshots s
      on s.account_id = ends.account_id and s.iso_currency_code = ends.iso_currency_code
    where ${wanted}`.execute(tx.q);
  return rows.map(({ account_id: accountId, currency, date, cents }) => ({
    accountId,
    currency,
    date,
    cents: cents === null ? null : BigInt(cents),
  }));
}

/**
 * What live posted rows add up to per account, currency and day: those of these spans, and what else the accounts have
 * between the first day of all spans and the last. The index in order of days covers such sums.
 */
export async function selectDaySums(tx: ReadTx, spans: readonly Span[]): Promise<DaySum[]> {
  const [first] = spans;
  if (first === undefined) return [];
  const from = spans.reduce((earliest, one) => (one.from < earliest ? one.from : earliest), first.from);
  const to = spans.reduce((latest, one) => (one.to > latest ? one.to : latest), first.to);
  const accountIds = spans.map(({ accountId }) => accountId);
  const { rows } = await sql<{ account_id: string; currency: string; date: string; cents: string }>`
    select t.account_id, coalesce(t.iso_currency_code, '') as currency, t.date,
      ${tx.portable.exactSum(sql.ref('t.amount_cents'))} as cents
    from ${tx.portable.readBy('transactions', 't', 'transactions_for_totals')}
    where t.date > ${from} and t.date <= ${to} and ${tx.portable.inList(sql.ref('t.account_id'), accountIds)}
      and t.deleted_at is null and t.pending = 0
    group by t.date, t.account_id, t.iso_currency_code`.execute(tx.q);
  return rows.map(({ account_id: accountId, currency, date, cents }) => ({
    accountId,
    currency,
    date,
    cents: BigInt(cents),
  }));
}
