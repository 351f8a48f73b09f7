import type { CategoriesTable } from '../../db/schema.ts';
import { validationError } from '../../kernel/errors.ts';
import { handleWrite } from '../handler.ts';
import { selectCategories } from './categories.queries.ts';
import { toCategory } from './categories.table.ts';
import { mergeCategory as operation } from './category-moves.contract.ts';
import { categoryIn, categoryNamed } from './find-category.ts';
import { mergeInto } from './merge-into.ts';

const SOURCE = 'from_category_id';

export const mergeCategory = handleWrite(operation, 'category.merge', async ({ tx }, { params, body }) => {
  const target = await categoryNamed(tx, params.id);
  const source = await categoryIn(tx, SOURCE, body.from_category_id);
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
    throw validationError('id', 'The target is archived. Take it out of the archive first, or merge into another.');
  }
}
