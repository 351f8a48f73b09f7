import type { ReadTx } from '../../db/unit-of-work.ts';
import type { Catalog } from '../../engines/rules/catalog.ts';
import type { References } from '../../engines/rules/references.ts';
import { fold } from '../../kernel/fold.ts';
import { selectCatalogNames, type CatalogNames } from './rules.queries.ts';

/** The present names of everything that rules can refer to. */
export async function loadCatalog(tx: ReadTx): Promise<Catalog> {
  return toCatalog(await selectCatalogNames(tx));
}

function toCatalog(names: CatalogNames): Catalog {
  return {
    categories: new Map(
      names.categories.map(({ id, slug, name, kind, is_archived: isArchived }) => [
        id,
        { slug, name, kind, isArchived: isArchived === 1 },
      ]),
    ),
    tags: new Map(names.tags.map(({ id, slug }) => [id, slug])),
    series: new Map(names.series.map(({ id, name }) => [id, name])),
    counterparties: new Map(names.counterparties.map(({ id, name }) => [id, name])),
    users: new Map(names.users.map(({ id, short_id: shortId }) => [id, shortId])),
  };
}

/** The catalog, and the look-up of names that clients send: by slug, then UUID, then short_id. */
export async function loadReferences(tx: ReadTx): Promise<{ catalog: Catalog; references: References }> {
  const names = await selectCatalogNames(tx);
  const catalog = toCatalog(names);
  const categories = byAnyId(names.categories);
  const tags = byAnyId(names.tags);
  const series = byAnyId(names.series);
  const seriesByName = new Map(names.series.map(({ id, name_folded: folded }) => [folded, id]));
  const targetOf = new Map(names.counterparties.map(({ id, canonical_counterparty_id: target }) => [id, target ?? id]));
  const counterparties = byAnyId(names.counterparties);
  const counterpartiesByName = new Map(names.counterparties.map(({ id, name_folded: folded }) => [folded, id]));
  const accounts = byAnyId(names.accounts);
  const users = byAnyId(names.users);
  const target = (id: string | undefined): string | undefined => (id === undefined ? undefined : targetOf.get(id));
  return {
    catalog,
    references: {
      category: (text) => categories.get(text),
      tag: (text) => tags.get(text),
      series: (text) => series.get(text),
      seriesByName: (name) => seriesByName.get(fold(name)),
      counterparty: (text) => target(counterparties.get(text)),
      counterpartyByName: (name) => target(counterpartiesByName.get(fold(name))),
      account: (text) => accounts.get(text),
      user: (text) => users.get(text),
      isArchived: (id) => catalog.categories.get(id)?.isArchived ?? false,
    },
  };
}

/** Later entries win, so slugs are added last: a slug takes precedence over any id. */
function byAnyId(
  rows: readonly { readonly id: string; readonly short_id: string; readonly slug?: string }[],
): Map<string, string> {
  const found = new Map<string, string>();
  for (const { id, short_id: shortId } of rows) found.set(shortId, id);
  for (const { id } of rows) found.set(id, id);
  for (const { id, slug } of rows) if (slug !== undefined) found.set(slug, id);
  return found;
}
