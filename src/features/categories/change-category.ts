import type { z } from 'zod';

import type { CategoriesTable } from '../../db/schema.ts';
import type { WriteTx } from '../../journal/write.ts';
import { validationError } from '../../kernel/errors.ts';
import { fold } from '../../kernel/fold.ts';
import type { CategoryChange } from './categories.contract.ts';
import { selectCategories } from './categories.queries.ts';
import { toCategory, type CategoryRecord } from './categories.table.ts';
import { categoryNamed, parentNamed } from './find-category.ts';
import { treeOf } from './tree.ts';
import { changeCategories } from './write-category.ts';

/** What PATCH and PUT do. Children that are archived along come first, so that a revert ends with them. */
export async function changeCategory(
  tx: WriteTx,
  named: string,
  body: z.output<typeof CategoryChange>,
): Promise<CategoryRecord> {
  const before = await categoryNamed(tx, named);
  const parent = await parentNamed(tx, body.parent_id);
  const name = body.name ?? before.name;
  const isArchived = body.archived ?? before.is_archived === 1;
  const after: CategoriesTable = {
    ...before,
    name,
    name_folded: fold(name),
    parent_id: parent === undefined ? before.parent_id : (parent?.id ?? null),
    kind: body.kind ?? before.kind,
    is_archived: isArchived ? 1 : 0,
    // Out of the archive it stands for itself again, also when it is archived once more.
    merged_into_id: isArchived ? before.merged_into_id : null,
    icon: body.icon === undefined ? before.icon : body.icon,
    color: body.color === undefined ? before.color : body.color,
    sort_order: body.sort_order ?? before.sort_order,
    updated_at: tx.now,
  };
  const all = await selectCategories(tx);
  const isMoved = after.parent_id !== before.parent_id;
  if (isMoved && parent?.is_archived === 1) {
    throw validationError('parent_id', 'parent_id: this category is archived. Choose one that is in use.');
  }
  const alongWith = isArchived
    ? all.filter((one) => one.parent_id === before.id && one.is_archived === 0 && one.id !== before.id)
    : [];
  const edits = [
    ...alongWith.map((child) => ({ before: child, after: { ...child, is_archived: 1 as const, updated_at: tx.now } })),
    { before, after },
  ];
  const changed = new Map(edits.map((edit) => [edit.before.id, edit.after]));
  const problem = treeOf(all.map((one) => changed.get(one.id) ?? one)).problemAt(before.id);
  if (problem) throw validationError(problem.field, `${problem.field}: ${problem.message}`);
  if ((await changeCategories(tx, edits)) === 0) return toCategory(before);
  tx.journal.summarise(`Changed the category ${after.name}`);
  return toCategory(after);
}
