import type { ReadTx } from '../../db/unit-of-work.ts';
import { renderActions } from '../../engines/rules/actions.ts';
import { renderCondition } from '../../engines/rules/render.ts';
import { Suggester } from '../../engines/rules/suggest.ts';
import { instantNow } from '../../kernel/clock.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { handleRead } from '../handler.ts';
import { loadCatalog } from './rule-catalog.ts';
import { suggestRules as operation } from './rule-insights.contract.ts';
import {
  loadAccountsAndMembers,
  selectChosenAfter,
  type ContextRow,
  type Parts,
  type AccountsAndMembers,
} from './rule-rows.queries.ts';
import { selectActiveRules } from './rule-set.ts';
import { scanLedger } from './runs/scan-ledger.ts';

export const suggestRules = handleRead(operation, async ({ tx, instance }, { body }) => {
  const catalog = await loadCatalog(tx);
  const household = await loadAccountsAndMembers(tx);
  const active = await selectActiveRules(tx, instantNow(instance.clock));
  const options = { minCount: body.min_count, since: body.since ?? null, limit: body.limit };
  const suggester = new Suggester(active, catalog, options);
  for await (const rows of chosenRows(tx, household, suggester.parts))
    for (const { id, row } of rows) suggester.learn(id, row);
  if (suggester.hasCandidates()) {
    for await (const rows of scanLedger(tx, household, suggester.parts).chunks)
      for (const { row } of rows) suggester.judge(row);
  }
  return {
    suggestions: suggester.suggestions().map(({ text, basis, categoryId, rule, ...counts }) => ({
      text,
      basis,
      category_id: categoryId,
      category_slug: catalog.categories.get(categoryId)?.slug ?? '',
      transaction_count: counts.transactionCount,
      last_date: counts.lastDate,
      would_change_count: counts.wouldChangeCount,
      rule: {
        name: rule.name,
        condition: renderCondition(rule.condition, catalog),
        actions: renderActions(rule.actions, catalog),
      },
    })),
  };
});

/** Live rows whose category a person chose. */
async function* chosenRows(
  tx: ReadTx,
  household: AccountsAndMembers,
  parts: Parts,
): AsyncGenerator<readonly ContextRow[]> {
  for (let after = ''; ;) {
    const rows = await selectChosenAfter(tx, household, parts, after, LIMITS.ruleChunkRows);
    yield rows;
    const last = rows.at(-1);
    if (!last || rows.length < LIMITS.ruleChunkRows) return;
    after = last.id;
  }
}
