import { isSameField } from '../../journal/difference.ts';
import { NEVER_COMPARED, type EntityState, type Writing } from '../../journal/replay.ts';
import type { EntityUndos } from '../../journal/undo.ts';
import type { WriteTx } from '../../journal/write.ts';
import { isFailureOfDatabase } from '../../db/unavailable.ts';
import { AppError } from '../../kernel/errors.ts';
import type { Instance } from '../handler.ts';
import { comparePlan, type Conflicts } from './find-conflicts.ts';
import { keyOf, statesOf, type StoredChange } from './planned-changes.ts';
import type { ChangeRow } from './proposals.queries.ts';
import { isTooLarge, writeChanges } from './write-changes.ts';

interface Trying {
  undos: EntityUndos;
  actor: Writing['actor'];
  /** Changes that the ledger had moved away from before this call. */
  stale: Conflicts;
}

/**
 * Writes a plan as its approval would, compares what becomes of its rows with what its calls made of them, and rolls all of
 * it back: a plan is stored only if it can be approved while nothing else changes. Answers what is wrong with it, or null.
 */
export async function findFlaw(
  tx: WriteTx,
  rows: readonly ChangeRow[],
  { undos, actor, stale }: Trying,
): Promise<unknown> {
  const { conflicts, writable } = await comparePlan(tx, undos, rows, tx.now);
  const [unforeseen] = [...conflicts].filter(([sequence]) => !stale.has(sequence));
  if (unforeseen)
    return new Error(`Change ${unforeseen[0]} of the plan conflicts with the ledger: ${unforeseen[1].message}`);
  try {
    return await tx.rehearse(async () => {
      await writeChanges(tx, undos, writable, { actor, as: 'edit' });
      const states = await statesOf(tx, undos, writable);
      const other = writable.find((change) => !isAs(change, states.get(keyOf(change))));
      return other
        ? new Error(`Change ${other.sequence} of the plan is written otherwise than its call made it.`)
        : null;
    });
  } catch (error) {
    if (isFailureOfDatabase(error) || isTooLarge(error)) throw error;
    return error;
  }
}

function isAs({ operation, before, after }: StoredChange, state: EntityState | undefined): boolean {
  if (operation === 'delete') return state === undefined;
  if (state === undefined) return false;
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  return [...names].every((name) => NEVER_COMPARED.has(name) || isSameField(name, after ?? {}, state.fields));
}

/** @throws PROPOSAL_CONFLICT */
export function refusePlan({ logger }: Instance, flaw: unknown): never {
  logger.error({ err: flaw }, 'A plan could not be approved as its calls made it, so a call was refused.');
  throw new AppError(
    'PROPOSAL_CONFLICT',
    'This cannot be approved together with the rest of the plan, so nothing was added to it. Propose it without proposal_id; in a run, leave it to the next one.',
  );
}
