import type { CategoriesTable } from '../../db/schema.ts';
import type { ReadTx } from '../../db/unit-of-work.ts';
import { AppError, validationError } from '../../kernel/errors.ts';
import { handleWrite } from '../handler.ts';
import { deleteCategory as operation } from './categories.contract.ts';
import { removeCategory } from './categories.entity.ts';
import { hasChildren } from './categories.queries.ts';
import { clearUses, countUses, describeUses, isInUse, moveUses, type CategoryUses } from './category-uses.ts';
import { getCategoryRow, getReferredCategory } from './find-category.ts';

const NONE = 'none';

export const deleteCategory = handleWrite(operation, 'category.delete', async ({ tx }, { params, query }) => {
  const row = await getCategoryRow(tx, params.id);
  if (row.is_system === 1) {
    const message = 'This category is built in and cannot be deleted. Archive it, or merge it into another one.';
    throw new AppError('CATEGORY_UNDELETABLE', message);
  }
  if (await hasChildren(tx, row.id)) {
    throw new AppError('CATEGORY_HAS_CHILDREN', 'This category has children. Move, merge or delete them first.');
  }
  const heirName = query.reassign_to;
  const heir = heirName === undefined || heirName === NONE ? null : await getHeir(tx, heirName, row);
  const uses = await countUses(tx, row.id);
  if (heirName === undefined && isInUse(uses)) {
    throw inUse(uses, 'Send reassign_to: another category, or none.');
  }
  if (heirName === NONE && uses.rules > 0) {
    throw inUse(uses, 'Rules need a category: send another category in reassign_to, or change the rules first.');
  }
  if (isInUse(uses)) await (heir ? moveUses(tx, row.id, heir.id) : clearUses(tx, row.id));
  await removeCategory(tx, row, heir?.id ?? null);
  tx.journal.summarise(`Deleted the category ${row.name}${heir ? ` and moved its contents to ${heir.name}` : ''}`);
  return null;
});

/** @throws INVALID_PARAMETER for an unknown category, VALIDATION_ERROR for the same or an archived one */
async function getHeir(tx: ReadTx, anyName: string, row: CategoriesTable): Promise<CategoriesTable> {
  const heir = await getReferredCategory(tx, 'reassign_to', anyName);
  if (heir.id === row.id) throw validationError('reassign_to', 'reassign_to: this is the category being deleted.');
  if (heir.is_archived === 1) {
    throw validationError('reassign_to', 'reassign_to: this category is archived. Choose one that is in use.');
  }
  return heir;
}

function inUse(uses: CategoryUses, remedy: string): AppError {
  return new AppError('CATEGORY_IN_USE', `This category is used by ${describeUses(uses)}. ${remedy}`);
}
