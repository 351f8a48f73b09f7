import { handleBackground } from '../handler.ts';
import { answerApply } from './apply-answer.ts';
import { applyAllRules as operation } from './rule-runs.contract.ts';

export const applyAllRules = handleBackground(operation, async (context, { body }) => {
  const request = { ruleId: null, overwriteManual: body.overwrite_manual };
  return (await answerApply(context, request, body.dry_run)) as never;
});
