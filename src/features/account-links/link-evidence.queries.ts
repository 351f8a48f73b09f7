import { sql, type RawBuilder } from 'kysely';

import type { AccountLinksTable } from '../../db/schema.ts';
import type { ReadTx } from '../../db/unit-of-work.ts';
import { addDays } from '../../kernel/dates.ts';
import { countRows, findSpan, isBaseRow, isUnmatched, unmatchedRows, type Span } from '../transaction-matches/index.ts';
import { exact, totalsOf, type TotalRecord } from '../transactions/index.ts';

/** The facts behind the warnings about a link (50.1.1). */
export interface Evidence {
  /** Base rows of the dependent account between the first and the last of the primary, and those of them with a match. */
  overlapping: { count: number; matched: number };
  /** Base rows of the primary account within the dependent's dates, and those of them that this link matched. */
  covered: { count: number; matched: number };
  /** Whether the dependent account has unmatched rows where the primary has no history. */
  hasUncovered: boolean;
}

export async function selectEvidence(tx: ReadTx, link: AccountLinksTable): Promise<Evidence> {
  const { primary_account_id: primaryId, dependent_account_id: dependentId, match_tolerance_days: days } = link;
  const [primary, dependent] = [await findSpan(tx, primaryId), await findSpan(tx, dependentId)];
  const overlapping = rowsIn(dependentId, primary);
  const covered = rowsIn(primaryId, dependent);
  const isCovered = primary ? rowsIn(dependentId, widened(primary, days)) : null;
  return {
    overlapping: await tally(tx, overlapping, sql`not ${isUnmatched('dependent')}`),
    covered: await tally(tx, covered, sql`${isMatchedBy(link)}`),
    hasUncovered:
      (await countRows(
        tx,
        sql`transactions t where ${unmatchedRows(link, 'dependent', dependent)}
          and ${isCovered ? sql`not (${isCovered})` : sql`1 = 1`}`,
      )) > 0,
  };
}

/** Base rows of an account within a time. */
export async function countOverlapping(tx: ReadTx, accountId: string, span: Span): Promise<number> {
  return countRows(tx, sql`transactions t where ${rowsIn(accountId, span)}`);
}

export async function countConfirmed(tx: ReadTx, linkId: string): Promise<number> {
  const isConfirmed = sql`m.account_link_id = ${linkId} and m.confidence = 'confirmed'`;
  return countRows(tx, sql`transaction_matches m where ${isConfirmed}`);
}

async function tally(
  tx: ReadTx,
  rows: RawBuilder<boolean>,
  isMatched: RawBuilder<unknown>,
): Promise<{ count: number; matched: number }> {
  return {
    count: await countRows(tx, sql`transactions t where ${rows}`),
    matched: await countRows(tx, sql`transactions t where ${rows} and ${isMatched}`),
  };
}

function isMatchedBy({ id }: AccountLinksTable): RawBuilder<unknown> {
  return sql`exists (select 1 from transaction_matches m
    where m.primary_transaction_id = t.id and m.account_link_id = ${id} and m.confidence <> 'rejected')`;
}

function rowsIn(accountId: string, span: Span | null): RawBuilder<boolean> {
  if (!span) return sql<boolean>`1 = 0`;
  return sql<boolean>`t.account_id = ${accountId} and ${isBaseRow} and t.date >= ${span.from} and t.date <= ${span.to}`;
}

function widened({ from, to }: Span, days: number): Span {
  return { from: addDays(from, -days), to: addDays(to, days) };
}

/** Sums of the unmatched rows of the dependent account, which are in no total. */
export async function unmatchedTotals(tx: ReadTx, link: AccountLinksTable): Promise<TotalRecord[]> {
  const { rows } = await sql<{
    iso_currency_code: string | null;
    count: number | string;
    total: string;
    incoming: string | null;
  }>`
    select t.iso_currency_code, count(*) as count, ${tx.portable.exactSum(sql.ref('t.amount_cents'))} as total,
      ${tx.portable.exactSum(sql`case when t.amount_cents < 0 then t.amount_cents end`)} as incoming
    from transactions t where ${unmatchedRows(link, 'dependent', null)}
    group by t.iso_currency_code`.execute(tx.q);
  return totalsOf(
    rows.map(({ iso_currency_code, count, total, incoming }) => ({
      iso_currency_code,
      count: Number(count),
      ...exact(total, incoming),
    })),
  );
}
