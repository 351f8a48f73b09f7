import { withUuids } from '../../../db/short-ids.ts';
import type { ReadTx } from '../../../db/unit-of-work.ts';
import { FILTER_NAMES, type TransactionFilters } from '../filters.contract.ts';

/** What the filters name, by UUID: what a cursor must keep from page to page, whatever form of an id the caller sends. */
export async function filterIdentity(tx: ReadTx, filters: TransactionFilters): Promise<Record<string, unknown>> {
  const shared = Object.fromEntries(FILTER_NAMES.map((name) => [name, filters[name]]));
  return withUuids(tx, shared, {
    account_id: 'accounts',
    connection_id: 'connections',
    user_id: 'users',
    category_id: 'categories',
    category_slug: 'categories',
    counterparty_id: 'counterparties',
    series_id: 'series',
    import_id: 'imports',
    tag: 'tags',
    tags_all: 'tags',
    tags_none: 'tags',
  });
}
