import type { ReadTx } from '../../db/unit-of-work.ts';

/** Names of all records that rules may refer to; a household has some thousands of them at most. */
export type CatalogNames = Awaited<ReturnType<typeof selectCatalogNames>>;

export async function selectCatalogNames(tx: ReadTx) {
  return {
    categories: await tx.q
      .selectFrom('categories')
      .select(['id', 'short_id', 'slug', 'name', 'kind', 'is_archived'])
      .execute(),
    tags: await tx.q.selectFrom('tags').select(['id', 'short_id', 'slug']).execute(),
    series: await tx.q.selectFrom('series').select(['id', 'short_id', 'name', 'name_folded']).execute(),
    counterparties: await tx.q
      .selectFrom('counterparties')
      .select(['id', 'short_id', 'name', 'name_folded', 'canonical_counterparty_id'])
      .execute(),
    accounts: await tx.q.selectFrom('accounts').select(['id', 'short_id']).where('deleted_at', 'is', null).execute(),
    users: await tx.q.selectFrom('users').select(['id', 'short_id', 'name']).execute(),
  };
}
