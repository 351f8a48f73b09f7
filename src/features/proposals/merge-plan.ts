import { differenceOf } from '../../journal/difference.ts';
import type { EntityType } from '../../journal/entities.ts';
import type { EntityReplay, EntityState } from '../../journal/replay.ts';
import type { EntityUndos } from '../../journal/undo.ts';
import type { Actor, Change } from '../../journal/write.ts';
import type { Conflicts } from './find-conflicts.ts';
import { keyOf, replayOf, type StoredChange } from './planned-changes.ts';

/** An entity that a call has touched. */
export interface Touched {
  entityType: EntityType;
  entityId: string;
  /** Everything that was recorded of it, with what the plan so far had done. */
  recorded: readonly Change[];
  /** The source of the write. */
  source: string;
  /** As it is in the ledger, and as it is after the plan and the call; undefined where it does not exist. */
  before: EntityState | undefined;
  after: EntityState | undefined;
}

export interface MergedChange {
  change: StoredChange;
  /** All fields of the entity, for its label. */
  fields: Readonly<Record<string, unknown>>;
}

interface Planning {
  undos: EntityUndos;
  /** Who proposes. */
  actor: Actor;
}

/** What the plan becomes: changes to store, and the sequences of those that dropped out. */
export interface Merged {
  changed: MergedChange[];
  dropped: ReadonlySet<number>;
}

/**
 * Adds what a call would change to a plan. Both states of an entity say it all: a field that is back at its first value
 * differs no more, and an entity that was created and deleted is in neither state. Only a change that could not be
 * applied, because the ledger has moved on, is kept as it was and added to.
 */
export function mergePlan(
  stored: readonly StoredChange[],
  touched: readonly Touched[],
  conflicts: Conflicts,
  { undos, actor }: Planning,
): Merged {
  const known = new Map(stored.map((change) => [keyOf(change), change]));
  const dropped = new Set<number>();
  const changed: MergedChange[] = [];
  let last = stored.at(-1)?.sequence ?? 0;
  for (const one of touched) {
    const old = known.get(keyOf(one));
    const isKept = old !== undefined && conflicts.has(old.sequence);
    const made = changeOf(one, undos, actor);
    if (made === null) {
      if (old && !isKept) dropped.add(old.sequence);
      continue;
    }
    const sequence = old?.sequence ?? (last += 1);
    const equal = old?.known && { known: old.known };
    const change = { ...(isKept ? addedTo(old, made) : made), sequence, ...equal };
    changed.push({ change, fields: (one.after ?? one.before)?.fields ?? {} });
  }
  return { changed, dropped };
}

/** The change between the two states of an entity; null if there is none to see. */
function changeOf(one: Touched, undos: EntityUndos, actor: Actor): Omit<StoredChange, 'sequence'> | null {
  const { entityType, entityId, before, after, recorded } = one;
  const replay = replayOf(undos, entityType);
  const fields = fieldsBetween(before, after, replay);
  if (fields === null) return null;
  const state = (after ?? before) as EntityState;
  const hidden = replay.hiddenOf(before, after, recorded, actor);
  const wasHidden = Object.keys(hidden).filter((name) => before !== undefined && name in before.hidden);
  const rules = new Set(recorded.map(({ ruleId }) => ruleId ?? null));
  const ruleId = rules.size === 1 ? ([...rules][0] as string | null) : null;
  return {
    entityType,
    entityId,
    entityShortId: state.shortId,
    ...fields,
    hidden,
    hiddenBefore: Object.fromEntries(wasHidden.map((name) => [name, before?.hidden[name]])),
    wasDeleted: before?.isDeleted ?? false,
    transactionId: state.transactionId,
    source: ruleId === null ? (recorded.find((change) => change.ruleId === undefined)?.source ?? one.source) : 'rule',
    ruleId,
    appliedBy: recorded.findLast(({ appliedBy }) => appliedBy !== undefined)?.appliedBy ?? null,
  };
}

function fieldsBetween(
  before: EntityState | undefined,
  after: EntityState | undefined,
  replay: EntityReplay,
): Pick<StoredChange, 'operation' | 'before' | 'after'> | null {
  if (!before && !after) return null;
  if (!before) return { operation: 'create', before: null, after: after?.fields ?? null };
  if (!after) return { operation: 'delete', before: before.fields, after: null };
  const difference = differenceOf(before.fields, after.fields);
  if (difference) return { operation: 'update', ...difference };
  return replay.hidesChange?.(before, after) === true ? { operation: 'update', before: {}, after: {} } : null;
}

/** Per field, the first value before and the last one after. */
function addedTo(old: StoredChange, made: Omit<StoredChange, 'sequence'>): Omit<StoredChange, 'sequence'> {
  if (old.operation !== 'update' || made.operation !== 'update') return made;
  return {
    ...made,
    before: { ...made.before, ...old.before },
    after: { ...old.after, ...made.after },
    hidden: { ...old.hidden, ...made.hidden },
    wasDeleted: old.wasDeleted,
  };
}
