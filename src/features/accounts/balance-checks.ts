import { sql } from 'kysely';
import type { z } from 'zod';

import type { AccountProof, FeedBalanceCheck } from '../../db/schema.ts';
import type { ReadTx } from '../../db/unit-of-work.ts';
import { addDays } from '../../kernel/dates.ts';
import type { BalanceCheck } from './accounts.contract.ts';

export type BalanceCheckRecord = z.output<typeof BalanceCheck>;

interface Candidate {
  record: BalanceCheckRecord;
  /** When it was found out. */
  at: string;
}

/** What the newest balance of each account says of its rows (contract 80.2.1), by UUID; only where one says anything. */
export async function balanceChecks(
  tx: ReadTx,
  accountIds: readonly string[],
): Promise<Map<string, BalanceCheckRecord>> {
  const newest = new Map<string, Candidate>();
  const consider = (accountId: string, candidate: Candidate): void => {
    const other = newest.get(accountId);
    if (!other || isNewer(candidate, other)) newest.set(accountId, candidate);
  };
  for (const { account_id: id, balance_check: stored } of await selectFeedChecks(tx, accountIds)) {
    const candidate = ofSync(JSON.parse(stored) as FeedBalanceCheck);
    if (candidate) consider(id, candidate);
  }
  const proofs = await newestProofs(tx, accountIds);
  for (const [id, proof] of proofs) {
    const other = newest.get(id);
    if (other && !isNewer(proof.candidate, other)) continue;
    if (await isMended(tx, id, proof.stored)) proof.candidate.record = mended(proof.candidate.record);
    consider(id, proof.candidate);
  }
  return new Map([...newest].map(([id, { record }]) => [id, record]));
}

export async function balanceCheckOf(tx: ReadTx, accountId: string): Promise<BalanceCheckRecord | undefined> {
  return (await balanceChecks(tx, [accountId])).get(accountId);
}

/** By the day whose balance it is; of one day, what was found out last. */
function isNewer(one: Candidate, other: Candidate): boolean {
  if (one.record.date !== other.record.date) return one.record.date > other.record.date;
  return one.at > other.at;
}

function mended({ difference: _closed, ...record }: BalanceCheckRecord): BalanceCheckRecord {
  return { ...record, status: 'agrees' };
}

async function selectFeedChecks(
  tx: ReadTx,
  accountIds: readonly string[],
): Promise<{ account_id: string; balance_check: string }[]> {
  const { rows } = await sql<{ account_id: string; balance_check: string }>`
    select account_id, balance_check from account_feeds
    where ${tx.portable.inList(sql.ref('account_id'), accountIds)} and balance_check is not null`.execute(tx.q);
  return rows;
}

function ofSync({ status, difference, balance }: FeedBalanceCheck): Candidate | undefined {
  if (status === 'not_available' || balance === null) return undefined;
  const { date, iso_currency_code, sync_log_id, at } = balance;
  const record = { status, date, iso_currency_code, source: 'sync' as const, sync_log_id };
  return { record: difference === null ? record : { ...record, difference }, at };
}

interface NewestProof {
  stored: AccountProof;
  candidate: Candidate;
}

async function newestProofs(tx: ReadTx, accountIds: readonly string[]): Promise<Map<string, NewestProof>> {
  const { rows } = await sql<{ account_id: string; proof: string; import_id: string; finished_at: string | null }>`
    select a.account_id, a.proof, a.import_id, i.finished_at
    from import_accounts a join imports i on i.id = a.import_id
    where ${tx.portable.inList(sql.ref('a.account_id'), accountIds)} and a.proof is not null
      and i.status in ('completed', 'partly_reverted')`.execute(tx.q);
  const newest = new Map<string, NewestProof>();
  for (const row of rows) {
    const stored = JSON.parse(row.proof) as AccountProof;
    const { status, date, iso_currency_code, difference } = stored;
    const record = { status, date, iso_currency_code, source: 'import' as const, import_id: row.import_id };
    const candidate = {
      record: difference === null ? record : { ...record, difference },
      at: row.finished_at ?? '',
    };
    const other = newest.get(row.account_id);
    if (!other || isNewer(candidate, other.candidate)) newest.set(row.account_id, { stored, candidate });
  }
  return newest;
}

/** Whether files that came later brought what was missing, so that the rows now lead to the closing balance. */
async function isMended(tx: ReadTx, accountId: string, { gap, iso_currency_code }: AccountProof): Promise<boolean> {
  if (gap === null) return false;
  const known = gap.first_date === null ? await anchorBefore(tx, accountId, gap.last_date, iso_currency_code) : null;
  const opening = known?.cents ?? gap.opening_cents;
  const after = known?.date ?? (gap.first_date === null ? null : addDays(gap.first_date, -1));
  if (opening === null || after === null) return false;
  const moved = await sumOf(tx, accountId, { after, until: gap.last_date, currency: iso_currency_code });
  return BigInt(opening) + BigInt(gap.factor) * moved === BigInt(gap.closing_cents);
}

/** The newest balance before a day that an import stored. */
async function anchorBefore(
  tx: ReadTx,
  accountId: string,
  before: string,
  currency: string | null,
): Promise<{ date: string; cents: number } | undefined> {
  const { rows } = await sql<{ date: string; cents: number }>`
    select date, balance_current_cents as cents from balance_snapshots
    where account_id = ${accountId} and source = 'import' and iso_currency_code = ${currency ?? ''} and date < ${before}
      and balance_current_cents is not null
    order by date desc limit 1`.execute(tx.q);
  return rows[0];
}

/** The booked rows as they were delivered: those that a person or agent deleted count. */
async function sumOf(
  tx: ReadTx,
  accountId: string,
  { after, until, currency }: { after: string; until: string; currency: string | null },
): Promise<bigint> {
  const sameCurrency = currency === null ? sql`iso_currency_code is null` : sql`iso_currency_code = ${currency}`;
  const { rows } = await sql<{ sum: string | null }>`
    select ${tx.portable.exactSum(sql.ref('amount_cents'))} as sum from transactions
    where account_id = ${accountId} and pending = 0 and date > ${after} and date <= ${until} and ${sameCurrency}
      and (deleted_at is null or deleted_cause in ('person', 'agent'))`.execute(tx.q);
  return BigInt(rows[0]?.sum ?? 0);
}
