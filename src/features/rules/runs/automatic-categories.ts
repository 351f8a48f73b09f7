import type { ReadTx } from '../../../db/unit-of-work.ts';
import { evaluateRow } from '../../../engines/rules/evaluate.ts';
import type { Facets } from '../../facets/index.ts';
import { selectContextOf } from '../rule-rows.queries.ts';
import { loadRules } from '../rule-set.ts';

export type AutomaticCategory = Pick<Facets, 'categoryId' | 'categorySource' | 'categoryRuleId'>;

/**
 * The category that rows get from the retroactive rules when no one has chosen one (contract 10.3.1). The argument has
 * the category mapped from the provider's, by transaction. Rules are read once; ask for many rows in batches.
 */
export async function openAutomaticCategories(
  tx: ReadTx,
  now: string,
): Promise<(mapped: ReadonlyMap<string, string | null>) => Promise<Map<string, AutomaticCategory>>> {
  const loaded = await loadRules(tx, ['retroactive'], now);
  return async (mapped) => {
    const found = new Map<string, AutomaticCategory>();
    for (const [id, categoryId] of mapped) found.set(id, byProvider(categoryId));
    if (loaded.rules.length === 0) return found;
    for (const { id, row } of await selectContextOf(tx, loaded.household, [...mapped.keys()])) {
      const { categoryId, categorySource } = byProvider(mapped.get(id) ?? null);
      const locks = new Set([...row.locks].filter((key) => key !== 'category'));
      const { changes } = evaluateRow(loaded.set, { ...row, categoryId, categorySource, locks });
      const change = changes.find(({ kind }) => kind === 'category');
      if (change?.kind !== 'category') continue;
      const { categoryId: decided } = change.after;
      found.set(id, { categoryId: decided, categorySource: 'rule', categoryRuleId: change.ruleId });
    }
    return found;
  };
}

function byProvider(categoryId: string | null): AutomaticCategory {
  return { categoryId, categorySource: categoryId === null ? null : 'provider', categoryRuleId: null };
}
