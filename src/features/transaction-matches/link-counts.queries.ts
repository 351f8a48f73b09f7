import { sql, type RawBuilder } from 'kysely';

import type { AccountLinksTable } from '../../db/schema.ts';
import type { ReadTx } from '../../db/unit-of-work.ts';
import { addDays } from '../../kernel/dates.ts';

export type Side = 'primary' | 'dependent';

/** Counts of a link as its records show them (50.1.5). */
export interface Reconciliation {
  matched_count: number;
  unmatched_primary_count: number;
  unmatched_dependent_count: number;
}

type Link = Pick<AccountLinksTable, 'id' | 'primary_account_id' | 'dependent_account_id' | 'match_tolerance_days'>;

/** The first and last day of an account's base rows: neither deleted nor pending. */
export interface Span {
  from: string;
  to: string;
}

export async function findSpan(tx: ReadTx, accountId: string): Promise<Span | null> {
  const { rows } = await sql<{ from_date: string | null; to_date: string }>`
    select min(date) as from_date, max(date) as to_date from transactions t
    where t.account_id = ${accountId} and ${isBaseRow}`.execute(tx.q);
  const row = rows[0];
  return row && row.from_date !== null ? { from: row.from_date, to: row.to_date } : null;
}

export const isBaseRow = sql<boolean>`t.deleted_at is null and t.pending = 0`;

export function isUnmatched(side: Side): RawBuilder<boolean> {
  return sql<boolean>`not exists (select 1 from transaction_matches m
    where ${sql.ref(`m.${side}_transaction_id`)} = t.id and m.confidence <> 'rejected')`;
}

/**
 * The unmatched rows `t` of one side: all of the dependent account, and those of the primary account in the time that
 * the dependent one covers. `span` is that of the dependent account.
 */
export function unmatchedRows(link: Link, side: Side, span: Span | null): RawBuilder<boolean> {
  const account = side === 'primary' ? link.primary_account_id : link.dependent_account_id;
  const rows = sql<boolean>`t.account_id = ${account} and ${isBaseRow} and ${isUnmatched(side)}`;
  if (side === 'dependent') return rows;
  if (!span) return sql<boolean>`1 = 0`;
  const days = link.match_tolerance_days;
  return sql<boolean>`${rows} and t.date >= ${addDays(span.from, -days)} and t.date <= ${addDays(span.to, days)}`;
}

export async function countMatches(tx: ReadTx, link: Link): Promise<Reconciliation> {
  const span = await findSpan(tx, link.dependent_account_id);
  const unmatched = async (side: Side): Promise<number> =>
    countRows(tx, sql`transactions t where ${unmatchedRows(link, side, span)}`);
  const isLive = sql`m.account_link_id = ${link.id} and m.confidence <> 'rejected'`;
  return {
    matched_count: await countRows(tx, sql`transaction_matches m where ${isLive}`),
    unmatched_primary_count: await unmatched('primary'),
    unmatched_dependent_count: await unmatched('dependent'),
  };
}

export async function countRows(tx: ReadTx, from: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ count: number | string }>`select count(*) as count from ${from}`.execute(tx.q);
  return Number(rows[0]?.count ?? 0);
}

/** A page of unmatched rows of one side, newest first: exactly those that are counted. */
export async function selectUnmatched(
  tx: ReadTx,
  link: Link,
  side: Side,
  { limit, after }: { limit: number; after: { date: string; id: string } | null },
): Promise<{ id: string; date: string }[]> {
  const span = side === 'primary' ? await findSpan(tx, link.dependent_account_id) : null;
  const older = after ? sql`and (t.date < ${after.date} or (t.date = ${after.date} and t.id < ${after.id}))` : sql``;
  const { rows } = await sql<{ id: string; date: string }>`
    select t.id, t.date from transactions t where ${unmatchedRows(link, side, span)} ${older}
    order by t.date desc, t.id desc limit ${sql.lit(limit)}`.execute(tx.q);
  return rows;
}
