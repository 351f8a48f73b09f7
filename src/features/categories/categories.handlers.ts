import type { z } from 'zod';

import type { CategoriesTable } from '../../db/schema.ts';
import type { WriteTx } from '../../journal/write.ts';
import { validationError } from '../../kernel/errors.ts';
import { handleRead, handleWrite, JsonStream, Reply } from '../handler.ts';
import * as contract from './categories.contract.ts';
import { categories, inTreeOrder, toCategory, type CategoryRecord } from './categories.entity.ts';
import { selectCategories } from './categories.queries.ts';
import { formatTsv } from './category-tsv.ts';
import { findParent, getCategoryRow } from './find-category.ts';
import { treeOf } from './tree.ts';

export const listCategories = handleRead(contract.listCategories, async ({ tx }, { query }) => {
  const all = inTreeOrder(await selectCategories(tx)).map(toCategory);
  return all.filter(
    (category) =>
      (query.archived === undefined || category.archived === query.archived) &&
      (query.kind === undefined || query.kind.includes(category.kind)),
  );
});

export const getCategory = handleRead(contract.getCategory, async ({ tx }, { params }) =>
  toCategory(await getCategoryRow(tx, params.id)),
);

export const updateCategory = handleWrite(
  contract.updateCategory,
  'category.update',
  async ({ tx }, { params, body }) => changeCategory(tx, await getCategoryRow(tx, params.id), body),
);

export const putCategory = handleWrite(contract.putCategory, 'category.update', async ({ tx }, { params, body }) =>
  changeCategory(tx, await getCategoryRow(tx, params.id), body),
);

export const exportCategories = handleRead(contract.exportCategories, async ({ tx }) => {
  const text = formatTsv(inTreeOrder(await selectCategories(tx)).map(toCategory));
  return new Reply(new JsonStream(onePiece(text), 'text/tab-separated-values; charset=utf-8'), {
    headers: { 'content-disposition': 'attachment; filename="categories.tsv"' },
  });
});

async function* onePiece(text: string): AsyncGenerator<string> {
  yield text;
}

/** Archiving a category archives its children first, so that a revert restores them after their parent. */
async function changeCategory(
  tx: WriteTx,
  row: CategoriesTable,
  body: z.output<typeof contract.CategoryChange>,
): Promise<CategoryRecord> {
  const parent = await findParent(tx, body.parent_id);
  const parentId = parent === undefined ? row.parent_id : (parent?.id ?? null);
  const isArchived = body.archived ?? row.is_archived === 1;
  if (parentId !== row.parent_id && parent?.is_archived === 1) {
    throw validationError('parent_id', 'parent_id: this category is archived. Choose one that is in use.');
  }
  const all = await selectCategories(tx);
  const moved = { ...row, parent_id: parentId, is_archived: isArchived ? (1 as const) : (0 as const) };
  const isArchivedAlong = (one: CategoriesTable): boolean =>
    isArchived && one.parent_id === row.id && one.is_archived === 0 && one.id !== row.id;
  const tree = treeOf(
    all.map((one) => (one.id === row.id ? moved : isArchivedAlong(one) ? { ...one, is_archived: 1 } : one)),
  );
  const problem = tree.problemAt(row.id);
  if (problem) throw validationError(problem.field, `${problem.field}: ${problem.message}`);
  const { archived: _archived, ...fields } = body;
  const patch = {
    ...fields,
    parent_id: moved.parent_id,
    is_archived: moved.is_archived,
    // A category taken out of the archive is no longer merged into anything, even if it is archived again.
    merged_into_id: isArchived ? row.merged_into_id : null,
  };
  const changed = await categories.changeMany(tx, [
    ...all.filter(isArchivedAlong).map((child) => ({ row: child, patch: { is_archived: 1 as const } })),
    { row, patch },
  ]);
  const after = changed.at(-1) as CategoriesTable;
  tx.journal.summarise(`Changed the category ${after.name}`);
  return toCategory(after);
}
