import type { WriteTx } from '../../journal/write.ts';
import { providerMapping } from '../categories/index.ts';
import type { Facets } from '../facets/index.ts';
import { openAutomaticCategories, type AutomaticCategory } from '../rules/index.ts';
import { selectProviderCategories } from './transactions.queries.ts';

export type { AutomaticCategory };

/** Answers what category each of some transactions (by UUID) has when nobody decides by hand. */
export type Automatic = (transactions: readonly Pick<Facets, 'id'>[]) => Promise<Map<string, AutomaticCategory>>;

/**
 * The automatic result of contract 10.3.1: it starts with what the provider's category means; the rules, read and
 * compiled once, are evaluated on that.
 */
export async function openAutomatic(tx: WriteTx): Promise<Automatic> {
  const mapping = await providerMapping(tx);
  const decide = await openAutomaticCategories(tx, tx.now);
  return async (transactions) => {
    const ids = transactions.map(({ id }) => id);
    const rows = await selectProviderCategories(tx, ids);
    return decide(new Map(rows.map((row) => [row.id, mapping(row)])));
  };
}

/** The same for one lot of transactions. */
export async function automaticCategories(
  tx: WriteTx,
  transactions: readonly Pick<Facets, 'id'>[],
): Promise<Map<string, AutomaticCategory>> {
  return (await openAutomatic(tx))(transactions);
}
