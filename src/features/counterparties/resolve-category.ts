import type { ReadTx } from '../../db/unit-of-work.ts';
import { invalidParameter, validationError } from '../../kernel/errors.ts';
import { findCategory } from '../categories/index.ts';

/**
 * UUID of the category that describes a counterparty, named by slug, UUID or short_id; undefined stays unchanged, null
 * and "" are none. One that it has already may stay, archived or not.
 * @throws INVALID_PARAMETER for an unknown one, VALIDATION_ERROR for an archived one
 */
export async function resolveCategory(
  tx: ReadTx,
  named: string | null | undefined,
  current: string | null,
): Promise<string | null | undefined> {
  if (named === undefined) return undefined;
  const wanted = named?.trim() ?? '';
  if (wanted === '') return null;
  const category = await findCategory(tx, wanted);
  if (!category) {
    throw invalidParameter(
      'category_id',
      `category_id: ${JSON.stringify(wanted.slice(0, 100))} is not a known category.`,
    );
  }
  if (category.is_archived === 1 && category.id !== current) {
    throw validationError('category_id', 'category_id: this category is archived. Choose one that is in use.');
  }
  return category.id;
}
