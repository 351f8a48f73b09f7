import { entryOf } from './actions.ts';
import { leavesOf, mapLeaves, type StoredAction, type StoredCondition, type StoredLeaf } from './definition.ts';
import { getField, namedBy } from './fields.ts';
import type { ReferenceKind } from './language.ts';

/** A record that a stored rule refers to by its UUID. */
interface StoredReference {
  readonly field: 'condition' | 'actions';
  readonly kind: ReferenceKind;
  readonly id: string;
}

/** Every record that a stored rule refers to. */
export function referencesIn(
  condition: StoredCondition | undefined,
  actions: readonly StoredAction[] | undefined,
): StoredReference[] {
  const found: StoredReference[] = [];
  for (const leaf of condition === undefined ? [] : leavesOf(condition)) {
    const kind = kindNamedBy(leaf);
    if (kind === undefined) continue;
    for (const id of [leaf.value].flat()) if (typeof id === 'string') found.push({ field: 'condition', kind, id });
  }
  for (const action of actions ?? []) {
    const reference = referenceOf(action);
    if (reference !== undefined) found.push({ field: 'actions', ...reference });
  }
  return found;
}

function kindNamedBy(leaf: StoredLeaf): ReferenceKind | undefined {
  return namedBy(getField(leaf), leaf.op);
}

function referenceOf(action: StoredAction): { readonly kind: ReferenceKind; readonly id: string } | undefined {
  const { refersTo } = entryOf(action.type);
  return (
    refersTo && { kind: refersTo.kind, id: (action as unknown as Readonly<Record<string, string>>)[refersTo.key] ?? '' }
  );
}

function withReference(action: StoredAction, id: string): StoredAction {
  const { refersTo } = entryOf(action.type);
  return refersTo === undefined ? action : { ...action, [refersTo.key]: id };
}

/** Replaces placeholders by the ids of the created records. */
export function fillCondition(condition: StoredCondition, ids: ReadonlyMap<string, string>): StoredCondition {
  const filled = (value: unknown): string => ids.get(String(value)) ?? String(value);
  return mapLeaves(condition, (leaf) => {
    const { value = null } = leaf;
    if (value === null || kindNamedBy(leaf) === undefined) return leaf;
    return { ...leaf, value: Array.isArray(value) ? value.map(filled) : filled(value) };
  });
}

/** Replaces placeholders by the ids of the created records. */
export function fillActions(
  actions: readonly StoredAction[],
  ids: ReadonlyMap<string, string>,
): readonly StoredAction[] {
  return actions.map((action) => {
    const id = ids.get(referenceOf(action)?.id ?? '');
    return id === undefined ? action : withReference(action, id);
  });
}

/** The record that replaces another wherever a rule refers to that; null removes the reference. */
interface Replacement {
  readonly from: string;
  readonly to: string | null;
}

/**
 * The condition with one record replaced by another. Values of a list that become equal are kept once; a leaf that
 * loses its last value gets the value null (contract 40.7).
 */
export function replacedInCondition(condition: StoredCondition, { from, to }: Replacement): StoredCondition {
  return mapLeaves(condition, (leaf) => {
    const { value } = leaf;
    if (kindNamedBy(leaf) === undefined) return leaf;
    if (!Array.isArray(value)) return value === from ? { ...leaf, value: to } : leaf;
    if (!value.includes(from)) return leaf;
    const left = new Set(value.flatMap((one: unknown) => (one === from ? (to ?? []) : [String(one)])));
    return { ...leaf, value: left.size === 0 ? null : [...left] };
  });
}

/** The actions with one record replaced by another. Actions never lose their record. */
export function replacedInActions(actions: readonly StoredAction[], { from, to }: Replacement): StoredAction[] {
  return actions.map((action) =>
    to !== null && referenceOf(action)?.id === from ? withReference(action, to) : action,
  );
}
