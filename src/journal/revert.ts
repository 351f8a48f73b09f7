import { AppError, validationError } from '../kernel/errors.ts';
import { LIMITS } from '../kernel/limits.ts';
import {
  isErased,
  markReverted,
  selectChangesInForce,
  selectEarlierInForce,
  selectNotRevertible,
  tallyChanges,
  type ChangeSetRow,
} from './journal.queries.ts';
import { causeOf, conflictError, toSkipped, type Conflict, type Skipped } from './revert-conflicts.ts';
import { updateRevertStatus } from './revert-status.ts';
import {
  netChanges,
  type EntityUndo,
  type EntityUndos,
  type JournaledChange,
  type NetChange,
  type Obstacle,
} from './undo.ts';
import type { WriteTx } from './write.ts';

export interface Reverted {
  revertedCount: number;
  /** Rows of an import that people or agents have worked on since, kept or deleted. */
  workedOnCount: number;
  /** Transactions that the revert deleted, and those that it restored or gave former values. */
  deletedCount: number;
  restoredCount: number;
  /** Rows of an import that stay because another one in force, or a bank, delivers them. */
  keptCount: number;
  /** At most `LIMITS.revertSkippedListed`; the count is exact. */
  skipped: Skipped[];
  skippedCount: number;
}

/** What to do with entities that have changed since; `force` is for change sets of imports only. */
export type OnConflict = 'refuse' | 'skip' | 'force';

/** Above every sequence. */
const END = Number.MAX_SAFE_INTEGER;

/**
 * Reverts a change set, its last change first, each entity as a whole or not at all (contract 10.13.3). With `refuse`,
 * a single conflict rolls everything back. `force` also deletes rows of an import that people have worked on, and
 * skips whatever else has changed since.
 * @throws VALIDATION_ERROR, CONFLICT while the set is still being written, NOT_REVERTIBLE, ALREADY_REVERTED,
 * REVERT_CONFLICT
 */
export async function revertChangeSet(
  tx: WriteTx,
  undos: EntityUndos,
  set: ChangeSetRow,
  onConflict: OnConflict,
): Promise<Reverted> {
  if (onConflict === 'force' && set.import_id === null) throw forceNotAllowed();
  await refuseNotRevertible(tx, set);
  tx.journal.refine({ source: 'revert', action: 'change_set.revert', revertsChangeSetId: set.id });
  tx.journal.summarise(summaryOf(set));
  const notRevertible = await notRevertibleOf(tx, set);
  const run: Run = {
    isForced: onConflict === 'force',
    revertedCount: 0,
    workedOnCount: 0,
    deletedCount: 0,
    restoredCount: 0,
    keptCount: 0,
    conflicts: [],
    inUse: [],
    skipped: [...notRevertible.listed],
    skippedCount: notRevertible.count,
  };
  const hindrance = await findHindrance(tx, undos, set);
  if (hindrance) run.conflicts.push(hindrance);
  else {
    await undoJournaled(tx, undos, set, run);
    await undoCreatedRows(tx, undos, set, run);
  }
  for (const undo of undos.values()) await undo.finish?.(tx);
  const { conflicts, skipped } = run;
  if (onConflict === 'refuse' && conflicts.length > 0) throw await conflictError(tx, set, conflicts, run.workedOnCount);
  if (conflicts.length + run.inUse.length === 0 && tx.journal.isEmpty()) throw alreadyReverted();
  for (const conflict of conflicts) {
    if (skipped.length >= LIMITS.revertSkippedListed) break;
    skipped.push(toSkipped(conflict, await causeOf(tx, set, conflict)));
  }
  if (!tx.journal.isEmpty()) {
    await markReverted(tx, set.id, run.inUse, tx.journal.changeSetId);
    await updateRevertStatus(tx, undos, set);
  }
  return { ...run, skippedCount: run.skippedCount + conflicts.length };
}

/** A revert under way. */
interface Run extends Reverted {
  readonly isForced: boolean;
  readonly conflicts: Conflict[];
  /** Changes that created something others use now. It stays, and the set still counts as wholly reverted. */
  readonly inUse: number[];
}

async function findHindrance(tx: WriteTx, undos: EntityUndos, set: ChangeSetRow): Promise<Conflict | null> {
  for (const undo of undos.values()) {
    const found = await undo.findHindrance?.(tx, set.id);
    if (!found) continue;
    const { entityId: id, entityShortId: shortId, sequence, obstacle } = found;
    return { sequence, entity: { type: undo.entityType, id, shortId }, obstacle };
  }
  return null;
}

/** Undoes the entities whose changes the set lists, each as a whole, the one changed last first. */
async function undoJournaled(tx: WriteTx, undos: EntityUndos, set: ChangeSetRow, run: Run): Promise<void> {
  const held: Held = new Map();
  let before = END;
  for (;;) {
    const latest = await selectChangesInForce(tx, set.id, before, LIMITS.revertChangesAtOnce);
    const first = latest.at(-1)?.sequence;
    if (first === undefined) break;
    const earlier =
      latest.length < LIMITS.revertChangesAtOnce ? [] : await selectEarlierInForce(tx, set.id, first, before);
    before = first;
    const all = [...latest, ...earlier].filter((change) => !held.has(keyOf(change)));
    const nets = netChanges(all);
    await markReverted(tx, set.id, cancelledOut(all, nets), tx.journal.changeSetId);
    for (const changes of byEntityType(nets)) {
      const met = await undoOf(undos, changes[0] as NetChange).undo(tx, changes, run.isForced);
      await settle(tx, set, run, held, changes, met);
    }
  }
  await undoHeld(tx, undos, set, run, held);
  for (const { change, obstacle } of held.values()) {
    if (isWorkedOn(set, obstacle)) run.workedOnCount += 1;
    skip(run, set, change, obstacle);
  }
}

/** What could not be undone yet, by its key and in the order of undoing. */
type Held = Map<string, { change: NetChange; obstacle: Obstacle }>;
type Met = ReadonlyMap<string, Obstacle | null>;

/** Counts and marks what was undone, and holds the rest. */
async function settle(
  tx: WriteTx,
  set: ChangeSetRow,
  run: Run,
  held: Held,
  changes: readonly NetChange[],
  met: Met,
): Promise<void> {
  const done: number[] = [];
  for (const change of changes) {
    const obstacle = met.get(change.entityId);
    if (obstacle && isHolding(obstacle)) held.set(keyOf(change), { change, obstacle });
    else {
      held.delete(keyOf(change));
      done.push(...change.sequences);
      if (obstacle && isWorkedOn(set, obstacle)) run.workedOnCount += 1;
      if (obstacle !== null) count(run, change);
    }
  }
  await markReverted(tx, set.id, done, tx.journal.changeSetId);
}

/** What another change of the set may stand in the way of. */
const MAY_PASS: readonly Obstacle['reason'][] = ['exists', 'reference_missing', 'in_use'];

/** Tries again as long as something has been undone that may have been the obstacle: first one by one, then together. */
async function undoHeld(tx: WriteTx, undos: EntityUndos, set: ChangeSetRow, run: Run, held: Held): Promise<void> {
  for (let count = -1; count !== held.size;) {
    count = held.size;
    const waiting = [...held.values()].flatMap(({ change, obstacle }) =>
      MAY_PASS.includes(obstacle.reason) ? [change] : [],
    );
    for (const changes of byEntityType(waiting)) {
      const met = await undoOf(undos, changes[0] as NetChange).undo(tx, changes, run.isForced);
      await settle(tx, set, run, held, changes, met);
    }
    if (held.size < count) continue;
    for (const alike of Map.groupBy(waiting, ({ entityType }) => entityType).values()) {
      const undone = await undoTogether(tx, undoOf(undos, alike[0] as NetChange), alike);
      await settle(tx, set, run, held, undone, new Map());
    }
  }
}

/** Rows that only stand in each other's way, such as those that exchanged their names. Answers which were undone. */
async function undoTogether(tx: WriteTx, undo: EntityUndo, changes: readonly NetChange[]): Promise<NetChange[]> {
  for (let rest = [...changes]; undo.undoTogether && rest.length > 1;) {
    let met: Met = new Map();
    const isDone = await tx
      .attempt(async () => {
        met = (await undo.undoTogether?.(tx, rest)) ?? met;
        if (met.size > 0) throw new InTheWay();
        return true;
      })
      .catch((error: unknown) => {
        if (error instanceof InTheWay) return false;
        throw error;
      });
    if (isDone) return rest;
    rest = rest.filter(({ entityId }) => !met.has(entityId));
  }
  return [];
}

class InTheWay extends Error {}

/** Counted for imports only, because only their rows can be deleted by force. */
function isWorkedOn(set: ChangeSetRow, { work }: Obstacle): boolean {
  return set.import_id !== null && work !== undefined;
}

function isHolding({ work }: Obstacle): boolean {
  return work !== 'overruled';
}

/** Changes of entities that the set both created and removed: there is nothing to undo. */
function cancelledOut(all: readonly JournaledChange[], nets: readonly NetChange[]): number[] {
  const remaining = new Set(nets.flatMap(({ sequences }) => sequences));
  return all.flatMap(({ entityId, sequence }) => (entityId === null || remaining.has(sequence) ? [] : [sequence]));
}

function keyOf({ entityType, entityId }: NetChange | JournaledChange): string {
  return `${entityType} ${entityId}`;
}

function skip(run: Run, set: ChangeSetRow, change: NetChange, obstacle: Obstacle): void {
  const { entityType: type, entityId: id, entityShortId: shortId } = change;
  const conflict = { sequence: change.sequences[0] as number, entity: { type, id, shortId }, obstacle };
  if (obstacle.reason !== 'in_use' || !isCreatedInPassing(set, change)) {
    run.conflicts.push(conflict);
    return;
  }
  run.inUse.push(...change.sequences);
  run.skippedCount += 1;
  if (run.skipped.length < LIMITS.revertSkippedListed) run.skipped.push(toSkipped(conflict, null));
}

function count(run: Run, { entityType, operation, before }: NetChange): void {
  // An import's own change, such as its balances, is not counted.
  if (entityType === 'import') return;
  run.revertedCount += 1;
  if (entityType !== 'transaction') return;
  if (operation === 'create' || typeof before?.['deleted_at'] === 'string') run.deletedCount += 1;
  else run.restoredCount += 1;
}

/** Undoes the rows that an import's set created. */
async function undoCreatedRows(tx: WriteTx, undos: EntityUndos, set: ChangeSetRow, run: Run): Promise<void> {
  let sequence = (await tallyChanges(tx, set.id)).last;
  for (const undo of undos.values()) {
    if (!undo.undoCreatedRows) continue;
    // The import's balances go with its rows: not while every row of it stays.
    if (undo.entityType === 'import' && run.conflicts.length > 0 && run.revertedCount === 0) continue;
    const creating = { id: set.id, importId: set.import_id };
    const { undoneCount, keptCount, met } = await undo.undoCreatedRows(tx, creating, run.isForced);
    run.keptCount += keptCount;
    run.revertedCount += undoneCount;
    run.deletedCount += undoneCount;
    for (const { entityId: id, entityShortId: shortId, obstacle } of met) {
      if (isWorkedOn(set, obstacle)) run.workedOnCount += 1;
      if (!isHolding(obstacle)) continue;
      sequence += 1;
      run.conflicts.push({ sequence, entity: { type: undo.entityType, id, shortId }, obstacle });
    }
  }
}

async function refuseNotRevertible(tx: WriteTx, set: ChangeSetRow): Promise<void> {
  if (set.is_open === 1) {
    throw new AppError(
      'CONFLICT',
      'The run that writes this change set is still in progress. Wait until it has finished, or cancel it.',
    );
  }
  if (set.is_revertible === 0) {
    throw new AppError(
      'NOT_REVERTIBLE',
      (await isErased(tx, set))
        ? 'The data that this change set wrote has been erased, so it can no longer be reverted.'
        : `A change set with the action ${set.action} cannot be reverted.`,
    );
  }
  if (set.status === 'reverted') throw alreadyReverted();
}

function forceNotAllowed(): AppError {
  return validationError(
    'on_conflict',
    'Only an import can be reverted with "force". Send "skip" to keep what has changed since.',
  );
}

function alreadyReverted(): AppError {
  return new AppError('ALREADY_REVERTED', 'This change set has already been reverted.');
}

async function notRevertibleOf(tx: WriteTx, set: ChangeSetRow): Promise<{ listed: Skipped[]; count: number }> {
  const rows = await selectNotRevertible(tx, set.id, LIMITS.revertSkippedListed);
  const { notRevertible } = await tallyChanges(tx, set.id);
  const listed = rows.map((change) => ({
    entity_type: change.entityType,
    entity_id: change.entityId,
    entity_short_id: change.entityShortId,
    reason: 'not_revertible',
    fields: [],
    change_set_id: null,
  }));
  return { listed, count: notRevertible };
}

/** Groups consecutive changes of one entity type, which are undone together. */
function byEntityType(changes: readonly NetChange[]): NetChange[][] {
  const runs: NetChange[][] = [];
  for (const change of changes) {
    const last = runs.at(-1);
    if (last && last[0]?.entityType === change.entityType) last.push(change);
    else runs.push([change]);
  }
  return runs;
}

function undoOf(undos: EntityUndos, { entityType }: NetChange): EntityUndo {
  const undo = undos.get(entityType);
  if (!undo) throw new Error(`A ${entityType} has a revertible change, but no undo.`);
  return undo;
}

/** Whether another action created it along the way, such as the tag of a transaction. */
function isCreatedInPassing(set: ChangeSetRow, change: NetChange): boolean {
  return change.operation === 'create' && !set.action.startsWith(`${change.entityType}.`);
}

const REVERTED = 'Reverted: ';
const RESTORED = 'Restored: ';

/** Reverting a revert restores what the first set did. */
function summaryOf({ summary, reverts_change_set_id: reverts }: ChangeSetRow): string {
  if (reverts === null) return `${REVERTED}${summary}`;
  return summary.startsWith(REVERTED)
    ? `${RESTORED}${summary.slice(REVERTED.length)}`
    : `${REVERTED}${summary.replace(RESTORED, '')}`;
}
