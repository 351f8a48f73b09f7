import { instantNow } from '../../kernel/clock.ts';
import { AppError, notFound } from '../../kernel/errors.ts';
import { handleBackground } from '../handler.ts';
import { answerApply } from './apply-answer.ts';
import { applyRule as operation } from './rule-runs.contract.ts';
import { loadGivenRules } from './rule-set.ts';
import { findRule } from './rules.queries.ts';
import { isActive, toRule } from './rules.table.ts';

export const applyRule = handleBackground(operation, async (context, { params, body }) => {
  const { instance } = context;
  const row = await instance.database.read((tx) => findRule(tx, params.id));
  if (!row) throw notFound('The rule was');
  const rule = toRule(row);
  if (!isActive(row, instantNow(instance.clock)) || !rule.triggers.includes('manual')) {
    const message = 'The rule is disabled, expired or without the trigger "manual". Change that first.';
    throw new AppError('RULE_NOT_APPLICABLE', message);
  }
  const reply = await answerApply(context, {
    kind: 'rules_apply',
    action: 'rule.apply',
    appliedBy: 'apply',
    ruleId: row.id,
    overwriteManual: body.overwrite_manual,
    isDryRun: body.dry_run,
    load: (tx, now) => loadGivenRules(tx, [rule], now),
    describe: () => ({ rule_id: row.id }),
  });
  return reply as never;
});
