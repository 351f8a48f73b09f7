import type { CategoriesTable } from '../../db/schema.ts';
import { AppError, validationError } from '../../kernel/errors.ts';
import { fold } from '../../kernel/fold.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { handleWrite } from '../handler.ts';
import { createCategory as operation } from './categories.contract.ts';
import { categories, toCategory } from './categories.entity.ts';
import { selectCategories } from './categories.queries.ts';
import { findParent } from './find-category.ts';
import { treeOf } from './tree.ts';

export const createCategory = handleWrite(operation, 'category.create', async ({ tx }, { body }) => {
  const parent = (await findParent(tx, body.parent_id)) ?? null;
  const all = await selectCategories(tx);
  const place = { id: tx.ids.uuid(), parent_id: parent?.id ?? null, is_archived: 0 as const };
  const slug = chooseSlug(body, all);
  const problem = treeOf([...all, place]).problemAt(place.id);
  if (problem) throw validationError('parent_id', `parent_id: ${problem.message}`);
  const row = await categories.create(tx, {
    ...place,
    slug,
    name: body.name,
    kind: body.kind ?? parent?.kind ?? 'expense',
    icon: body.icon,
    color: body.color,
    sort_order: body.sort_order ?? lastPlace(all, place.parent_id),
    is_system: 0,
  });
  tx.journal.summarise(`Created the category ${row.name}`);
  return toCategory(row);
});

/** @throws SLUG_CONFLICT if the slug sent is taken */
function chooseSlug(body: { name: string; slug?: string | undefined }, all: readonly CategoriesTable[]): string {
  const taken = new Set(all.map(({ slug }) => slug));
  if (body.slug === undefined) return freeSlug(body.name, taken);
  if (!taken.has(body.slug)) return body.slug;
  const message = `There is already a category with the slug ${body.slug}. Send another slug, or none.`;
  throw new AppError('SLUG_CONFLICT', message, { details: [{ path: 'slug', message: 'is taken' }] });
}

/** The slug derived from a name, with a number appended if it is taken (contract 10.10.2). */
function freeSlug(name: string, taken: ReadonlySet<string>): string {
  const base = cut(fold(name).replace(/[^a-z0-9]+/g, '_'), LIMITS.categorySlugChars) || 'category';
  if (!taken.has(base)) return base;
  for (let number = 2; ; number++) {
    const suffix = `_${number}`;
    const slug = cut(base, LIMITS.categorySlugChars - suffix.length) + suffix;
    if (!taken.has(slug)) return slug;
  }
}

function cut(text: string, chars: number): string {
  return text.replace(/^_/, '').slice(0, chars).replace(/_$/, '');
}

/** The sort_order after every sibling. */
function lastPlace(all: readonly CategoriesTable[], parentId: string | null): number {
  let highest = 0;
  for (const one of all) if (one.parent_id === parentId) highest = Math.max(highest, one.sort_order);
  return Math.min(highest + 1, LIMITS.categorySortOrderMax);
}
