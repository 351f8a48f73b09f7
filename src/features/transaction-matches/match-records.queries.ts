import { sql, type RawBuilder } from 'kysely';
import type { z } from 'zod';

import type { ReadTx } from '../../db/unit-of-work.ts';
import { dayNumber } from '../../kernel/dates.ts';
import { formatCents } from '../../kernel/money.ts';
import type { TransactionMatch } from './match-record.contract.ts';
import type { Confidence, MatchRow } from './transaction-matches.entity.ts';

type MatchRecord = z.input<typeof TransactionMatch>;

interface JoinedRow extends MatchRow {
  attributed: string | null;
  primary_name: string;
  primary_merchant: string | null;
  primary_cents: number;
  primary_currency: string | null;
  primary_date: string;
  dependent_name: string;
  dependent_merchant: string | null;
  dependent_cents: number;
  dependent_currency: string | null;
  dependent_date: string;
}

interface MatchPage {
  confidences: readonly Confidence[];
  /** A row on either side; null for any. */
  transactionId: string | null;
  limit: number;
  after: { date: string; id: string } | null;
}

/** A page of a link's matches by the date of the primary row, newest first, then by id, highest first (50.1.2). */
export async function selectMatches(
  tx: ReadTx,
  linkId: string,
  { confidences, transactionId, limit, after }: MatchPage,
): Promise<MatchRecord[]> {
  const older = after ? sql`and (p.date < ${after.date} or (p.date = ${after.date} and m.id < ${after.id}))` : sql``;
  const of =
    transactionId === null
      ? sql``
      : sql`and (m.primary_transaction_id = ${transactionId} or m.dependent_transaction_id = ${transactionId})`;
  return selectRecords(
    tx,
    sql`where m.account_link_id = ${linkId} and ${tx.portable.inList(sql.ref('m.confidence'), confidences)} ${of} ${older}
      order by p.date desc, m.id desc limit ${sql.lit(limit)}`,
  );
}

/** The live matches that a transaction is in, on either side. */
export async function selectMatchesOf(tx: ReadTx, transactionId: string): Promise<MatchRecord[]> {
  return selectRecords(
    tx,
    sql`where (m.primary_transaction_id = ${transactionId} or m.dependent_transaction_id = ${transactionId})
      and m.confidence <> 'rejected' order by m.id`,
  );
}

export async function getMatchRecord(tx: ReadTx, id: string): Promise<MatchRecord> {
  const [record] = await selectRecords(tx, sql`where m.id = ${id}`);
  if (!record) throw new Error('A match that was just written does not exist.');
  return record;
}

async function selectRecords(tx: ReadTx, which: RawBuilder<unknown>): Promise<MatchRecord[]> {
  const { rows } = await sql<JoinedRow>`
    select m.*,
      case when p.attributed_by_link_id = m.account_link_id and m.confidence <> 'rejected' then u.short_id end
        as attributed,
      p.name as primary_name, p.merchant_name as primary_merchant, p.amount_cents as primary_cents,
      p.iso_currency_code as primary_currency, p.date as primary_date,
      d.name as dependent_name, d.merchant_name as dependent_merchant, d.amount_cents as dependent_cents,
      d.iso_currency_code as dependent_currency, d.date as dependent_date
    from transaction_matches m
    join transactions p on p.id = m.primary_transaction_id
    join transactions d on d.id = m.dependent_transaction_id
    left join users u on u.id = p.attributed_user_id ${which}`.execute(tx.q);
  return rows.map(toRecord);
}

function toRecord(row: JoinedRow): MatchRecord {
  return {
    id: row.id,
    short_id: row.short_id,
    account_link_id: row.account_link_id,
    primary_transaction_id: row.primary_transaction_id,
    dependent_transaction_id: row.dependent_transaction_id,
    confidence: row.confidence as Confidence,
    matched_on: JSON.parse(row.matched_on) as MatchRecord['matched_on'],
    date_distance_days: Math.abs(dayNumber(row.primary_date) - dayNumber(row.dependent_date)),
    attributed_user_id: row.attributed,
    primary: {
      name: row.primary_name,
      merchant_name: row.primary_merchant,
      amount: formatCents(row.primary_cents),
      iso_currency_code: row.primary_currency,
      date: row.primary_date,
    },
    dependent: {
      name: row.dependent_name,
      merchant_name: row.dependent_merchant,
      amount: formatCents(row.dependent_cents),
      iso_currency_code: row.dependent_currency,
      date: row.dependent_date,
    },
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}
