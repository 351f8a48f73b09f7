import type { CategoriesTable } from '../../db/schema.ts';
import type { ReadTx } from '../../db/unit-of-work.ts';
import { fold } from '../../kernel/fold.ts';
import { selectCategories, selectNamedAccounts } from './categories.queries.ts';
import { slugsOf, type ProviderCategory } from './provider-slugs.ts';

/** UUID of the category that a provider's text stands for, or null (contract 10.10.5). */
export type ProviderMapping = (source: ProviderCategory) => string | null;

/** Reads the categories and accounts once, for any number of transactions. */
export async function providerMapping(tx: ReadTx): Promise<ProviderMapping> {
  const rows = await selectCategories(tx);
  const household = await selectNamedAccounts(tx);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const bySlug = new Map(rows.map((row) => [row.slug, row]));
  const named = fileCategories(rows, bySlug);
  return (source) => {
    const found = source.provider === 'csv' ? named(source.primary) : firstOf(slugsOf(source, household), bySlug);
    return found ? liveIdOf(found, byId) : null;
  };
}

function firstOf(slugs: readonly string[], bySlug: ReadonlyMap<string, CategoriesTable>): CategoriesTable | undefined {
  for (const slug of slugs) {
    const found = bySlug.get(slug);
    if (found) return found;
  }
  return undefined;
}

/** The category that a text in a file stands for: a slug, or the name of exactly one live category. Cached by text. */
function fileCategories(
  rows: readonly CategoriesTable[],
  bySlug: ReadonlyMap<string, CategoriesTable>,
): (text: string | null) => CategoriesTable | undefined {
  const byName = Map.groupBy(
    rows.filter((row) => row.is_archived === 0),
    (row) => row.name_folded,
  );
  const known = new Map<string, CategoriesTable | undefined>();
  return (text) => {
    if (text === null) return undefined;
    if (known.has(text)) return known.get(text);
    const named = byName.get(fold(text)) ?? [];
    const found = bySlug.get(text) ?? (named.length === 1 ? named[0] : undefined);
    known.set(text, found);
    return found;
  };
}

/** The live category that replaces an archived one: the target of its merge, else its parent if that is live. */
function liveIdOf(found: CategoriesTable, byId: ReadonlyMap<string, CategoriesTable>): string | null {
  let at: CategoriesTable | undefined = found;
  for (let step = 0; at && step < byId.size; step++) {
    if (at.is_archived === 0) return at.id;
    if (at.merged_into_id === null) {
      const parent: CategoriesTable | undefined = at.parent_id === null ? undefined : byId.get(at.parent_id);
      return parent?.is_archived === 0 ? parent.id : null;
    }
    at = byId.get(at.merged_into_id);
  }
  return null;
}
