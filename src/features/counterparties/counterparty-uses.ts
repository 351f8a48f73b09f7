import type { ReadTx } from '../../db/unit-of-work.ts';
import { countReferring } from '../facets/index.ts';
import { countRulesNaming } from '../rules/index.ts';
import { selectMergedInto } from './counterparties.queries.ts';

/** What refers to a counterparty, so that it cannot be removed: transactions (deleted ones too), rules, merged ones. */
export async function countUses(
  tx: ReadTx,
  id: string,
): Promise<{ transactions: number; rules: number; merged: number }> {
  return {
    transactions: await countReferring(tx, 'counterparty_id', id),
    rules: await countRulesNaming(tx, id),
    merged: (await selectMergedInto(tx, id)).length,
  };
}
