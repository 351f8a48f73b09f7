import { AppError, type ErrorDetail } from '../kernel/errors.ts';
import { LIMITS } from '../kernel/limits.ts';
import type { EntityType } from './entities.ts';
import { findLaterChange, type ChangeSetRow } from './journal.queries.ts';
import type { Obstacle } from './undo.ts';
import type { WriteTx } from './write.ts';

/** An entity that a revert left as it is, and why. */
export interface Skipped {
  entity_type: string;
  entity_id: string | null;
  entity_short_id: string | null;
  reason: string;
  fields: readonly string[];
  change_set_id: string | null;
}

/** An entity that the revert could not undo. `sequence` is the place of its change in the set. */
export interface Conflict {
  sequence: number;
  entity: { type: EntityType; id: string; shortId: string | null };
  obstacle: Obstacle;
}

export function toSkipped({ entity, obstacle }: Conflict, changeSetId: string | null): Skipped {
  return {
    entity_type: entity.type,
    entity_id: entity.id,
    entity_short_id: entity.shortId,
    reason: obstacle.reason,
    fields: obstacle.fields,
    change_set_id: changeSetId,
  };
}

/** The later change set that caused the conflict, if it is known. */
export async function causeOf(tx: WriteTx, set: ChangeSetRow, { entity, obstacle }: Conflict): Promise<string | null> {
  return findLaterChange(tx, set.id, entity, obstacle.fields);
}

/** REVERT_CONFLICT, with the first `LIMITS.revertConflictsListed` conflicts in its details. */
export async function conflictError(
  tx: WriteTx,
  set: ChangeSetRow,
  conflicts: readonly Conflict[],
  workedOnCount: number,
): Promise<AppError> {
  const details: ErrorDetail[] = [];
  for (const conflict of conflicts.slice(0, LIMITS.revertConflictsListed)) {
    const { message } = conflict.obstacle;
    details.push({
      path: `/changes/${conflict.sequence}`,
      message,
      ...toSkipped(conflict, await causeOf(tx, set, conflict)),
    });
  }
  const members = {
    conflict_count: conflicts.length,
    ...(set.import_id === null ? {} : { worked_on_count: workedOnCount }),
  };
  return new AppError('REVERT_CONFLICT', conflictMessage(conflicts.length, workedOnCount), { details, members });
}

/** Why nothing was reverted, and what to send. `workedOnCount` of the conflicts are rows that people worked on. */
export function conflictMessage(conflictCount: number, workedOnCount: number): string {
  const otherCount = conflictCount - workedOnCount;
  const have = otherCount === 1 ? 'has' : 'have';
  if (workedOnCount === 0) {
    const entities = otherCount === 1 ? 'entity' : 'entities';
    const keepIt = otherCount === 1 ? 'it' : 'them';
    return `${otherCount} ${entities} ${have} changed since, so nothing was reverted. Check the details, or send on_conflict "skip" to keep ${keepIt} and revert the rest.`;
  }
  const others =
    otherCount === 0
      ? ''
      : ` ${otherCount} more ${have} changed since; ${otherCount === 1 ? 'it is' : 'they are'} kept either way.`;
  return `Nothing was reverted. ${workedOnMessage(workedOnCount)}${others}`;
}

/** How many rows of an import hold people's work, and the choices. */
export function workedOnMessage(workedOnCount: number): string {
  const [rows, these, them, their] =
    workedOnCount === 1 ? ['1 row', 'this row', 'it', 'its'] : [`${workedOnCount} rows`, 'these rows', 'them', 'their'];
  return `People have worked on ${rows}, for example set a category or added a tag or comment. Send on_conflict "skip" to keep ${these} and revert the rest, or "force" to delete ${them} too; ${their} edits come back if you revert the revert.`;
}
