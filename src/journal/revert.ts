import { AppError, validationError, type ErrorDetail } from '../kernel/errors.ts';
import { LIMITS } from '../kernel/limits.ts';
import type { EntityType } from './entities.ts';
import {
  carriedStanding,
  clearMarks,
  findChangeSet,
  findLaterChange,
  markReverted,
  newestRevertInForce,
  selectChangesInForce,
  selectEarlierInForce,
  selectNotRevertible,
  standingOf,
  updateChangeSet,
  type ChangeSetRow,
} from './journal.queries.ts';
import { sayConflict } from './say-conflicts.ts';
import {
  netChanges,
  type EntityUndo,
  type JournaledChange,
  type NetChange,
  type Obstacle,
  type Restated,
} from './undo.ts';
import type { WriteTx } from './write.ts';

export type EntityUndos = ReadonlyMap<EntityType, EntityUndo>;

/** An entity that a revert left as it is, and why. */
export interface Skipped {
  entity_type: string;
  entity_id: string | null;
  entity_short_id: string | null;
  reason: string;
  fields: readonly string[];
  change_set_id: string | null;
}

export interface Reverted {
  revertedCount: number;
  /** Rows of an import that people or agents worked on since, left or taken out all the same. */
  workedOnCount: number;
  /** Transactions that are deleted now, and those that live again or have former values. */
  takenOutCount: number;
  putBackCount: number;
  /** At most `LIMITS.revertSkippedListed`; the count is exact. */
  skipped: Skipped[];
  skippedCount: number;
}

/** What becomes of the whole when something changed since; `force` is for the sets of imports. */
export type OnConflict = 'refuse' | 'skip' | 'force';

interface Conflict {
  sequence: number;
  change: Pick<NetChange, 'entityType' | 'entityId' | 'entityShortId'>;
  obstacle: Obstacle;
}

const TOOK_BACK = 'Took back: ';
const BROUGHT_BACK = 'Brought back: ';
const BEFORE_ALL = Number.MAX_SAFE_INTEGER;

/**
 * Takes a change set back, in the reverse order of its changes, each entity as a whole or not at all (contract
 * 10.13.3). With `refuse` a single conflict undoes everything; `force` takes out the rows of an import although people
 * worked on them, and skips what else changed since.
 * @throws VALIDATION_ERROR, CONFLICT while the set is still written, NOT_REVERTIBLE, ALREADY_REVERTED, REVERT_CONFLICT
 */
export async function revertChangeSet(
  tx: WriteTx,
  undos: EntityUndos,
  set: ChangeSetRow,
  onConflict: OnConflict,
): Promise<Reverted> {
  if (onConflict === 'force' && set.import_id === null) throw forceOfOthers();
  refuseIrrevertible(set);
  tx.journal.refine({ source: 'revert', action: 'change_set.revert', revertsChangeSetId: set.id });
  tx.journal.summarise(sentence(set));
  const notRevertible = await notRevertibleOf(tx, set);
  const run: Run = {
    isForced: onConflict === 'force',
    revertedCount: 0,
    workedOnCount: 0,
    takenOutCount: 0,
    putBackCount: 0,
    conflicts: [],
    inUse: [],
    skipped: [...notRevertible.listed],
    skippedCount: notRevertible.count,
  };
  await undoJournaled(tx, undos, set, run);
  await undoCarried(tx, undos, set, run);
  const { conflicts, skipped } = run;
  if (onConflict === 'refuse' && conflicts.length > 0) throw await conflictError(tx, set, run);
  if (conflicts.length + run.inUse.length === 0 && tx.journal.isEmpty()) throw alreadyReverted();
  for (const { change, obstacle } of conflicts) {
    const isListed = skipped.length < LIMITS.revertSkippedListed;
    list(skipped, toSkipped(change, obstacle, isListed ? await laterChange(tx, set, change, obstacle) : null));
  }
  if (!tx.journal.isEmpty()) {
    await markReverted(tx, set.id, run.inUse, tx.journal.changeSetId);
    await restate(tx, undos, set);
  }
  return { ...run, skippedCount: run.skippedCount + conflicts.length };
}

/** A revert under way. */
interface Run extends Reverted {
  readonly isForced: boolean;
  readonly conflicts: Conflict[];
  /** Changes that made by the way what others use by now. It stays, and is no reason to call the set half reverted. */
  readonly inUse: number[];
}

/** Entities whose changes the set journaled, each as a whole, in the reverse order of their last changes. */
async function undoJournaled(tx: WriteTx, undos: EntityUndos, set: ChangeSetRow, run: Run): Promise<void> {
  const left = new Set<string>();
  let before = BEFORE_ALL;
  for (;;) {
    const latest = await selectChangesInForce(tx, set.id, before, LIMITS.revertChangesAtOnce);
    const first = latest.at(-1)?.sequence;
    if (first === undefined) return;
    const earlier =
      latest.length < LIMITS.revertChangesAtOnce ? [] : await selectEarlierInForce(tx, set.id, first, before);
    before = first;
    const all = [...latest, ...earlier].filter((change) => !left.has(keyOf(change)));
    const nets = netChanges(all);
    const done = passingOf(all, nets);
    for (const changes of runsOf(nets)) {
      const met = await undoOf(undos, changes[0] as NetChange).undo(tx, changes, run.isForced);
      for (const change of changes) {
        const obstacle = met.get(change.entityId);
        if (obstacle && isWorkedOn(set, obstacle)) run.workedOnCount += 1;
        if (obstacle && isHolding(obstacle)) {
          left.add(keyOf(change));
          leave(run, set, change, obstacle);
        } else {
          done.push(...change.sequences);
          if (obstacle !== null) count(run, change);
        }
      }
    }
    await markReverted(tx, set.id, done, tx.journal.changeSetId);
  }
}

/** Only rows of an import can be taken out by force, so only of these it is told. */
function isWorkedOn(set: ChangeSetRow, { work }: Obstacle): boolean {
  return set.import_id !== null && work !== undefined;
}

function isHolding({ work }: Obstacle): boolean {
  return work !== 'overruled';
}

/** Changes of entities that the set made and removed itself: undone already, so that no part of them is left over. */
function passingOf(all: readonly JournaledChange[], nets: readonly NetChange[]): number[] {
  const standing = new Set(nets.flatMap(({ sequences }) => sequences));
  return all.flatMap(({ entityId, sequence }) => (entityId === null || standing.has(sequence) ? [] : [sequence]));
}

function keyOf({ entityType, entityId }: NetChange | JournaledChange): string {
  return `${entityType} ${entityId}`;
}

function leave(run: Run, set: ChangeSetRow, change: NetChange, obstacle: Obstacle): void {
  if (obstacle.reason === 'in_use' && isMadeOnTheFly(set, change)) {
    run.inUse.push(...change.sequences);
    run.skippedCount += 1;
    list(run.skipped, toSkipped(change, obstacle, null));
  } else run.conflicts.push({ sequence: change.sequences[0] as number, change, obstacle });
}

function count(run: Run, { entityType, operation, before }: NetChange): void {
  // What an import left besides rows is counted in neither direction.
  if (entityType === 'import') return;
  run.revertedCount += 1;
  if (entityType !== 'transaction') return;
  if (operation === 'create' || typeof before?.['deleted_at'] === 'string') run.takenOutCount += 1;
  else run.putBackCount += 1;
}

/** What the set created without journaling each. */
async function undoCarried(tx: WriteTx, undos: EntityUndos, set: ChangeSetRow, run: Run): Promise<void> {
  let sequence = (await standingOf(tx, set.id)).last;
  for (const undo of undos.values()) {
    if (!undo.undoCarried) continue;
    // What an import left besides rows goes with them: not while every row of it stays.
    if (undo.entityType === 'import' && run.conflicts.length > 0 && run.revertedCount === 0) continue;
    const carrying = { id: set.id, importId: set.import_id };
    const { undoneCount, met } = await undo.undoCarried(tx, carrying, run.isForced);
    run.revertedCount += undoneCount;
    run.takenOutCount += undoneCount;
    for (const { entityId, entityShortId, obstacle } of met) {
      if (isWorkedOn(set, obstacle)) run.workedOnCount += 1;
      if (!isHolding(obstacle)) continue;
      sequence += 1;
      run.conflicts.push({ sequence, change: { entityType: undo.entityType, entityId, entityShortId }, obstacle });
    }
  }
}

function refuseIrrevertible(set: ChangeSetRow): void {
  if (set.is_open === 1) {
    throw new AppError(
      'CONFLICT',
      'The run that writes this change set still goes on. Wait for its end, or cancel it.',
    );
  }
  if (set.is_revertible === 0) {
    throw new AppError('NOT_REVERTIBLE', `A change set of ${set.action} cannot be taken back.`);
  }
  if (set.status === 'reverted') throw alreadyReverted();
}

function forceOfOthers(): AppError {
  return validationError(
    '/on_conflict',
    'Only an import can be taken back by force, and this change set is none. Send "skip" to leave what changed since.',
  );
}

function alreadyReverted(): AppError {
  return new AppError('ALREADY_REVERTED', 'Everything in this change set has been taken back already.');
}

async function notRevertibleOf(tx: WriteTx, set: ChangeSetRow): Promise<{ listed: Skipped[]; count: number }> {
  const rows = await selectNotRevertible(tx, set.id, LIMITS.revertSkippedListed);
  const { notRevertible } = await standingOf(tx, set.id);
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

/** Consecutive changes of one kind of entity, so that they can be taken back together. */
function runsOf(changes: readonly NetChange[]): NetChange[][] {
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
  if (!undo) throw new Error(`A ${entityType} has a revertible change, but nothing takes it back.`);
  return undo;
}

/** A tag, series or counterparty that another action made by the way stays when it is used by now. */
function isMadeOnTheFly(set: ChangeSetRow, change: NetChange): boolean {
  return change.operation === 'create' && !set.action.startsWith(`${change.entityType}.`);
}

function list(skipped: Skipped[], one: Skipped): void {
  if (skipped.length < LIMITS.revertSkippedListed) skipped.push(one);
}

function toSkipped(change: Conflict['change'], obstacle: Obstacle, changeSetId: string | null): Skipped {
  return {
    entity_type: change.entityType,
    entity_id: change.entityId,
    entity_short_id: change.entityShortId,
    reason: obstacle.reason,
    fields: obstacle.fields,
    change_set_id: changeSetId,
  };
}

async function laterChange(
  tx: WriteTx,
  set: ChangeSetRow,
  change: Conflict['change'],
  obstacle: Obstacle,
): Promise<string | null> {
  return findLaterChange(tx, set.id, { type: change.entityType, id: change.entityId }, obstacle.fields);
}

async function conflictError(
  tx: WriteTx,
  set: ChangeSetRow,
  { conflicts, workedOnCount }: Pick<Run, 'conflicts' | 'workedOnCount'>,
): Promise<AppError> {
  const details: ErrorDetail[] = [];
  for (const { sequence, change, obstacle } of conflicts.slice(0, LIMITS.revertConflictsListed)) {
    const { message, ...told } = { message: obstacle.message, ...toSkipped(change, obstacle, null) };
    details.push({
      path: `/changes/${sequence}`,
      message,
      ...told,
      change_set_id: await laterChange(tx, set, change, obstacle),
    });
  }
  const members = {
    conflict_count: conflicts.length,
    ...(set.import_id === null ? {} : { worked_on_count: workedOnCount }),
  };
  return new AppError('REVERT_CONFLICT', sayConflict(conflicts.length, workedOnCount), { details, members });
}

/** Tells both sets how they stand after this revert: the one taken back, and the one whose revert this undoes. */
async function restate(tx: WriteTx, undos: EntityUndos, set: ChangeSetRow): Promise<void> {
  await restateOne(tx, undos, set, tx.journal.changeSetId);
  const original = set.reverts_change_set_id === null ? undefined : await findChangeSet(tx, set.reverts_change_set_id);
  if (!original) return;
  await clearMarks(tx, original.id, set.id);
  await restateOne(tx, undos, original, await newestRevertInForce(tx, original.id, set.id));
}

async function restateOne(
  tx: WriteTx,
  undos: EntityUndos,
  set: ChangeSetRow,
  revertedByChangeSetId: string | null,
): Promise<void> {
  const status = await statusOf(tx, set);
  await updateChangeSet(tx, set.id, { status, reverted_by_change_set_id: revertedByChangeSetId });
  const restated = { id: set.id, importId: set.import_id, status, revertedByChangeSetId };
  for (const undo of undos.values()) await undo.onRestated?.(tx, restated);
}

async function statusOf(tx: WriteTx, set: ChangeSetRow): Promise<Restated['status']> {
  const standing = await standingOf(tx, set.id);
  const carries = set.created_count > standing.created;
  const carried = carries ? await carriedStanding(tx, set.id) : { live: 0, reverted: 0 };
  const inForce = standing.revertible - standing.reverted + carried.live;
  if (inForce === 0) return 'reverted';
  return standing.reverted + carried.reverted > 0 ? 'partly_reverted' : 'applied';
}

/** A revert that is taken back brings back what the first set did. */
function sentence({ summary, reverts_change_set_id: reverts }: ChangeSetRow): string {
  const [was, is] = summary.startsWith(TOOK_BACK) ? [TOOK_BACK, BROUGHT_BACK] : [BROUGHT_BACK, TOOK_BACK];
  return `${is}${reverts === null ? summary : summary.replace(was, '')}`;
}
