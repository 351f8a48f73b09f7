import type { EntityType } from './entities.ts';
import type { WriteTx } from './write.ts';

/** One journaled change as it stands in the ledger. */
export interface JournaledChange {
  changeSetId: string;
  sequence: number;
  entityType: EntityType;
  entityId: string | null;
  entityShortId: string | null;
  operation: 'create' | 'update' | 'delete';
  before: Readonly<Record<string, unknown>> | null;
  after: Readonly<Record<string, unknown>> | null;
  internal: Readonly<Record<string, unknown>> | null;
  transactionId: string | null;
  source: string;
  ruleId: string | null;
  appliedBy: string | null;
  isRevertible: boolean;
  revertedByChangeSetId: string | null;
}

/** What one change set did to one entity, all its changes taken together. */
export interface NetChange {
  entityType: EntityType;
  entityId: string;
  entityShortId: string | null;
  operation: 'create' | 'update' | 'delete';
  /** The entity as it was before the set; null where it did not exist. Only the fields that the set wrote. */
  before: Readonly<Record<string, unknown>> | null;
  after: Readonly<Record<string, unknown>> | null;
  internal: Readonly<Record<string, unknown>>;
  transactionId: string | null;
  changeSetId: string;
  /** The kind of writer that began. */
  source: string;
  /** The changes that it is made of, ascending. */
  sequences: readonly number[];
}

/** Why an entity cannot be taken back (contract 10.13.3). */
export type ObstacleReason = 'changed_since' | 'missing' | 'reference_missing' | 'exists' | 'in_use';

export interface Obstacle {
  reason: ObstacleReason;
  /** The fields it is about, by their names in the record. */
  fields: readonly string[];
  /** What would be right, for people. */
  message: string;
  /** People or agents worked on the row since: that kept it in place, or a forced revert took it out all the same. */
  work?: 'kept' | 'overruled';
}

/**
 * How one kind of entity is taken back. `undo` gets the entities of one set, the last changed one first; it writes
 * and records what it can, and answers the obstacle of each entity (by UUID) that it had to leave as it is; null for
 * one of which nothing was left to take back. A forced revert overrules the work of people on rows of an import.
 */
export interface EntityUndo {
  entityType: EntityType;
  undo(tx: WriteTx, changes: readonly NetChange[], isForced: boolean): Promise<ReadonlyMap<string, Obstacle | null>>;
  /** Takes back what a set did to such entities without journaling each (10.13.1): rows that an import created. */
  undoCarried?(tx: WriteTx, set: CarryingSet, isForced: boolean): Promise<CarriedUndone>;
  /** Hears how a set stands after it, or its revert, was taken back. */
  onRestated?(tx: WriteTx, set: CarryingSet & Restated): Promise<void>;
}

export interface Restated {
  status: 'applied' | 'partly_reverted' | 'reverted';
  /** The newest revert in force. */
  revertedByChangeSetId: string | null;
}

/** A change set whose rows carry it themselves. */
export interface CarryingSet {
  id: string;
  importId: string | null;
}

export interface CarriedUndone {
  undoneCount: number;
  /** What stood in the way, overruled or not. */
  met: readonly { entityId: string; entityShortId: string; obstacle: Obstacle }[];
}

/**
 * The changes of one set by entity, in the reverse order of each entity's last change: the order of undoing. What the
 * set wrote twice counts from the first `before` to the last `after`.
 */
export function netChanges(changes: readonly JournaledChange[]): NetChange[] {
  const byEntity = new Map<string, JournaledChange[]>();
  for (const change of [...changes].sort((a, b) => a.sequence - b.sequence)) {
    if (change.entityId === null) continue;
    const key = `${change.entityType} ${change.entityId}`;
    const known = byEntity.get(key);
    if (known) known.push(change);
    else byEntity.set(key, [change]);
  }
  const nets = [...byEntity.values()].map(net).filter((one) => one !== null);
  return nets.sort((a, b) => (b.sequences.at(-1) as number) - (a.sequences.at(-1) as number));
}

/** null when the set made and removed the entity itself. */
function net(changes: readonly JournaledChange[]): NetChange | null {
  const [first, last] = [changes[0] as JournaledChange, changes.at(-1) as JournaledChange];
  const isMade = first.operation === 'create';
  const isGone = last.operation === 'delete';
  if (isMade && isGone) return null;
  const before = new Map<string, unknown>();
  const after = new Map<string, unknown>();
  const internal = new Map<string, unknown>();
  const seen = new Set<string>();
  for (const change of changes) {
    for (const field of new Set([...Object.keys(change.before ?? {}), ...Object.keys(change.after ?? {})])) {
      if (!seen.has(field) && change.before && field in change.before) before.set(field, change.before[field]);
      seen.add(field);
      if (change.after && field in change.after) after.set(field, change.after[field]);
      else after.delete(field);
    }
    mergeInternal(internal, change.internal ?? {});
  }
  return {
    entityType: first.entityType,
    entityId: first.entityId as string,
    entityShortId: first.entityShortId,
    operation: isMade ? 'create' : isGone ? 'delete' : 'update',
    before: isMade ? null : Object.fromEntries(before),
    after: isGone ? null : Object.fromEntries(after),
    internal: Object.fromEntries(internal),
    transactionId: last.transactionId,
    changeSetId: first.changeSetId,
    source: first.source,
    sequences: changes.map(({ sequence }) => sequence),
  };
}

/** The oldest value counts; of locks, what was first said about each key. */
function mergeInternal(merged: Map<string, unknown>, internal: Readonly<Record<string, unknown>>): void {
  const spoken = new Set([...list(merged.get('locked')), ...list(merged.get('unlocked'))]);
  for (const [name, value] of Object.entries(internal)) {
    if (name === 'locked' || name === 'unlocked') {
      merged.set(name, [...list(merged.get(name)), ...list(value).filter((key) => !spoken.has(key))]);
    } else if (!merged.has(name)) merged.set(name, value);
  }
}

function list(value: unknown): string[] {
  return Array.isArray(value) ? (value as string[]) : [];
}
