import { z } from 'zod';

import { LIMITS } from '../../../kernel/limits.ts';
import { createRulesBatch } from '../../rules/rules.contract.ts';
import { Rule } from '../../rules/rule-record.contract.ts';
import { Id } from '../../../contract/common.ts';
import { callOperation } from '../call-operation.ts';
import { RULE_FIELDS, ruleActions } from '../parts/rule-fields.ts';
import { defineWriteTool } from '../tool.ts';

/** In a dry run, without what only a stored rule has. */
const StoredRule = Rule.partial().extend({ existing: z.boolean().optional() });

export const createRules = defineWriteTool({
  name: 'create_rules',
  title: 'Create rules',
  description:
    'Creates up to 50 rules, all or none. Creating a rule does not run it: apply_rules does. get_guide("rules") ' +
    'explains condition, actions, triggers and priority; try a rule with preview_rule first. A rule that is stored already ' +
    '(equal condition, actions and enabled) is answered with `existing`.',
  action: 'rules.batch_create',
  isProposable: true,
  isIdempotent: true,
  weight: 'heavy',
  input: {
    rules: z
      .array(z.strictObject({ name: z.string(), actions: ruleActions, ...RULE_FIELDS }))
      .min(1)
      .max(LIMITS.rulesPerBatch),
    dry_run: z.boolean().default(false),
  },
  output: {
    rules: z.array(StoredRule),
    dry_run: z.boolean(),
    change_set_id: Id.nullable(),
  },
  operations: ['createRulesBatch'],
  examples: [
    {
      arguments: {
        rules: [
          {
            name: 'Corner Market is groceries',
            condition: { field: 'merchant_name', op: 'eq', value: 'Corner Market' },
            actions: [{ type: 'set_category', category_slug: 'food_and_drink_groceries' }],
          },
        ],
        dry_run: true,
      },
      says: 'Would this rule be accepted?',
    },
  ],
  run: async (context, { rules, dry_run }) => {
    const { tx } = context;
    const created = await callOperation(context, createRulesBatch, { body: { rules, dry_run } });
    return { ...created, dry_run, change_set_id: tx.journal.isEmpty() ? null : tx.journal.changeSetId };
  },
});
