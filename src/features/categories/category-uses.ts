import type { ReadTx } from '../../db/unit-of-work.ts';
import type { WriteTx } from '../../journal/write.ts';
import { changeReferring, resetCategory } from '../facets/index.ts';
import { countRulesNaming, retargetRules } from '../rules/index.ts';
import { countCategorised, countDescribed, moveCounterparties } from './categories.queries.ts';

/** How many refer to a category, or were moved from it. */
export interface CategoryUses {
  /** Live and deleted. */
  transactions: number;
  rules: number;
  counterparties: number;
}

export async function countUses(tx: ReadTx, id: string): Promise<CategoryUses> {
  return {
    transactions: await countCategorised(tx, id),
    rules: await countRulesNaming(tx, id),
    counterparties: await countDescribed(tx, id),
  };
}

export function isInUse({ transactions, rules, counterparties }: CategoryUses): boolean {
  return transactions + rules + counterparties > 0;
}

/** `3 transactions, 1 rule and 0 counterparties`. */
export function tellUses({ transactions, rules, counterparties }: CategoryUses): string {
  const some = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;
  return (
    `${some(transactions, 'transaction', 'transactions')}, ${some(rules, 'rule', 'rules')} and ` +
    some(counterparties, 'counterparty', 'counterparties')
  );
}

/** Gives everything that refers to a category to another one. Who decided about a transaction stays (10.3.1). */
export async function moveUses(tx: WriteTx, from: string, to: string): Promise<CategoryUses> {
  const transactions = await changeReferring(tx, 'category_id', from, (facets) => ({ ...facets, categoryId: to }));
  const rules = await retargetRules(tx, from, to);
  return { transactions, rules, counterparties: await giveCounterparties(tx, from, to) };
}

/** Takes a category off everything but rules, which cannot do without: its transactions are nobody's decision then. */
export async function clearUses(tx: WriteTx, from: string): Promise<CategoryUses> {
  const none = { categoryId: null, categorySource: null, categoryRuleId: null };
  const transactions = await changeReferring(tx, 'category_id', from, (facets) => resetCategory(facets, none));
  return { transactions, rules: 0, counterparties: await giveCounterparties(tx, from, null) };
}

async function giveCounterparties(tx: WriteTx, from: string, to: string | null): Promise<number> {
  const moved = await moveCounterparties(tx, from, to);
  for (const { id, short_id: shortId } of moved) {
    tx.journal.record({
      entityType: 'counterparty',
      entityId: id,
      entityShortId: shortId,
      operation: 'update',
      before: { category_id: from },
      after: { category_id: to },
      revertible: true,
    });
  }
  return moved.length;
}
