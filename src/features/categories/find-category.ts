import type { CategoriesTable } from '../../db/schema.ts';
import type { ReadTx } from '../../db/unit-of-work.ts';
import { notFound, unknownId } from '../../kernel/errors.ts';
import { findCategory } from './categories.queries.ts';

/** The category in a path. @throws NOT_FOUND */
export async function getCategoryRow(tx: ReadTx, anyName: string): Promise<CategoriesTable> {
  const row = await findCategory(tx, anyName);
  if (!row) throw notFound('category');
  return row;
}

/** The category in a field or parameter. @throws INVALID_PARAMETER */
export async function getReferredCategory(tx: ReadTx, field: string, anyName: string): Promise<CategoriesTable> {
  const row = await findCategory(tx, anyName);
  if (row) return row;
  throw unknownId(field, 'category', anyName);
}

/** The `parent_id` of a body: undefined if it was not sent, null for the top level. @throws INVALID_PARAMETER */
export async function findParent(
  tx: ReadTx,
  anyName: string | null | undefined,
): Promise<CategoriesTable | null | undefined> {
  if (anyName === undefined) return undefined;
  const wanted = anyName?.trim() ?? '';
  return wanted === '' ? null : getReferredCategory(tx, 'parent_id', wanted);
}
