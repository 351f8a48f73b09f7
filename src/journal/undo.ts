import type { EntityType } from './entities.ts';
import type { EntityReplay } from './replay.ts';
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

/** All changes of one set to one entity, combined into one. */
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
  /** The source of the first change. */
  source: string;
  /** The sequences of the changes that it combines, ascending. */
  sequences: readonly number[];
}

/** Why an entity cannot be reverted (contract 10.13.3). */
export type ObstacleReason = 'changed_since' | 'missing' | 'reference_missing' | 'exists' | 'in_use';

export interface Obstacle {
  reason: ObstacleReason;
  /** The fields concerned, by their names in the record. */
  fields: readonly string[];
  /** What to do about it, for people. */
  message: string;
  /** People or agents have worked on the row since: it was kept for that, or deleted all the same by a forced revert. */
  work?: 'kept' | 'overruled';
}

/** What keeps a whole set from being undone, also in part. */
export interface Hindrance {
  entityId: string;
  entityShortId: string | null;
  /** Of its change in the set. */
  sequence: number;
  obstacle: Obstacle;
}

/** How one type of entity is undone. */
export interface EntityUndo {
  entityType: EntityType;
  /** The undo that this one passes on to, where a feature adds to that of another. */
  extended?: EntityUndo;
  /** How its changes are planned and written later; absent where tools change no such entity. */
  replay?: EntityReplay;
  /** Asked before anything is undone, for sets whose parts make no sense alone. */
  findHindrance?(tx: WriteTx, setId: string): Promise<Hindrance | null>;
  /**
   * Undoes these changes of one set, in this order: the entity changed last comes first. Writes and records what it
   * can, and answers by UUID the obstacle of each entity it left alone; null means there was nothing left to undo.
   * A forced revert also deletes rows of an import that people have worked on.
   */
  undo(tx: WriteTx, changes: readonly NetChange[], isForced: boolean): Promise<ReadonlyMap<string, Obstacle | null>>;
  /**
   * Undoes changes that are in each other's way, as if all were done at once, and answers the obstacles that remain; the
   * caller takes everything back if there are any. Absent where rows share no values.
   */
  undoTogether?(tx: WriteTx, changes: readonly NetChange[]): Promise<ReadonlyMap<string, Obstacle>>;
  /** Undoes the rows of an import, which name their change set instead of being listed in it (10.13.1). */
  undoCreatedRows?(tx: WriteTx, set: CreatingSet, isForced: boolean): Promise<CreatedRowsUndone>;
  /** Called once at the end of a revert, for what depends on all that it undid. */
  finish?(tx: WriteTx): Promise<void>;
  /** Called when the status of a set has changed, because it or its revert was reverted. */
  onStatusChanged?(tx: WriteTx, set: CreatingSet & RevertStatus): Promise<void>;
}

export type EntityUndos = ReadonlyMap<EntityType, EntityUndo>;

export interface RevertStatus {
  status: 'applied' | 'partly_reverted' | 'reverted';
  /** The newest revert that is itself not reverted. */
  revertedByChangeSetId: string | null;
}

/** A change set that rows may name as the one that created them. */
export interface CreatingSet {
  id: string;
  importId: string | null;
}

export interface CreatedRowsUndone {
  undoneCount: number;
  /** Rows that stay because something else delivers them. */
  keptCount: number;
  /** The obstacles it found, those that a forced revert overruled included. */
  met: readonly { entityId: string; entityShortId: string; obstacle: Obstacle }[];
}

/**
 * Combines the changes of one set by entity, in the order of undoing: the entity changed last comes first. A field
 * written twice goes from its first `before` to its last `after`.
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

/** null when the set both created and removed the entity. */
function net(changes: readonly JournaledChange[]): NetChange | null {
  const [first, last] = [changes[0] as JournaledChange, changes.at(-1) as JournaledChange];
  const isCreated = first.operation === 'create';
  const isRemoved = last.operation === 'delete';
  if (isCreated && isRemoved) return null;
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
    operation: isCreated ? 'create' : isRemoved ? 'delete' : 'update',
    before: isCreated ? null : Object.fromEntries(before),
    after: isRemoved ? null : Object.fromEntries(after),
    internal: Object.fromEntries(internal),
    transactionId: last.transactionId,
    changeSetId: first.changeSetId,
    source: first.source,
    sequences: changes.map(({ sequence }) => sequence),
  };
}

/** Keeps the oldest value, and for locks the first one of each key. */
function mergeInternal(merged: Map<string, unknown>, internal: Readonly<Record<string, unknown>>): void {
  const known = new Set([...list(merged.get('locked')), ...list(merged.get('unlocked'))]);
  for (const [name, value] of Object.entries(internal)) {
    if (name === 'locked' || name === 'unlocked') {
      merged.set(name, [...list(merged.get(name)), ...list(value).filter((key) => !known.has(key))]);
    } else if (!merged.has(name)) merged.set(name, value);
  }
}

function list(value: unknown): string[] {
  return Array.isArray(value) ? (value as string[]) : [];
}
