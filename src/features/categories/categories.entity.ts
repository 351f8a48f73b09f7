import type { z } from 'zod';

import type { CategoriesTable } from '../../db/schema.ts';
import type { ReadTx } from '../../db/unit-of-work.ts';
import { derived, flag, IDS, isReferred, recorded, reference, STAMPS } from '../../journal/columns.ts';
import { defineEntity, type Fields, type RowChange } from '../../journal/entity.ts';
import type { Obstacle } from '../../journal/undo.ts';
import type { WriteTx } from '../../journal/write.ts';
import { compareCodePoints, fold } from '../../kernel/fold.ts';
import { countRulesNaming } from '../rules/index.ts';
import type { Category } from './categories.contract.ts';
import { hasChildren, selectCategories, selectMergedInto } from './categories.queries.ts';
import { countUses, isInUse } from './category-uses.ts';
import { treeOf, type Node } from './tree.ts';

export type CategoryRecord = z.output<typeof Category>;

const REFERRING = [
  ['transactions', 'category_id'],
  ['counterparties', 'category_id'],
  ['categories', 'parent_id'],
  ['categories', 'merged_into_id'],
] as const;

/** `merged_into_id` is what provider categories follow after a merge; no record shows it. */
export const categories = defineEntity('categories', {
  type: 'category',
  columns: {
    ...IDS,
    slug: recorded,
    name: recorded,
    name_folded: derived,
    parent_id: reference('categories'),
    kind: recorded,
    is_archived: flag('archived'),
    icon: recorded,
    color: recorded,
    sort_order: recorded,
    is_system: flag(),
    merged_into_id: { ...reference('categories'), role: 'internal' },
    ...STAMPS,
  },
  derive: ({ name }) => ({ name_folded: fold(name) }),
  undo: {
    unique: ['slug'],
    isUsed: async (tx, id) =>
      (await hasChildren(tx, id)) || (await selectMergedInto(tx, id)).length > 0 || isInUse(await countUses(tx, id)),
    isUsedBesides: async (tx, id, others) =>
      (await isReferred(tx, id, REFERRING, others)) || (await countRulesNaming(tx, id, others)) > 0,
    findObstacle: findPlaceObstacle,
  },
});

/**
 * A restored category must fit the tree: two levels, and nothing live under an archived parent. `beside` is what else
 * changes in it: a parent is archived together with its children.
 */
async function findPlaceObstacle(
  tx: ReadTx,
  id: string,
  fields: Fields,
  beside: readonly RowChange[] = [],
): Promise<Obstacle | null> {
  const nodes = new Map<string, Node>((await selectCategories(tx)).map((row) => [row.id, row]));
  for (const other of [...beside, { entityId: id, after: fields }]) {
    const { entityId, after } = other;
    if (after === null) nodes.delete(entityId);
    else nodes.set(entityId, nodeWith(nodes.get(entityId), entityId, after));
  }
  const problem = treeOf(nodes.values()).problemAt(id);
  if (!problem) return null;
  return {
    reason: 'reference_missing',
    fields: [problem.field],
    message: `It cannot be restored in its place: ${problem.message}.`,
  };
}

function nodeWith(node: Node | undefined, id: string, { parent_id: parentId, archived }: Fields): Node {
  return {
    id,
    parent_id: parentId === undefined ? (node?.parent_id ?? null) : (parentId as string | null),
    is_archived: archived === undefined ? (node?.is_archived ?? 0) : archived === true ? 1 : 0,
  };
}

/** Removes a category that nothing uses. What was merged into it counts as merged into `heirId` from now on. */
export async function removeCategory(tx: WriteTx, row: CategoriesTable, heirId: string | null): Promise<void> {
  const merged = await selectMergedInto(tx, row.id);
  const patch = { merged_into_id: heirId };
  await categories.changeMany(
    tx,
    merged.map((one) => ({ row: one, patch })),
  );
  await categories.remove(tx, row);
}

export function toCategory(row: CategoriesTable): CategoryRecord {
  return {
    id: row.id,
    short_id: row.short_id,
    slug: row.slug,
    name: row.name,
    parent_id: row.parent_id,
    kind: row.kind as CategoryRecord['kind'],
    archived: row.is_archived === 1,
    icon: row.icon,
    color: row.color,
    sort_order: row.sort_order,
    is_system: row.is_system === 1,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}

/** Each top-level category followed by its children; both levels by sort_order, folded name, id. */
export function inTreeOrder(rows: readonly CategoriesTable[]): CategoriesTable[] {
  const ordered = [...rows].sort(
    (a, b) =>
      a.sort_order - b.sort_order || compareCodePoints(a.name_folded, b.name_folded) || compareCodePoints(a.id, b.id),
  );
  const byParent = Map.groupBy(ordered, (row) => row.parent_id);
  return (byParent.get(null) ?? []).flatMap((top) => [top, ...(byParent.get(top.id) ?? [])]);
}
