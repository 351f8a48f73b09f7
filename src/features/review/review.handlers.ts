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
import { countWaiting, resolveWaiting, selectWaiting, type ReviewFilter } from './waiting.queries.ts';

const SAMPLE = 3;

export const getReview = handleRead(contract.getReview, async ({ tx }, { query }) => {
  const { rows, total_rows } = await readWaiting(tx, query);
  const groups = groupWaiting(rows);
  return {
    groups: await showGroups(tx, groups.slice(0, query.limit)),
    total_groups: groups.length,
    total_rows,
    truncated: total_rows.needs_review + total_rows.uncategorized + total_rows.flagged > rows.length,
  };
});

/** The newest rows that wait, and how many do for each reason. */
async function readWaiting(tx: ReadTx, query: ReviewFilter & { reason?: Reason[] | undefined }) {
  const waiting = await resolveWaiting(tx, query);
  const total_rows = { needs_review: 0, uncategorized: 0, flagged: 0 };
  let rows: WaitingRow[] = [];
  // What is older than the oldest of so many has no place among them.
  let since: string | null = null;
  for (const reason of query.reason ?? contract.REVIEW_REASONS) {
    const found = await selectWaiting(tx, waiting, reason, { limit: LIMITS.reviewRows + 1, since });
    const isAll: boolean = since === null && found.length <= LIMITS.reviewRows;
    total_rows[reason] = isAll ? found.length : await countWaiting(tx, waiting, reason);
    rows.push(...found);
    if (rows.length <= LIMITS.reviewRows) continue;
    rows = newestOf(rows);
    since = rows.at(-1)?.date ?? null;
  }
  return { rows, total_rows };
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
