import type { WriteTx } from '../../journal/write.ts';
import type { Facets } from './facets.ts';
import { loadFacets, selectReferring, selectTagged } from './facets.queries.ts';
import { writeFacets } from './write-facets.ts';

const AT_ONCE = 2_000;

/**
 * Changes every transaction, live or deleted, that refers to a category, counterparty or series, a batch at a time.
 * `change` must take the reference away, or the walk would not end. Answers how many changed.
 */
export async function changeReferring(
  tx: WriteTx,
  column: 'category_id' | 'counterparty_id' | 'series_id',
  id: string,
  change: (facets: Facets) => Facets,
): Promise<number> {
  return changeAll(tx, () => selectReferring(tx, column, id, AT_ONCE), change);
}

/** Takes a tag off every transaction, live or deleted, before the tag itself is deleted. Locks stay. */
export async function detachFromAll(tx: WriteTx, tag: { id: string; slug: string }): Promise<number> {
  return changeAll(
    tx,
    () => selectTagged(tx, tag.id, AT_ONCE),
    (facets) => ({ ...facets, tags: new Set([...facets.tags].filter((slug) => slug !== tag.slug)) }),
  );
}

async function changeAll(
  tx: WriteTx,
  next: () => Promise<string[]>,
  change: (facets: Facets) => Facets,
): Promise<number> {
  let changed = 0;
  for (let ids = await next(); ids.length > 0; ids = await next()) {
    const facets = await loadFacets(tx, ids.sort());
    const written = await writeFacets(
      tx,
      [...facets.values()].map((before) => ({ before, after: change(before) })),
    );
    if (written === 0) throw new Error('A walk over referring transactions changes none of them.');
    changed += written;
  }
  return changed;
}
