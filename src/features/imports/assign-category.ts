import type { CategoriesTable } from '../../db/schema.ts';
import type { ReadTx } from '../../db/unit-of-work.ts';
import { fold } from '../../kernel/fold.ts';
import { selectCategories } from '../categories/index.ts';

/** The category that a file's category text means (10.10.5), or null. Rules come after this (36.8.4). */
export type CategoryMapping = (text: string | null) => string | null;

/** Reads the categories once; what it answers for a text is remembered. */
export async function categoryMapping(tx: ReadTx): Promise<CategoryMapping> {
  const rows = await selectCategories(tx);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const bySlug = new Map(rows.map((row) => [row.slug, row]));
  const byName = new Map<string, CategoriesTable[]>();
  for (const row of rows) {
    if (row.is_archived === 0) byName.set(row.name_folded, [...(byName.get(row.name_folded) ?? []), row]);
  }
  const known = new Map<string, string | null>();
  return (text) => {
    if (text === null) return null;
    const remembered = known.get(text);
    if (remembered !== undefined) return remembered;
    const named = byName.get(fold(text)) ?? [];
    const found = bySlug.get(text) ?? (named.length === 1 ? named[0] : undefined);
    const id = found ? inForce(found, byId) : null;
    known.set(text, id);
    return id;
  };
}

/** Archived by a merge: the merge's target; archived otherwise: its parent if that is live. */
function inForce(found: CategoriesTable, byId: ReadonlyMap<string, CategoriesTable>): string | null {
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
