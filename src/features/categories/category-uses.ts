import type { ReadTx } from '../../db/unit-of-work.ts';
import type { WriteTx } from '../../journal/write.ts';
import { counterparties } from '../counterparties/index.ts';
import { changeReferring, resetCategory } from '../facets/index.ts';
import { countRulesNaming, retargetRules } from '../rules/index.ts';
import { countCategorised, countDescribed, selectDescribed } from './categories.queries.ts';

/** How many things refer to a category, or were moved from it. */
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

export function isInUse(uses: CategoryUses): boolean {
  return uses.transactions + uses.rules + uses.counterparties > 0;
}

/** `3 transactions, 1 rule and 0 counterparties`. */
export function describeUses(uses: CategoryUses): string {
  const some = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;
  return (
    `${some(uses.transactions, 'transaction', 'transactions')}, ${some(uses.rules, 'rule', 'rules')} and ` +
    some(uses.counterparties, 'counterparty', 'counterparties')
  );
}

/** Moves everything that refers to a category to another one. Who chose the category stays the same (10.3.1). */
export async function moveUses(tx: WriteTx, from: string, to: string): Promise<CategoryUses> {
  const transactions = await changeReferring(tx, 'category_id', from, (facets) => ({ ...facets, categoryId: to }));
  const rules = await retargetRules(tx, from, to);
  return { transactions, rules, counterparties: await moveCounterparties(tx, from, to) };
}

/** Clears a category everywhere but in rules, which need one. Nobody counts as having chosen "no category". */
export async function clearUses(tx: WriteTx, from: string): Promise<CategoryUses> {
  const none = { categoryId: null, categorySource: null, categoryRuleId: null };
  const transactions = await changeReferring(tx, 'category_id', from, (facets) => resetCategory(facets, none));
  return { transactions, rules: 0, counterparties: await moveCounterparties(tx, from, null) };
}

async function moveCounterparties(tx: WriteTx, from: string, to: string | null): Promise<number> {
  const rows = await selectDescribed(tx, from);
  const patch = { category_id: to };
  await counterparties.changeMany(
    tx,
    rows.map((row) => ({ row, patch })),
  );
  return rows.length;
}
