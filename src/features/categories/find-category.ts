import type { CategoriesTable } from '../../db/schema.ts';
import type { ReadTx } from '../../db/unit-of-work.ts';
import { invalidParameter, notFound } from '../../kernel/errors.ts';
import { findCategory } from './categories.queries.ts';

/** The category that a path names. @throws NOT_FOUND */
export async function categoryNamed(tx: ReadTx, named: string): Promise<CategoriesTable> {
  const row = await findCategory(tx, named);
  if (!row) throw notFound('The category was');
  return row;
}

/** The category that a field or parameter names. @throws INVALID_PARAMETER */
export async function categoryIn(tx: ReadTx, field: string, named: string): Promise<CategoriesTable> {
  const row = await findCategory(tx, named);
  if (row) return row;
  const shown = JSON.stringify(named.slice(0, 100));
  throw invalidParameter(field, `${field}: ${shown} is not a known category. GET /categories lists them.`);
}

/** The parent that a body asks for: undefined = unsaid, null = the top level. @throws INVALID_PARAMETER */
export async function parentNamed(
  tx: ReadTx,
  named: string | null | undefined,
): Promise<CategoriesTable | null | undefined> {
  const wanted = named?.trim();
  if (wanted === undefined) return named === null ? null : undefined;
  return wanted === '' ? null : categoryIn(tx, 'parent_id', wanted);
}
