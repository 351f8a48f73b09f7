import type { CategoriesTable } from '../../db/schema.ts';
import type { Patch } from '../../journal/entity.ts';
import type { WriteTx } from '../../journal/write.ts';
import { validationError } from '../../kernel/errors.ts';
import { handleWrite } from '../handler.ts';
import { mergeCategory as operation } from './categories.contract.ts';
import { categories, inTreeOrder, removeCategory, toCategory } from './categories.entity.ts';
import { selectCategories } from './categories.queries.ts';
import { isInUse, moveUses } from './category-uses.ts';
import { getCategoryRow, getReferredCategory } from './find-category.ts';

const SOURCE = 'from_category_id';

export const mergeCategory = handleWrite(operation, 'category.merge', async ({ tx }, { params, body }) => {
  const target = await getCategoryRow(tx, params.id);
  const source = await getReferredCategory(tx, SOURCE, body.from_category_id);
  refuse(source, target);
  const merge = async () => mergeInto(tx, source, target, await selectCategories(tx));
  const moved = body.dry_run ? await tx.rehearse(merge) : await merge();
  const isWritten = !tx.journal.isEmpty();
  if (isWritten) tx.journal.summarise(`Merged the category ${source.name} into ${target.name}`);
  return {
    category: toCategory(target),
    source_id: source.id,
    source_archived: source.is_system === 1,
    moved,
    dry_run: body.dry_run,
    change_set_id: isWritten ? tx.journal.changeSetId : null,
  };
});

/** @throws VALIDATION_ERROR */
function refuse(source: CategoriesTable, target: CategoriesTable): void {
  if (source.id === target.id) throw validationError(SOURCE, `${SOURCE}: a category cannot be merged into itself.`);
  if (target.parent_id === source.id) {
    throw validationError(
      SOURCE,
      `${SOURCE}: the target is a child of this category. Merge the child into it instead.`,
    );
  }
  if (target.is_archived === 1) {
    throw validationError('id', 'The target is archived. Unarchive it first, or choose another one.');
  }
}

interface Merged {
  transactions: number;
  rules: number;
  counterparties: number;
  children_moved: number;
  children_merged: number;
}

/**
 * Merges one category into another, children first (contract 10.10.3). What refers to a category is recorded before
 * the category itself, so that a revert restores the category first.
 */
async function mergeInto(
  tx: WriteTx,
  source: CategoriesTable,
  target: CategoriesTable,
  all: readonly CategoriesTable[],
): Promise<Merged> {
  const merged: Merged = { transactions: 0, rules: 0, counterparties: 0, children_moved: 0, children_merged: 0 };
  const absorb = async (one: CategoriesTable, into: CategoriesTable): Promise<boolean> => {
    const uses = await moveUses(tx, one.id, into.id);
    merged.transactions += uses.transactions;
    merged.rules += uses.rules;
    merged.counterparties += uses.counterparties;
    return isInUse(uses);
  };
  const namesakes = namesakesIn(target, all);
  for (const child of inTreeOrder(all).filter(({ parent_id: parent }) => parent === source.id)) {
    const into = target.parent_id === null ? namesakes.get(child.name_folded) : target;
    if (!into) {
      await categories.change(tx, child, { parent_id: target.id });
      merged.children_moved += 1;
      continue;
    }
    const hadUses = await absorb(child, into);
    // If the parent is deleted, a built-in child moves next to the category it was merged into.
    const parentId = source.is_system === 1 ? source.id : (target.parent_id ?? target.id);
    // An earlier merge of the child itself counts more than this one.
    const mergedInto = child.merged_into_id ?? into.id;
    const isRetired = await retire(tx, child, into, { parent_id: parentId, merged_into_id: mergedInto });
    if (hadUses || isRetired) merged.children_merged += 1;
  }
  await absorb(source, target);
  await retire(tx, source, target, { merged_into_id: target.id });
  return merged;
}

/** The live children of the target by folded name. */
function namesakesIn(target: CategoriesTable, all: readonly CategoriesTable[]): ReadonlyMap<string, CategoriesTable> {
  const found = new Map<string, CategoriesTable>();
  for (const one of inTreeOrder(all)) {
    const isOpen = one.parent_id === target.id && one.is_archived === 0;
    if (isOpen && !found.has(one.name_folded)) found.set(one.name_folded, one);
  }
  return found;
}

/** Deletes a category of the household's own; archives a built-in one with this patch. Answers whether it changed. */
async function retire(
  tx: WriteTx,
  row: CategoriesTable,
  into: CategoriesTable,
  patch: Patch<CategoriesTable, 'name_folded'>,
): Promise<boolean> {
  if (row.is_system === 0) {
    await removeCategory(tx, row, into.id);
    return true;
  }
  return (await categories.change(tx, row, { ...patch, is_archived: 1 })) !== row;
}
