import type { z } from 'zod';

import type { ReadTx } from '../../db/unit-of-work.ts';
import { compareCodePoints } from '../../kernel/fold.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { formatCents } from '../../kernel/money.ts';
import { handleRead } from '../handler.ts';
import { transactionsById } from '../transactions/index.ts';
import type { Transaction } from '../transactions/transaction-record.contract.ts';
import { groupWaiting, isOut, type Group, type Reason, type WaitingRow } from './group-waiting.ts';
import { guessesOf, type Guess } from './guesses.ts';
import * as contract from './review.contract.ts';
import { countWaiting, resolveWaiting, selectWaiting, type Waiting } from './waiting.queries.ts';

const SAMPLE = 3;

export const getReview = handleRead(contract.getReview, async ({ tx }, { query }) => {
  const waiting = await resolveWaiting(tx, query);
  const total_rows = { needs_review: 0, uncategorized: 0, flagged: 0 };
  const rows: WaitingRow[] = [];
  for (const reason of query.reason ?? contract.REVIEW_REASONS) {
    const found = await selectWaiting(tx, waiting, reason, LIMITS.reviewRows + 1);
    total_rows[reason] = await totalOf(tx, waiting, reason, found.length);
    rows.push(...found);
  }
  const truncated = rows.length > LIMITS.reviewRows;
  const groups = groupWaiting(truncated ? newestOf(rows) : rows);
  const shown = groups.slice(0, query.limit);
  return { groups: await showGroups(tx, shown), total_groups: groups.length, total_rows, truncated };
});

async function totalOf(tx: ReadTx, waiting: Waiting, reason: Reason, found: number): Promise<number> {
  return found > LIMITS.reviewRows ? countWaiting(tx, waiting, reason) : found;
}

function newestOf(rows: WaitingRow[]): WaitingRow[] {
  rows.sort((one, other) => compareCodePoints(other.date, one.date) || compareCodePoints(other.id, one.id));
  return rows.slice(0, LIMITS.reviewRows);
}

type GroupRecord = z.input<typeof contract.ReviewGroup>;

async function showGroups(tx: ReadTx, groups: readonly Group[]): Promise<GroupRecord[]> {
  const sampled = groups.flatMap(({ rows }) => rows.slice(0, SAMPLE).map(({ id }) => id));
  const records = (await transactionsById(tx, sampled)) as Map<string, z.input<typeof Transaction>>;
  const guesses = await guessesOf(tx, groups);
  return groups.map((group) => {
    const sample = group.rows.slice(0, SAMPLE).flatMap(({ id }) => records.get(id) ?? []);
    return toGroup(group, sample, guesses.get(group) ?? null);
  });
}

function toGroup({ key, rows }: Group, sample: z.input<typeof Transaction>[], guess: Guess): GroupRecord {
  const [newest, oldest] = [rows[0] as WaitingRow, rows.at(-1) as WaitingRow];
  return {
    key,
    reason: newest.reason,
    label: sample[0]?.counterparty_name ?? '',
    direction: isOut(newest) ? 'out' : 'in',
    iso_currency_code: newest.iso_currency_code,
    counterparty_id: newest.counterparty_id,
    category_id: newest.category_id,
    transaction_count: rows.length,
    total_amount: formatCents(rows.reduce((sum, { amount_cents: cents }) => sum + cents, 0)),
    first_date: oldest.date,
    last_date: newest.date,
    transaction_ids: rows.map(({ id }) => id),
    sample,
    guess,
  };
}
