import { evaluateRow } from '../../../engines/rules/evaluate.ts';
import type { WriteTx } from '../../../journal/write.ts';
import { effectKeeper, effectsOf, type Facets } from '../../facets/index.ts';
import { editOf } from './evaluated-facets.ts';
import { addComments, distinctComments } from './rule-comments.ts';
import { countHits } from './rule-outcomes.queries.ts';
import { toRuleRow, type DeliveredForRules } from '../rule-rows.queries.ts';
import { loadRules } from '../rule-set.ts';
import { newTally } from './run-tally.ts';

const APPLIED_BY = 'create';

/** A row entered by hand, as the rules leave it. */
export interface Entry {
  facets: Facets;
  /** What the rules did, for the timeline: it is part of the creation. Null for nothing. */
  effectsId: number | null;
  /** Adds the comments of rules, once the row exists. */
  addComments(): Promise<void>;
}

/** Runs the rules with trigger `create` over a row entered by hand. They never change locked facets (contract 40.4). */
export async function runOnEntry(tx: WriteTx, values: DeliveredForRules, said: Facets): Promise<Entry> {
  const { rules, set, household } = await loadRules(tx, [APPLIED_BY], tx.now);
  const evaluation = evaluateRow(set, toRuleRow(household, values, said), { keepLocked: true });
  const comments = distinctComments(evaluation.comments);
  const tally = newTally();
  tally.row(evaluation, new Set(comments.map(({ ruleId }) => ruleId)));
  await countHits(tx, tally, tx.now);
  const edit = editOf(said, evaluation, tx.now, APPLIED_BY);
  const effects = edit && effectsOf(edit);
  const names = new Map(rules.map(({ id, name }) => [id, name]));
  return {
    facets: edit?.after ?? said,
    effectsId: effects === null ? null : ((await effectKeeper(tx)([effects])).get(effects) ?? null),
    addComments: () =>
      addComments(
        tx,
        comments.map((comment) => ({ ...comment, transactionId: said.id })),
        (ruleId) => names.get(ruleId) ?? '',
        APPLIED_BY,
      ),
  };
}
