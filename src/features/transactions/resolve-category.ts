import type { ReadTx } from '../../db/unit-of-work.ts';
import { invalidParameter, validationError } from '../../kernel/errors.ts';
import { selectCategories } from '../categories/index.ts';

/** A category named by one of two fields; null = deliberately none. */
export interface CategoryChoice {
  readonly category_id?: string | null | undefined;
  readonly category_slug?: string | null | undefined;
}

/** Finds what choices name: UUID of a category that is in use, or null. */
export type CategoryChooser = (choice: CategoryChoice) => string | null;

/** Reads the categories once, for any number of choices. A slug is tried first, then UUID, then short_id. */
export async function categoryChooser(tx: ReadTx): Promise<CategoryChooser> {
  const all = await selectCategories(tx);
  const slugs = new Map(all.map((row) => [row.slug, row]));
  const ids = new Map(all.flatMap((row) => [[row.id, row] as const, [row.short_id, row] as const]));
  return (choice) => {
    const field = choice.category_id === undefined ? 'category_slug' : 'category_id';
    const named = choice[field] ?? null;
    if (named === null) return null;
    const row = slugs.get(named) ?? ids.get(named);
    const shown = JSON.stringify(named.slice(0, 100));
    if (!row) throw invalidParameter(field, `${field}: ${shown} is not a known category. GET /categories lists them.`);
    if (row.is_archived === 1) {
      throw validationError(field, `${field}: the category ${shown} is archived. Choose one that is in use.`);
    }
    return row.id;
  };
}

/** @throws INVALID_PARAMETER for an unknown category, VALIDATION_ERROR for an archived one */
export async function resolveCategoryChoice(tx: ReadTx, choice: CategoryChoice): Promise<string | null> {
  return (await categoryChooser(tx))(choice);
}
