import type { CategoriesTable } from '../../db/schema.ts';
import type { ReadTx } from '../../db/unit-of-work.ts';
import type { Obstacle } from '../../journal/undo.ts';
import { undoRows } from '../../journal/undo-rows.ts';
import { hasChildren, selectCategories, selectMergedInto } from './categories.queries.ts';
import { toCategory, toCategoryColumns } from './categories.table.ts';
import { countUses, isInUse } from './category-uses.ts';
import { treeOf } from './tree.ts';

const REFERENCES = ['parent_id', 'merged_into_id'];

/** How categories are taken back; what a merge remembers comes from beside the record. */
export const undo = undoRows({
  entityType: 'category',
  table: 'categories',
  toFields: (row) => ({ ...toCategory(row as unknown as CategoriesTable) }),
  toColumns: async (_tx, fields) => toCategoryColumns(fields),
  unique: ['slug', 'short_id'],
  references: (fields) =>
    REFERENCES.flatMap((field) => {
      const id = fields[field];
      return typeof id === 'string' ? [{ field, table: 'categories' as const, id }] : [];
    }),
  isUsed: async (tx, id) =>
    (await hasChildren(tx, id)) || (await selectMergedInto(tx, id)).length > 0 || isInUse(await countUses(tx, id)),
  findObstacle: placeObstacle,
});

/** What comes back must fit into the tree as it is by now: two levels, and nothing live under an archived one. */
async function placeObstacle(
  tx: ReadTx,
  id: string,
  fields: Readonly<Record<string, unknown>>,
): Promise<Obstacle | null> {
  const all = await selectCategories(tx);
  const current = all.find((one) => one.id === id);
  const back = { ...current, id, ...toCategoryColumns(fields) } as CategoriesTable;
  const problem = treeOf([...all.filter((one) => one !== current), back]).problemAt(id);
  if (!problem) return null;
  return {
    reason: 'reference_missing',
    fields: [problem.field],
    message: `It has no place any more: ${problem.message}.`,
  };
}
