import { instantNow } from '../../kernel/clock.ts';
import { notFound } from '../../kernel/errors.ts';
import { handleBackground } from '../handler.ts';
import { answerApply } from './apply-answer.ts';
import { loadRulesOf } from './apply-request.ts';
import { applyRule as operation } from './rule-runs.contract.ts';
import { findRule } from './rules.queries.ts';

export const applyRule = handleBackground(operation, async (context, { params, body }) => {
  const { database, clock } = context.instance;
  const request = await database.read(async (tx) => {
    const row = await findRule(tx, params.id);
    if (!row) throw notFound('The rule was');
    const wanted = { ruleId: row.id, overwriteManual: body.overwrite_manual };
    await loadRulesOf(tx, wanted, instantNow(clock));
    return wanted;
  });
  return (await answerApply(context, request, body.dry_run)) as never;
});
