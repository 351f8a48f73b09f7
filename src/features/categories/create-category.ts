import { shortIdFor } from '../../db/short-ids.ts';
import type { CategoriesTable } from '../../db/schema.ts';
import { AppError, validationError } from '../../kernel/errors.ts';
import { fold } from '../../kernel/fold.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { handleWrite } from '../handler.ts';
import { createCategory as operation } from './categories.contract.ts';
import { selectCategories } from './categories.queries.ts';
import { toCategory } from './categories.table.ts';
import { freeSlug } from './category-slug.ts';
import { parentNamed } from './find-category.ts';
import { treeOf } from './tree.ts';
import { addCategories } from './write-category.ts';

export const createCategory = handleWrite(operation, 'category.create', async ({ tx }, { body }) => {
  const parent = (await parentNamed(tx, body.parent_id)) ?? null;
  const all = await selectCategories(tx);
  const row: CategoriesTable = {
    id: tx.ids.uuid(),
    short_id: await shortIdFor(tx, 'categories'),
    slug: chooseSlug(body, all),
    name: body.name,
    name_folded: fold(body.name),
    parent_id: parent?.id ?? null,
    kind: body.kind ?? parent?.kind ?? 'expense',
    is_archived: 0,
    icon: body.icon ?? null,
    color: body.color ?? null,
    sort_order: body.sort_order ?? orderAfter(all, parent?.id ?? null),
    is_system: 0,
    merged_into_id: null,
    created_at: tx.now,
    updated_at: tx.now,
  };
  const problem = treeOf([...all, row]).problemAt(row.id);
  if (problem) throw validationError('parent_id', `parent_id: ${problem.message}`);
  await addCategories(tx, [row]);
  tx.journal.summarise(`Created the category ${row.name}`);
  return toCategory(row);
});

/** @throws SLUG_CONFLICT for a given one that is taken */
function chooseSlug(body: { name: string; slug?: string | undefined }, all: readonly CategoriesTable[]): string {
  const taken = new Set(all.map(({ slug }) => slug));
  if (body.slug === undefined) return freeSlug(body.name, (slug) => taken.has(slug));
  if (!taken.has(body.slug)) return body.slug;
  const message = `There is a category with the slug ${body.slug} already. Send another slug, or none.`;
  throw new AppError('SLUG_CONFLICT', message, { details: [{ path: 'slug', message: 'is taken' }] });
}

/** The place behind every sibling. */
export function orderAfter(all: Iterable<CategoriesTable>, parentId: string | null): number {
  let highest = 0;
  for (const one of all) if (one.parent_id === parentId) highest = Math.max(highest, one.sort_order);
  return Math.min(highest + 1, LIMITS.categorySortOrderMax);
}
