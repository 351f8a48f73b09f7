import type { ReadTx } from '../../db/unit-of-work.ts';
import { AppError, type ErrorDetail } from '../../kernel/errors.ts';
import { loadFacetsByAnyId, type Facets } from '../facets/index.ts';

/**
 * The live transactions with these ids, each once.
 * @throws INVALID_PARAMETER with a detail per id that names none
 */
export async function liveTransactions(tx: ReadTx, anyIds: readonly string[]): Promise<Facets[]> {
  const known = await loadFacetsByAnyId(tx, [...new Set(anyIds)]);
  const found = new Map<string, Facets>();
  const details: ErrorDetail[] = [];
  for (const [index, anyId] of anyIds.entries()) {
    const facets = known.get(anyId);
    if (facets && facets.deletedAt === null) found.set(facets.id, facets);
    else {
      const state = facets ? 'is a deleted transaction' : 'is not a known transaction';
      details.push({ path: `transaction_ids[${index}]`, message: `${JSON.stringify(anyId.slice(0, 100))} ${state}.` });
    }
  }
  const [first, ...others] = details;
  if (!first) return [...found.values()];
  const more = others.length > 0 ? ` (and ${others.length} more)` : '';
  throw new AppError('INVALID_PARAMETER', `${first.path}: ${first.message}${more}`, { details });
}

/** `1 transaction`, `12 transactions`. */
export function countOf(count: number): string {
  return count === 1 ? '1 transaction' : `${count} transactions`;
}
