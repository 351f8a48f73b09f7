import type { WriteTx } from '../../journal/write.ts';
import { providerMapping } from '../categories/index.ts';
import type { Facets } from '../facets/index.ts';
import { openAutomaticCategories, type AutomaticCategory } from '../rules/index.ts';
import { selectProviderCategories } from './transaction-writes.queries.ts';

export type { AutomaticCategory };

/**
 * What category each transaction (by UUID) has when nobody decides by hand: the automatic result of contract 10.3.1.
 * It starts with what the provider's category means; the rules are evaluated on that.
 */
export async function automaticCategories(
  tx: WriteTx,
  transactions: readonly Pick<Facets, 'id'>[],
): Promise<Map<string, AutomaticCategory>> {
  const mapping = await providerMapping(tx);
  const rows = await selectProviderCategories(
    tx,
    transactions.map(({ id }) => id),
  );
  const decide = await openAutomaticCategories(tx, tx.now);
  return decide(new Map(rows.map((row) => [row.id, mapping(row)])));
}
