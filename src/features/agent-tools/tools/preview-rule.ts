import { z } from 'zod';

import { previewRule as operation } from '../../rules/rule-insights.contract.ts';
import { answerOf, fieldsOf } from '../results/result-schema.ts';
import { ruleActions, ruleCondition } from '../parts/rule-fields.ts';
import { callOperation, pick } from '../call-operation.ts';
import { defineReadTool } from '../tool.ts';

const SHOWN = ['match_count', 'change_count', 'total_scanned', 'truncated', 'sample_matches'] as const;

export const previewRule = defineReadTool({
  name: 'preview_rule',
  title: 'Preview a rule',
  description:
    'Shows what a rule would match and change, without storing anything. Takes condition and actions as create_rules ' +
    'does; get_guide("rules") explains both. `truncated`: only the newest transactions were checked.',
  scope: 'full_access',
  weight: 'heavy',
  input: {
    condition: ruleCondition.optional(),
    actions: ruleActions.optional(),
    overwrite_manual: z.boolean().default(false),
    sample_size: z.int().min(1).max(50).default(10),
  },
  output: fieldsOf(answerOf(operation), SHOWN).shape,
  operations: ['previewRule'],
  examples: [
    {
      arguments: {
        condition: { field: 'name', op: 'contains', value: 'market' },
        actions: [{ type: 'set_category', category_slug: 'food_and_drink_groceries' }],
      },
      says: 'What would a rule do that files everything with “market” under groceries?',
    },
  ],
  run: async (context, body) => {
    const preview = await callOperation(context, operation, { body });
    return pick(preview, SHOWN);
  },
});
