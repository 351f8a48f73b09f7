import type { Instance } from '../src/features/handler.ts';
import { write, type WriteTx } from '../src/journal/write.ts';
import type { Household, HouseholdTransaction } from './household.ts';
import { writeFrame, type Frame } from './write-household/frame.ts';
import { writeTransactions } from './write-household/transaction-rows.ts';

export interface WriteHouseholdOptions {
  /** Hears how many transactions are written so far; what it throws stops the writing. */
  onProgress?: (written: number) => void | Promise<void>;
}

const ROWS_AT_ONCE = 2_000;
const ROWS_PER_WRITE = 50_000;
const ORIGIN = {
  actor: { type: 'system', id: null, userId: null, name: 'setup' },
  surface: 'setup',
  source: 'system',
  action: 'setup.demo',
  reason: null,
  requestId: null,
} as const;

/**
 * Writes a generated household into a ledger that has the default categories and none of these members. One change
 * set per 50,000 transactions keeps memory flat whatever the size.
 * @returns the number of transactions written.
 */
export async function writeHousehold(
  instance: Pick<Instance, 'database'>,
  household: Household,
  options: WriteHouseholdOptions = {},
): Promise<number> {
  const { database } = instance;
  const rows = household.transactions();
  let frame: Frame | undefined;
  let written = 0;
  for (;;) {
    const { value: count } = await write(database, ORIGIN, async (tx) => {
      frame ??= await writeFrame(tx, household);
      const count = await writeSome(tx, frame, rows, async (soFar) => options.onProgress?.(written + soFar));
      tx.journal.summarise(`Wrote a made-up household: ${count} transactions`);
      return count;
    });
    database.checkpoint();
    written += count;
    if (count < ROWS_PER_WRITE) break;
  }
  return written;
}

async function writeSome(
  tx: WriteTx,
  frame: Frame,
  rows: Iterator<HouseholdTransaction>,
  onProgress: (count: number) => Promise<void>,
): Promise<number> {
  let count = 0;
  while (count < ROWS_PER_WRITE) {
    const chunk = take(rows, ROWS_AT_ONCE);
    if (chunk.length === 0) break;
    await writeTransactions(tx, frame, chunk);
    count += chunk.length;
    await onProgress(count);
  }
  return count;
}

function take<T>(rows: Iterator<T>, count: number): T[] {
  const taken: T[] = [];
  while (taken.length < count) {
    const next = rows.next();
    if (next.done === true) break;
    taken.push(next.value);
  }
  return taken;
}
