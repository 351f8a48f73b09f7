import { z } from 'zod';

import { getRule, listRules as operation } from '../../rules/rules.contract.ts';
import { Conflict, listRuleConflicts } from '../../rules/rule-insights.contract.ts';
import { refuseBeside, refuseUnless } from '../parts/argument-pairs.ts';
import { Rule } from '../../rules/rule-record.contract.ts';
import { Cursor } from '../../../contract/common.ts';
import { fieldsOf } from '../results/result-schema.ts';
import { callOperation, pick } from '../call-operation.ts';
import { CURSOR_ARGUMENT, defineReadTool } from '../tool.ts';

type Action = Readonly<Record<string, unknown>>;

const SUMMARY = ['id', 'name', 'enabled', 'priority', 'triggers', 'hit_count', 'last_hit_at'] as const;
const RuleSummary = fieldsOf(Rule, SUMMARY).extend({ effect: z.string() });

export const listRules = defineReadTool({
  name: 'list_rules',
  title: 'List rules',
  description:
    'Rules in the order they run: lower priority first, later ones win. A summary shows the effect in one line. With ' +
    'rule_id: that rule in full; with conflicts also the rules that set something else on the same transactions.',
  scope: 'read_only',
  weight: 'heavy',
  input: {
    rule_id: z.string().optional(),
    conflicts: z.boolean().default(false),
    enabled: z.boolean().optional(),
    category_slug: z.string().optional(),
    tag: z.string().optional(),
    creator_type: z.array(z.enum(['user', 'agent', 'system'])).optional(),
    search: z.string().optional(),
    fields: z.enum(['summary', 'full']).default('summary'),
    limit: z.int().min(1).max(500).default(50),
    cursor: CURSOR_ARGUMENT.optional(),
  },
  output: {
    rules: z.array(z.union([Rule, RuleSummary])).optional(),
    rule: Rule.optional(),
    conflicts: z.array(Conflict).optional(),
    truncated: z.boolean().optional(),
    next_cursor: Cursor.optional(),
    has_more: z.boolean().optional(),
  },
  operations: ['listRules', 'getRule', 'listRuleConflicts'],
  examples: [
    { arguments: { category_slug: 'food_and_drink_groceries' }, says: 'Which rules file rows under groceries?' },
    { arguments: { enabled: false }, says: 'Which rules are switched off?' },
  ],
  run: async (context, input) => {
    const { rule_id: id, conflicts: withConflicts, fields, ...query } = input;
    refuseBeside('rule_id', input, ['enabled', 'category_slug', 'tag', 'creator_type', 'search', 'cursor']);
    refuseUnless(id !== undefined, { conflicts: withConflicts || undefined }, ['conflicts'], 'rule_id');
    if (id !== undefined) {
      const rule = await callOperation(context, getRule, { params: { id } });
      if (!withConflicts) return { rule };
      const { conflicts, truncated } = await callOperation(context, listRuleConflicts, { params: { id } });
      return { rule, conflicts, truncated };
    }
    const { rules, next_cursor, has_more } = await callOperation(context, operation, { query });
    return { rules: fields === 'full' ? rules : rules.map(summaryOf), next_cursor, has_more };
  },
});

function summaryOf(rule: { actions: readonly Action[] } & Readonly<Record<string, unknown>>): object {
  return { ...pick(rule, SUMMARY), effect: rule.actions.map(inWords).join('; ') };
}

const OBJECTS = ['category_slug', 'tag_slug', 'series_name', 'counterparty_name', 'metadata_key', 'content'] as const;

/** An action in a few words: `set category food_and_drink_groceries`. */
function inWords(action: Action): string {
  const object = OBJECTS.map((name) => action[name]).find((value) => typeof value === 'string');
  return `${String(action['type']).replaceAll('_', ' ')}${object === undefined ? '' : ` ${object}`}`;
}
