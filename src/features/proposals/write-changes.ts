import { isFailureOfDatabase } from '../../db/unavailable.ts';
import type { EntityUndos } from '../../journal/undo.ts';
import type { Parked, Writing } from '../../journal/replay.ts';
import type { WriteTx } from '../../journal/write.ts';
import { AppError } from '../../kernel/errors.ts';
import { settleLinks } from '../account-links/index.ts';
import { inWritableOrder } from './order-changes.ts';
import { replayOf, type StoredChange } from './planned-changes.ts';

const NOTHING: Parked = new Map();

/** Writes planned changes without conflicts, those of one type together where their order allows it. */
export async function writeChanges(
  tx: WriteTx,
  undos: EntityUndos,
  changes: readonly StoredChange[],
  how: Omit<Writing, 'parked'>,
): Promise<void> {
  const ordered = inWritableOrder(undos, changes);
  // Nothing refers to comments, and between transactions they would make the runs short. Accounts follow their links.
  const isComment = ({ entityType }: StoredChange): boolean => entityType === 'comment';
  const others = ordered.filter((change) => !isComment(change) && change.entityType !== 'account');
  const parked = new Map<string, Parked>();
  for (const [type, alike] of Map.groupBy(changes, ({ entityType }) => entityType)) {
    parked.set(type, (await replayOf(undos, type).park?.(tx, alike)) ?? NOTHING);
  }
  for (const run of runsOf([...others, ...ordered.filter(isComment)])) {
    const { entityType } = run[0] as StoredChange;
    const writing = { ...how, parked: parked.get(entityType) ?? NOTHING };
    await writeRun(tx, run, (some) => replayOf(undos, entityType).write(tx, some, writing));
    await tx.journal.flushIfLarge();
  }
  await settleLinks(tx, ordered);
}

/** A change that the ledger does not take. */
export class UnwritableChange extends Error {
  readonly sequence: number;

  constructor(sequence: number, cause: unknown) {
    super(`Change ${sequence} of a plan could not be written.`, { cause });
    this.sequence = sequence;
  }
}

/** A plan that is being made records at most so much, which is no fault of a change. */
export function isTooLarge(error: unknown): boolean {
  return error instanceof AppError && error.code === 'PLAN_TOO_LARGE';
}

type WriteSome = (some: readonly StoredChange[]) => Promise<void>;

/** @throws UnwritableChange */
async function writeRun(tx: WriteTx, run: readonly StoredChange[], write: WriteSome): Promise<void> {
  try {
    await tx.attempt(() => write(run));
  } catch (error) {
    if (isFailureOfDatabase(error) || isTooLarge(error)) throw error;
    for (const change of run) {
      await tx
        .attempt(() => write([change]))
        .catch((cause: unknown) => {
          throw new UnwritableChange(change.sequence, cause);
        });
    }
    throw new UnwritableChange((run[0] as StoredChange).sequence, error);
  }
}

function runsOf(changes: readonly StoredChange[]): StoredChange[][] {
  const runs: StoredChange[][] = [];
  for (const change of changes) {
    const last = runs.at(-1);
    if (last && last[0]?.entityType === change.entityType) last.push(change);
    else runs.push([change]);
  }
  return runs;
}
