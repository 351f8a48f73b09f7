import type { ReadTx } from '../../db/unit-of-work.ts';
import { notFound } from '../../kernel/errors.ts';
import { loadFacetsByAnyId, type Facets } from '../facets/index.ts';

/** The facets of a transaction by UUID or short_id. @throws NOT_FOUND for an unknown or deleted one */
export async function getLiveTransaction(tx: ReadTx, anyId: string): Promise<Facets> {
  const facets = await getTransactionOrDeleted(tx, anyId);
  if (facets.deletedAt !== null) throw notFound('The transaction was');
  return facets;
}

/** The same, deleted ones too. @throws NOT_FOUND */
export async function getTransactionOrDeleted(tx: ReadTx, anyId: string): Promise<Facets> {
  const facets = (await loadFacetsByAnyId(tx, [anyId])).get(anyId);
  if (!facets) throw notFound('The transaction was');
  return facets;
}
