import type { ReadTx } from '../../db/unit-of-work.ts';
import { providerMapping } from '../categories/index.ts';
import type { Facets } from '../facets/index.ts';
import { selectProviderCategories } from './transaction-writes.queries.ts';

export type AutomaticCategory = Pick<Facets, 'categoryId' | 'categorySource' | 'categoryRuleId'>;

/**
 * What category each transaction (by UUID) has when nobody decides by hand: the automatic result of contract 10.3.1.
 * It starts with what the provider's category means; the rules are evaluated on that.
 */
export async function automaticCategories(
  tx: ReadTx,
  transactions: readonly Pick<Facets, 'id'>[],
): Promise<Map<string, AutomaticCategory>> {
  const mapping = await providerMapping(tx);
  const rows = await selectProviderCategories(
    tx,
    transactions.map(({ id }) => id),
  );
  return new Map(rows.map((row) => [row.id, delivered(mapping(row))]));
}

/** The category as the provider's word alone makes it. */
function delivered(categoryId: string | null): AutomaticCategory {
  return { categoryId, categorySource: categoryId === null ? null : 'provider', categoryRuleId: null };
}
