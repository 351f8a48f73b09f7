import { differenceOf } from '../../journal/difference.ts';
import { netChanges, type NetChange, type Obstacle } from '../../journal/undo.ts';
import type { WriteTx } from '../../journal/write.ts';
import {
  deliveredFieldsOf,
  isDeliveredField,
  selectDeliveredValues,
  updateDeliveredValues,
  withDeliveredFields,
  type DeliveredValues,
} from './delivered-fields.ts';
import type { Facets } from './facets.ts';
import {
  selectMergedInto,
  setMergedInto,
  writeMerges,
  type MergeEdit,
  type MergeRecord,
} from './merge-transactions.ts';
import {
  closeSuggestionsAgain,
  openSuggestionsAgain,
  returnBelongings,
  selectLastMerges,
  selectMergedIntoEach,
} from './merged-belongings.queries.ts';
import {
  absentReferences,
  changedFields,
  loadWorld,
  missing,
  restored,
  withoutFields,
  type World,
} from './undo-world.ts';
import { changesByWriter, memberNames, writeFacets, type FacetEdit } from './write-facets.ts';

/** What the change of the newer transaction keeps when two were taken apart, so that they can become one again. */
type SplitRecord = Omit<MergeRecord, 'belongings' | 'survivorDeletedAt'>;
type Obstacles = Map<string, Obstacle | null>;

const MARKS = ['merge', 'split', 'merged_from', 'split_from', 'moved'] as const;

/**
 * Whether a change merged or separated transactions: the newer one's change decides, and the survivor's follows it.
 * What moved with its account follows that.
 */
export function isOfMerge({ internal }: NetChange): boolean {
  return MARKS.some((mark) => mark in internal);
}

/**
 * Undoes merges of transactions, and the undoing of merges. The two of a pair are undone together or not at all. What a
 * provider has said since belongs to the newer one, so it is no obstacle.
 */
export async function undoMerges(tx: WriteTx, changes: readonly NetChange[]): Promise<Obstacles> {
  const obstacles: Obstacles = new Map();
  await split(tx, changes, obstacles);
  await mergeAgain(tx, changes, obstacles);
  await followNewer(tx, changes, obstacles);
  return obstacles;
}

/** Takes apart what a change set merged. */
async function split(tx: WriteTx, changes: readonly NetChange[], obstacles: Obstacles): Promise<void> {
  const merged = changes.filter(({ internal }) => 'merge' in internal);
  if (merged.length === 0) return;
  const full = merged.map((change) => survivorChange(change, recordOf<MergeRecord>(change, 'merge')));
  const world = await loadWorld(tx, [...merged, ...full]);
  const survivors = merged.map((change, at) => stillUndoable(world, change, full[at] as NetChange));
  const into = await selectMergedInto(
    tx,
    merged.map(({ entityId }) => entityId),
  );
  const all = await selectMergedIntoEach(
    tx,
    survivors.map(({ entityId }) => entityId),
  );
  const pairs: Pair[] = [];
  for (const [at, change] of merged.entries()) {
    const survivor = survivors[at] as NetChange;
    if (into.get(change.entityId) !== survivor.entityId) {
      obstacles.set(change.entityId, null);
      continue;
    }
    const obstacle =
      survivorObstacle(world, survivor) ??
      goneObstacle(world, survivor.entityId) ??
      laterObstacle(world, change, all.get(survivor.entityId) ?? []) ??
      // It is merged into the same one. If that was undone and done again since, it was at another time.
      newerObstacle(world, withoutFields(change, ['deleted_at']));
    if (obstacle) obstacles.set(change.entityId, obstacle);
    else pairs.push({ change, survivor, record: recordOf<MergeRecord>(change, 'merge') });
  }
  await splitPairs(tx, world, pairs);
}

/** Takes apart the last merges of transactions, whichever change sets made them. */
export async function takeApart(tx: WriteTx, newerIds: readonly string[]): Promise<void> {
  await split(tx, netChanges(await selectLastMerges(tx, newerIds)), new Map());
}

/** A merge to take apart: the change of the newer transaction, and the part about the survivor. */
interface Pair {
  readonly change: NetChange;
  readonly survivor: NetChange;
  readonly record: MergeRecord;
}

async function splitPairs(tx: WriteTx, world: World, pairs: readonly Pair[]): Promise<void> {
  if (pairs.length === 0) return;
  const values = await selectDeliveredValues(
    tx,
    pairs.flatMap(({ change, record }) => [change.entityId, record.into]),
  );
  const partings = pairs.map(({ change, record: { into, belongings } }) => {
    return { newer: change.entityId, survivor: into, belongings };
  });
  await returnBelongings(tx, partings);
  if (partings.some(({ belongings }) => belongings.comments.length > 0)) tx.journal.allowUnjournaled('comment');
  await setMergedInto(
    tx,
    partings.map(({ newer }) => [newer, null]),
  );
  await openSuggestionsAgain(tx, partings);
  const written: { id: string; values: DeliveredValues }[] = [];
  const edits: FacetEdit[] = [];
  for (const pair of pairs) {
    const [newer, into] = [pair.change.entityId, pair.record.into];
    const [now, theirs] = [values.get(into) as DeliveredValues, values.get(newer) as DeliveredValues];
    // The survivor stood for the newer one, so it has what the provider said last; its own values were recorded.
    const own = await withDeliveredFields(tx, theirs, deliveredOnly(pair.survivor.before ?? {}));
    written.push({ id: newer, values: now }, { id: into, values: own });
    edits.push(...(await editsOf(tx, world, pair, { now, own, theirs })));
  }
  await updateDeliveredValues(tx, written);
  await writeFacets(tx, edits);
}

/** What the survivor and the newer transaction become; each knows the other, so that they can be merged again. */
async function editsOf(
  tx: WriteTx,
  world: World,
  { change, survivor, record: { into, survivorDeletedAt, isOfJoin } }: Pair,
  { now, own, theirs }: Record<'now' | 'own' | 'theirs', DeliveredValues>,
): Promise<[FacetEdit, FacetEdit]> {
  const was = world.facets.get(into) as Facets;
  const survivorEdit: FacetEdit = {
    before: was,
    after: restored(world, survivor, was),
    more: {
      ...changedValues(now, own),
      internal: isOfJoin ? { moved: true } : { split_from: change.entityId },
    },
  };
  const [recorded] = changesByWriter(survivorEdit, await memberNames(tx, [survivorEdit]));
  const { before, after, internal } = recorded ?? { before: {}, after: {}, internal: {} };
  const split: SplitRecord = { into, survivor: { before, after, internal }, isOfJoin };
  const newer = world.facets.get(change.entityId) as Facets;
  const newerEdit: FacetEdit = {
    before: newer,
    after: unlessDeletedSince(survivorEdit.after, survivorDeletedAt, restored(world, change, newer)),
    more: { ...changedValues(theirs, now), internal: { deleted_cause: 'merged', split } },
  };
  return [survivorEdit, newerEdit];
}

/** One that was merged into the survivor later has to go first: what the bank says now is about that one. */
function laterObstacle(
  world: World,
  { entityId }: NetChange,
  merged: readonly { id: string; at: string | null }[],
): Obstacle | null {
  const own = world.facets.get(entityId)?.deletedAt ?? '';
  if (!merged.some(({ id, at }) => id !== entityId && (at ?? '') > own)) return null;
  const message = 'Another transaction has since been merged into the same one. Undo that merge first.';
  return { reason: 'changed_since', fields: ['deleted_at'], message };
}

/** When a join is undone, what people have changed since stays, and references to what is gone are left out. */
function stillUndoable(world: World, change: NetChange, survivor: NetChange): NetChange {
  const facets = world.facets.get(survivor.entityId);
  if (!recordOf<MergeRecord>(change, 'merge').isOfJoin || !facets) return survivor;
  const changed = changedFields(world, survivor, facets).filter((field) => !isDeliveredField(field));
  const absent = absentReferences(world, survivor).filter((field) => field !== 'account_id');
  return withoutFields(survivor, [...changed, ...absent]);
}

/** Merges again what a revert took apart. Of accounts that were split, joining these does it. */
async function mergeAgain(tx: WriteTx, changes: readonly NetChange[], obstacles: Obstacles): Promise<void> {
  const parted = changes.filter(
    (change) => 'split' in change.internal && !recordOf<SplitRecord>(change, 'split').isOfJoin,
  );
  if (parted.length === 0) return;
  const survivors = parted.map((change) => survivorChange(change, recordOf<SplitRecord>(change, 'split')));
  const world = await loadWorld(tx, [...parted, ...survivors]);
  const values = await selectDeliveredValues(
    tx,
    [...parted, ...survivors].map(({ entityId }) => entityId),
  );
  const edits: MergeEdit[] = [];
  for (const [at, change] of parted.entries()) {
    const survivor = survivors[at] as NetChange;
    const [newer, into] = [change.entityId, survivor.entityId];
    const obstacle = survivorObstacle(world, survivor) ?? goneObstacle(world, into) ?? newerObstacle(world, change);
    if (obstacle) {
      obstacles.set(newer, obstacle);
      continue;
    }
    const [own, theirs] = [values.get(into) as DeliveredValues, values.get(newer) as DeliveredValues];
    const [facets, theirFacets] = [world.facets.get(into) as Facets, world.facets.get(newer) as Facets];
    edits.push({
      newer,
      survivor: into,
      survivorFacets: [facets, restored(world, survivor, facets)],
      newerFacets: [theirFacets, restored(world, change, theirFacets)],
      survivorValues: [own, { ...theirs, iso_currency_code: theirs.iso_currency_code ?? own.iso_currency_code }],
    });
  }
  if (edits.length > 0) await writeMerges(tx, edits, { isOfJoin: false });
  await closeSuggestionsAgain(tx, edits);
}

/** A survivor is undone with its newer transaction, which was recorded after it and so is undone before. */
async function followNewer(tx: WriteTx, changes: readonly NetChange[], obstacles: Obstacles): Promise<void> {
  const followers = changes.filter(({ internal }) => 'merged_from' in internal || 'split_from' in internal);
  const newerOf = ({ internal }: NetChange): string => (internal['merged_from'] ?? internal['split_from']) as string;
  const into = await selectMergedInto(tx, followers.map(newerOf));
  for (const change of followers) {
    const isMerged = into.get(newerOf(change)) === change.entityId;
    if (isMerged !== 'merged_from' in change.internal) continue;
    const why = obstacles.get(newerOf(change));
    obstacles.set(
      change.entityId,
      why ?? { reason: 'changed_since', fields: ['deleted_at'], message: 'Another transaction is merged into it.' },
    );
  }
}

/** Somebody who has deleted the survivor since the merge meant the newer one too. */
function unlessDeletedSince(
  { deletedAt, deletedCause: cause }: Facets,
  deletedBefore: string | null,
  newer: Facets,
): Facets {
  const isSince = deletedAt !== null && deletedAt !== deletedBefore && (cause === 'person' || cause === 'agent');
  return isSince && newer.deletedAt === null ? { ...newer, deletedAt, deletedCause: cause } : newer;
}

function survivorObstacle(world: World, survivor: NetChange): Obstacle | null {
  const facets = world.facets.get(survivor.entityId);
  return facets ? facetObstacle(world, survivor, facets) : missing();
}

function newerObstacle(world: World, change: NetChange): Obstacle | null {
  const facets = world.facets.get(change.entityId);
  return facets ? facetObstacle(world, change, facets) : missing();
}

function facetObstacle(world: World, change: NetChange, facets: Facets): Obstacle | null {
  const changed = changedFields(world, change, facets).filter((field) => !isDeliveredField(field));
  if (changed.length > 0) {
    return { reason: 'changed_since', fields: changed, message: `Changed since: ${changed.join(', ')}.` };
  }
  const absent = absentReferences(world, change);
  if (absent.length === 0) return null;
  const message = `It refers to something that no longer exists: ${absent.join(', ')}.`;
  return { reason: 'reference_missing', fields: absent, message };
}

function goneObstacle(world: World, id: string): Obstacle | null {
  const cause = world.facets.get(id)?.deletedCause;
  if (cause !== 'merged') return null;
  return { reason: 'exists', fields: ['deleted_at'], message: 'Another transaction has replaced it.' };
}

function survivorChange(change: NetChange, { into, survivor }: SplitRecord): NetChange {
  return { ...change, ...survivor, entityId: into, entityShortId: null, operation: 'update' };
}

function recordOf<T>({ internal }: NetChange, name: 'merge' | 'split'): T {
  return internal[name] as T;
}

function deliveredOnly(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([field]) => isDeliveredField(field)));
}

function changedValues(was: DeliveredValues, is: DeliveredValues) {
  return differenceOf(deliveredFieldsOf(was), deliveredFieldsOf(is)) ?? { before: {}, after: {} };
}
