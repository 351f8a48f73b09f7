import { z } from 'zod';

import { LIMITS } from '../../../kernel/limits.ts';
import { suggestRules as operation } from '../../rules/rule-insights.contract.ts';
import { Sentence } from '../../../contract/common.ts';
import { answerOf } from '../results/result-schema.ts';
import { callOperation } from '../call-operation.ts';
import { defineReadTool } from '../tool.ts';
import { isShownInFull } from '../results/clean-text.ts';

const WHY_LEFT_OUT = 'Their text is masked or changed for agents, so a rule made from it would match nothing.';

export const suggestRules = defineReadTool({
  name: 'suggest_rules',
  title: 'Suggest rules',
  description:
    'Rules that would repeat what people already do by hand: categories that they gave to the same text at least ' +
    'min_count times. Each `rule` can be passed to create_rules as it is.',
  scope: 'full_access',
  weight: 'heavy',
  input: {
    min_count: z.int().min(2).max(LIMITS.ruleSuggestionMinCount).default(3),
    since: z.string().optional(),
    limit: z.int().min(1).max(LIMITS.ruleSuggestions).default(20),
  },
  output: { ...answerOf(operation).shape, message: Sentence.optional() },
  operations: ['suggestRules'],
  examples: [{ arguments: { min_count: 5 }, says: 'Which rules would save the most work?' }],
  run: async (context, body) => {
    const { suggestions } = await callOperation(context, operation, { body });
    const how = { isMasked: context.agent?.results.masksNumbers ?? false };
    const usable = suggestions.filter(({ text }) => isShownInFull(text, how));
    const count = suggestions.length - usable.length;
    return { suggestions: usable, ...(count === 0 ? {} : { message: `Left out: ${count}. ${WHY_LEFT_OUT}` }) };
  },
});
