import type { CategoriesTable } from '../../db/schema.ts';
import type { WriteTx } from '../../journal/write.ts';
import { inTreeOrder } from './categories.table.ts';
import { isInUse, moveUses } from './category-uses.ts';
import { changeCategories, removeCategory } from './write-category.ts';

export interface Merged {
  transactions: number;
  rules: number;
  counterparties: number;
  children_moved: number;
  children_merged: number;
}

/**
 * Merges one category into another, children first (contract 10.10.3). What refers to a category is recorded before
 * the category itself, so that a revert finds it back in place.
 */
export async function mergeInto(
  tx: WriteTx,
  source: CategoriesTable,
  target: CategoriesTable,
  all: readonly CategoriesTable[],
): Promise<Merged> {
  const merged: Merged = { transactions: 0, rules: 0, counterparties: 0, children_moved: 0, children_merged: 0 };
  const absorb = async (one: CategoriesTable, into: CategoriesTable): Promise<boolean> => {
    const uses = await moveUses(tx, one.id, into.id);
    const { transactions, rules, counterparties } = uses;
    merged.transactions += transactions;
    merged.rules += rules;
    merged.counterparties += counterparties;
    return isInUse(uses);
  };
  const namesake = namesakes(target, all);
  for (const child of inTreeOrder(all).filter(({ parent_id: parent }) => parent === source.id)) {
    const into = target.parent_id === null ? namesake.get(child.name_folded) : target;
    if (!into) {
      merged.children_moved += await changeCategories(tx, [
        { before: child, after: { ...child, parent_id: target.id } },
      ]);
      continue;
    }
    const hadUses = await absorb(child, into);
    // Where the parent goes, a child that has to stay as archived finds its place beside what it was merged into;
    // what it was merged into earlier, by itself, is remembered rather than this.
    const parentId = source.is_system === 1 ? source.id : (target.parent_id ?? target.id);
    const isRetired = await retire(tx, { ...child, parent_id: parentId }, child, into);
    if (hadUses || isRetired) merged.children_merged += 1;
  }
  await absorb(source, target);
  await retire(tx, { ...source, merged_into_id: null }, source, target);
  return merged;
}

/** The target's children by folded name; an archived one takes in nothing. */
function namesakes(target: CategoriesTable, all: readonly CategoriesTable[]): ReadonlyMap<string, CategoriesTable> {
  const found = new Map<string, CategoriesTable>();
  for (const one of inTreeOrder(all)) {
    const isOpen = one.parent_id === target.id && one.is_archived === 0;
    if (isOpen && !found.has(one.name_folded)) found.set(one.name_folded, one);
  }
  return found;
}

/** One's own category goes; one of the default tree stays in the archive and remembers where its content went. */
async function retire(
  tx: WriteTx,
  after: CategoriesTable,
  before: CategoriesTable,
  into: CategoriesTable,
): Promise<boolean> {
  if (before.is_system === 0) {
    await removeCategory(tx, before, into.id);
    return true;
  }
  const archived = { ...after, is_archived: 1 as const, merged_into_id: after.merged_into_id ?? into.id };
  return (await changeCategories(tx, [{ before, after: archived }])) > 0;
}
