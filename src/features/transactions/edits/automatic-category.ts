import type { WriteTx } from '../../../journal/write.ts';
import { providerMapping } from '../../categories/index.ts';
import type { Facets } from '../../facets/index.ts';
import { openAutomaticCategories, type AutomaticCategory } from '../../rules/index.ts';
import { selectProviderCategories } from '../transactions.queries.ts';

export type { AutomaticCategory };

/** The category that each transaction (by UUID) has unless somebody decides it by hand. */
export type Automatic = (transactions: readonly Pick<Facets, 'id'>[]) => Promise<Map<string, AutomaticCategory>>;

/**
 * The automatic category of contract 10.3.1: what the provider's category maps to, and then what the rules decide. The
 * rules are loaded and compiled once.
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

/** The same for transactions that are all known now. */
export async function automaticCategories(
  tx: WriteTx,
  transactions: readonly Pick<Facets, 'id'>[],
): Promise<Map<string, AutomaticCategory>> {
  return (await openAutomatic(tx))(transactions);
}
