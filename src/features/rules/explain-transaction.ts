import type { ReadTx } from '../../db/unit-of-work.ts';
import { renderChanges } from '../../engines/rules/changes.ts';
import type { WantedComment } from '../../engines/rules/evaluate.ts';
import { explainRow } from '../../engines/rules/explain.ts';
import { instantNow } from '../../kernel/clock.ts';
import { notFound, unknownId } from '../../kernel/errors.ts';
import { findOrigin, timelineOf } from '../annotations/index.ts';
import { selectCommentsOfRules } from '../comments/index.ts';
import { loadFacets, type Facets } from '../facets/index.ts';
import { handleRead } from '../handler.ts';
import { decisionsOf } from './facet-decisions.ts';
import { explainTransaction as operation } from './rule-insights.contract.ts';
import { selectContextOf, type ContextRow } from './rule-rows.queries.ts';
import { loadGivenRules, loadRules, type LoadedRules } from './rule-set.ts';
import { rules as entity } from './rules.entity.ts';
import { selectRules } from './rules.queries.ts';
import { toRule } from './rules.table.ts';

export const explainTransaction = handleRead(operation, async ({ tx, instance }, { params, query }) => {
  const origin = await findOrigin(tx, params.id);
  if (!origin || origin.deleted_at !== null) throw notFound('transaction');
  const now = instantNow(instance.clock);
  const loaded = await loadWanted(tx, query.rule_id, now);
  const [context] = (await selectContextOf(tx, loaded.household, [origin.id])) as [ContextRow];
  const facets = (await loadFacets(tx, [origin.id])).get(origin.id) as Facets;
  const { catalog } = loaded;
  const hadComment = await ruleCommentsOn(tx, origin.id);
  const { rules, evaluation } = explainRow(loaded.set, context.row, catalog, { hadComment });
  const stored = new Map((await selectRules(tx)).map((rule) => [rule.id, rule]));
  const isShown = (matches: boolean | null): boolean =>
    query.rule_id !== undefined || query.include === 'all' || matches === true;
  return {
    transaction_id: origin.id,
    evaluated_at: now,
    fields: decisionsOf(facets, await timelineOf(tx, origin), catalog, stored),
    rules: rules.flatMap(({ ruleId, matches, effect, actions, trace }) => {
      const rule = stored.get(ruleId);
      if (!rule || !isShown(matches)) return [];
      const { id, short_id, name, priority, is_enabled: isEnabled } = rule;
      const shown = { id, short_id, name, priority, enabled: isEnabled === 1, matches, effect };
      return [{ ...shown, actions: [...actions], trace }];
    }),
    would_change: renderChanges(evaluation.changes, evaluation.comments, catalog),
  };
});

/** The rules of an apply-all, or one alone. @throws INVALID_PARAMETER */
async function loadWanted(tx: ReadTx, anyId: string | undefined, now: string): Promise<LoadedRules> {
  if (anyId === undefined) return loadRules(tx, ['retroactive'], now);
  const row = await entity.find(tx, anyId);
  if (!row) throw unknownId('rule_id', 'rule', anyId);
  return loadGivenRules(tx, [toRule(row)], now);
}

/** Whether a rule ever added a comment to the row, even one deleted since. */
async function ruleCommentsOn(tx: ReadTx, transactionId: string): Promise<(comment: WantedComment) => boolean> {
  const added = await selectCommentsOfRules(tx, [transactionId]);
  return ({ ruleId, content }) => added.some(({ author_id: author, body }) => author === ruleId && body === content);
}
