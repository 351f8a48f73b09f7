import type { z } from 'zod';

import type { ChangeSetRow } from '../../journal/journal.queries.ts';
import { workedOnMessage } from '../../journal/revert-conflicts.ts';
import { revertChangeSet, type Reverted } from '../../journal/revert.ts';
import type { EntityUndos } from '../../journal/undo.ts';
import type { WriteTx } from '../../journal/write.ts';
import type { RevertBody, RevertResult } from './change-sets.contract.ts';
import { toChangeSet } from './change-sets.table.ts';

/** The answer of POST /change-sets/{id}/revert, and what the revert did to transactions. */
interface RevertedSet extends Pick<Reverted, 'deletedCount' | 'restoredCount' | 'keptCount'> {
  answer: z.output<typeof RevertResult>;
}

/** Reverts a change set, or rehearses it if `dry_run` is true. @throws as revertChangeSet */
export async function revertSet(
  tx: WriteTx,
  undos: EntityUndos,
  set: ChangeSetRow,
  { dry_run: isDryRun, on_conflict: onConflict }: z.output<typeof RevertBody>,
): Promise<RevertedSet> {
  const revert = () => revertChangeSet(tx, undos, set, onConflict);
  const done = isDryRun ? await tx.rehearse(revert) : await revert();
  const answer = {
    change_set: tx.journal.isEmpty() ? null : toChangeSet(tx.journal.changeSet()),
    reverted_change_set_id: set.id,
    reverted_count: done.revertedCount,
    skipped: done.skipped.map((one) => ({ ...one, fields: [...one.fields] })) as z.output<
      typeof RevertResult
    >['skipped'],
    skipped_count: done.skippedCount,
    worked_on_count: done.workedOnCount,
    message: isDryRun && done.workedOnCount > 0 ? workedOnMessage(done.workedOnCount) : null,
    dry_run: isDryRun,
  };
  return { answer, deletedCount: done.deletedCount, restoredCount: done.restoredCount, keptCount: done.keptCount };
}
