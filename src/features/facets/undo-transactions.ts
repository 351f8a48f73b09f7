import type { EntityUndo, NetChange, Obstacle } from '../../journal/undo.ts';
import { restoreDelivered, type Delivered } from './delivered-fields.ts';
import type { Facets } from './facets.ts';
import { findDecidedSince, isRestoredByImport } from './later-work.ts';
import { withoutHanded, withoutSaid } from './handed-values.ts';
import { deliveredByOthers } from './listed-elsewhere.ts';
import { replay } from './replay-transactions.ts';
import { undoCreatedRows, undoEntered } from './undo-created-rows.ts';
import { isOfMerge, undoMerges } from './undo-merges.ts';
import {
  absentReferences,
  changedFields,
  loadWorld,
  missing,
  restored,
  withoutFields,
  type World,
} from './undo-world.ts';
import { writeFacets, type FacetEdit } from './write-facets.ts';

/** Reverts changes of transactions: facets with their locks, and what a bank file had changed (contract 10.13.3). */
export const undo: EntityUndo = {
  entityType: 'transaction',
  replay,
  async undo(tx, all, isForced) {
    const others = all.filter((change) => !isOfMerge(change));
    const { kept, valued } = await deliveredByOthers(tx, others);
    const left = others.filter(({ entityId }) => !kept.has(entityId));
    const merges = await undoMerges(tx, all.filter(isOfMerge));
    const world = await loadWorld(tx, left);
    const changes = left.map((change) =>
      valued.has(change.entityId) ? withoutSaid(change) : withoutHanded(change, world.delivered.get(change.entityId)),
    );
    const isEntry = ({ operation }: NetChange): boolean => operation === 'create';
    const { edits, obstacles } = await undoEntered(tx, changes.filter(isEntry), world.facets);
    const held = await findDecidedSince(tx, changes.filter(isRestoredByImport), world.facets, isForced);
    const deliveries: { change: NetChange; current: Delivered }[] = [];
    for (const change of changes) {
      if (isEntry(change)) continue;
      const { entityId: id } = change;
      const before = world.facets.get(id);
      const { undone, met } = before ? planOf(world, change, before, held.get(id)) : { met: missing() };
      if (met !== undefined) obstacles.set(id, met);
      if (!before || !undone) continue;
      edits.push(byLink(undone, { before, after: restored(world, undone, before) }));
      const current = world.delivered.get(id);
      if (current) deliveries.push({ change: undone, current });
    }
    await restoreDelivered(tx, deliveries);
    await writeFacets(tx, edits);
    return new Map([...obstacles, ...merges, ...[...kept].map((id) => [id, null] as const)]);
  },
  undoCreatedRows,
};

/** The part of a change to undo, and the obstacle if there is one; null for a row that is already deleted. */
interface UndoPlan {
  undone?: NetChange;
  met?: Obstacle | null;
}

/** `held`: why a row that an import restored is kept. */
function planOf(world: World, all: NetChange, now: Facets, held: Obstacle | undefined): UndoPlan {
  // Another revert may have brought the row back already.
  const isBack = all.source === 'revert' && all.before?.['deleted_at'] === null && now.deletedAt === null;
  const change = isBack ? withoutFields(all, ['deleted_at']) : all;
  const isRestored = isRestoredByImport(change);
  if (isRestored && now.deletedAt !== null) return { met: null };
  if (held && held.work !== 'overruled') return { met: held };
  const undone = isRestored ? withoutChangedSince(world, change, now) : withoutLostAttribution(world, change, now);
  const obstacle = obstacleOf(world, undone, now);
  if (obstacle) return { met: held ? { ...obstacle, work: 'kept' } : obstacle };
  return held ? { undone, met: held } : { undone };
}

/** A row that is deleted keeps what has changed since: only the rest of the change is undone. */
function withoutChangedSince(world: World, change: NetChange, now: Facets): NetChange {
  return withoutFields(change, changedFields(world, change, now));
}

/** An edit that brings a link's attribution back, or takes it away, is the link's again. */
function byLink({ internal }: NetChange, edit: FacetEdit): FacetEdit {
  const { before, after } = edit;
  const linkId = internal['account_link_id'] ?? (before.locks === after.locks ? after.attributedByLinkId : null);
  if (before.attributedByLinkId === after.attributedByLinkId || typeof linkId !== 'string') return edit;
  return { ...edit, more: { before: {}, after: {}, internal: { account_link_id: linkId } } };
}

/** Whom an account link attributed a row to follows from its match: a link or person that changed it since decides. */
function withoutLostAttribution(world: World, change: NetChange, now: Facets): NetChange {
  if (!('account_link_id' in change.internal)) return change;
  const lost = [...changedFields(world, change, now), ...absentReferences(world, change)];
  const isLost = lost.includes('attributed_user_id') || now.locks.has('attribution');
  return withoutFields(change, isLost ? ['attributed_user_id'] : []);
}

function obstacleOf(world: World, change: NetChange, facets: Facets): Obstacle | null {
  const changed = changedFields(world, change, facets);
  if (changed.length > 0) {
    return { reason: 'changed_since', fields: changed, message: `Changed since: ${changed.join(', ')}.` };
  }
  const absent = absentReferences(world, change);
  if (absent.length > 0) {
    const message = `It refers to something that no longer exists: ${absent.join(', ')}.`;
    return { reason: 'reference_missing', fields: absent, message };
  }
  if (facets.deletedCause === 'merged' && change.before?.['deleted_at'] === null) {
    return { reason: 'exists', fields: ['deleted_at'], message: 'Another transaction has replaced it.' };
  }
  return null;
}
