import type { CategoriesTable } from '../../db/schema.ts';
import { difference, type WriteTx } from '../../journal/write.ts';
import { deleteCategoryRow, insertCategories, selectMergedInto, updateCategories } from './categories.queries.ts';
import { toCategory } from './categories.table.ts';

export interface CategoryEdit {
  before: CategoriesTable;
  after: CategoriesTable;
}

/** Stores new categories, parents first, and records them. */
export async function addCategories(tx: WriteTx, rows: readonly CategoriesTable[]): Promise<void> {
  if (rows.length > 0) await insertCategories(tx, rows);
  for (const row of rows) {
    tx.journal.record({
      entityType: 'category',
      entityId: row.id,
      entityShortId: row.short_id,
      operation: 'create',
      before: null,
      after: toCategory(row),
      revertible: true,
    });
  }
}

/**
 * Stores changed categories and records what of each changed; one that is as it was is passed over. What a merge
 * remembers is in no record, so it goes beside it, for a revert. Answers how many changed.
 */
export async function changeCategories(tx: WriteTx, edits: readonly CategoryEdit[]): Promise<number> {
  const changed: CategoriesTable[] = [];
  for (const { before, after } of edits) {
    const shown = difference({ ...toCategory(before) }, { ...toCategory(after), updated_at: before.updated_at });
    const [was, is] = [before.merged_into_id, after.merged_into_id];
    if (!shown && was === is) continue;
    changed.push({ ...after, updated_at: shown ? tx.now : before.updated_at });
    tx.journal.record({
      entityType: 'category',
      entityId: before.id,
      entityShortId: before.short_id,
      operation: 'update',
      ...(shown ?? { before: {}, after: {} }),
      ...(was === is ? {} : { internal: { columns: { merged_into_id: was }, written: { merged_into_id: is } } }),
      revertible: true,
    });
  }
  if (changed.length > 0) await updateCategories(tx, changed);
  return changed.length;
}

/** Removes a category that nothing uses any more; what was merged into it counts as merged into `heir`, if any. */
export async function removeCategory(tx: WriteTx, row: CategoriesTable, heir: string | null): Promise<void> {
  const merged = await selectMergedInto(tx, row.id);
  await changeCategories(
    tx,
    merged.map((before) => ({ before, after: { ...before, merged_into_id: heir } })),
  );
  await deleteCategoryRow(tx, row.id);
  tx.journal.record({
    entityType: 'category',
    entityId: row.id,
    entityShortId: row.short_id,
    operation: 'delete',
    before: toCategory(row),
    after: null,
    revertible: true,
  });
}
