import type { CategoriesTable } from '../../db/schema.ts';
import type { ReadTx } from '../../db/unit-of-work.ts';
import { AppError, validationError } from '../../kernel/errors.ts';
import { handleWrite } from '../handler.ts';
import { deleteCategory as operation } from './categories.contract.ts';
import { hasChildren } from './categories.queries.ts';
import { clearUses, countUses, isInUse, moveUses, tellUses, type CategoryUses } from './category-uses.ts';
import { categoryIn, categoryNamed } from './find-category.ts';
import { removeCategory } from './write-category.ts';

const NONE = 'none';

export const deleteCategory = handleWrite(operation, 'category.delete', async ({ tx }, { params, query }) => {
  const row = await categoryNamed(tx, params.id);
  if (row.is_system === 1) {
    const message = 'A category of the default tree cannot be deleted. Archive it, or merge it into another.';
    throw new AppError('CATEGORY_UNDELETABLE', message);
  }
  if (await hasChildren(tx, row.id)) {
    throw new AppError('CATEGORY_HAS_CHILDREN', 'This category has children. Move, merge or delete them first.');
  }
  const named = query.reassign_to;
  const target = named === undefined || named === NONE ? null : await targetNamed(tx, named, row);
  const uses = await countUses(tx, row.id);
  if (named === undefined && isInUse(uses)) {
    throw inUse(uses, 'Send reassign_to with the category that takes them over, or with none.');
  }
  if (named === NONE && uses.rules > 0) {
    throw inUse(uses, 'Rules cannot do without: send reassign_to with a category, or change the rules first.');
  }
  if (isInUse(uses)) await (target ? moveUses(tx, row.id, target.id) : clearUses(tx, row.id));
  await removeCategory(tx, row, target?.id ?? null);
  tx.journal.summarise(`Deleted the category ${row.name}${target ? ` in favour of ${target.name}` : ''}`);
  return null;
});

/** @throws INVALID_PARAMETER for an unknown category, VALIDATION_ERROR for itself or an archived one */
async function targetNamed(tx: ReadTx, named: string, row: CategoriesTable): Promise<CategoriesTable> {
  const target = await categoryIn(tx, 'reassign_to', named);
  if (target.id === row.id) throw validationError('reassign_to', 'reassign_to: this is the category to delete itself.');
  if (target.is_archived === 1) {
    throw validationError('reassign_to', 'reassign_to: this category is archived. Choose one that is in use.');
  }
  return target;
}

function inUse(uses: CategoryUses, remedy: string): AppError {
  return new AppError('CATEGORY_IN_USE', `This category is used by ${tellUses(uses)}. ${remedy}`);
}
