import type { ReadTx } from '../../../db/unit-of-work.ts';
import { elapsedSince, startTimer } from '../../../kernel/clock.ts';
import { LIMITS } from '../../../kernel/limits.ts';
import { selectContextBefore, type ContextRow, type Parts, type AccountsAndMembers } from '../rule-rows.queries.ts';

/** Reads the live rows in chunks, newest first, so that memory does not grow with the ledger. */
export interface LedgerScan {
  readonly chunks: AsyncIterable<readonly ContextRow[]>;
  /** Whether time ran out before the last row. The rows read so far are then the newest. */
  readonly isTruncated: () => boolean;
  readonly scannedCount: () => number;
}

const NEWEST = { date: '9999-12-31', id: 'g' };

export function scanLedger(
  tx: ReadTx,
  household: AccountsAndMembers,
  parts: Parts,
  maxMs: number = Number.POSITIVE_INFINITY,
): LedgerScan {
  const start = startTimer();
  let isTruncated = false;
  let scannedCount = 0;
  async function* chunks(): AsyncGenerator<readonly ContextRow[]> {
    let before = NEWEST;
    while (!isTruncated) {
      const rows = await selectContextBefore(tx, household, parts, before, LIMITS.ruleChunkRows);
      const last = rows.at(-1);
      if (!last) return;
      scannedCount += rows.length;
      yield rows;
      if (rows.length < LIMITS.ruleChunkRows) return;
      before = { date: last.row.date, id: last.id };
      isTruncated = elapsedSince(start) >= maxMs && (await isAnyBefore(before));
    }
  }
  const isAnyBefore = async (before: typeof NEWEST): Promise<boolean> =>
    (await selectContextBefore(tx, household, parts, before, 1)).length > 0;
  return { chunks: chunks(), isTruncated: () => isTruncated, scannedCount: () => scannedCount };
}
