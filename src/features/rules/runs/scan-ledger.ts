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

/** What ends a scan before the last row: after each chunk, never before the first. */
interface ScanEnd {
  maxMs?: number;
  /** Whether nobody waits for it any longer. */
  isAbandoned?: () => boolean;
}

const NEWEST = { date: '9999-12-31', id: 'g' };

export function scanLedger(
  tx: ReadTx,
  household: AccountsAndMembers,
  parts: Parts,
  { maxMs = Number.POSITIVE_INFINITY, isAbandoned = () => false }: ScanEnd = {},
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
      isTruncated = (isAbandoned() || elapsedSince(start) >= maxMs) && (await isAnyBefore(before));
    }
  }
  const isAnyBefore = async (before: typeof NEWEST): Promise<boolean> =>
    (await selectContextBefore(tx, household, parts, before, 1)).length > 0;
  return { chunks: chunks(), isTruncated: () => isTruncated, scannedCount: () => scannedCount };
}
