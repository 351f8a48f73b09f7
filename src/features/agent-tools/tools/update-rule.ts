import { z } from 'zod';

import { withoutUndefined } from '../../../kernel/json.ts';
import { updateRule as operation } from '../../rules/rules.contract.ts';
import { Rule } from '../../rules/rule-record.contract.ts';
import { clearArgument, withCleared } from '../parts/clear.ts';
import { callOperation } from '../call-operation.ts';
import { RULE_FIELDS, ruleActions } from '../parts/rule-fields.ts';
import { defineWriteTool } from '../tool.ts';

export const updateRule = defineWriteTool({
  name: 'update_rule',
  title: 'Change a rule',
  description:
    'Changes the fields that you send; condition and actions are replaced as a whole. Does not run the rule. enabled ' +
    'false switches it off.',
  action: 'rule.update',
  isProposable: true,
  isIdempotent: true,
  weight: 'heavy',
  input: {
    rule_id: z.string(),
    name: z.string().optional(),
    actions: ruleActions.optional(),
    ...RULE_FIELDS,
    clear: clearArgument(['condition', 'expires_at']),
  },
  output: { rule: Rule },
  operations: ['updateRule'],
  examples: [{ arguments: { rule_id: 'k3Xq90Zb', enabled: false }, says: 'Switch a rule off.' }],
  run: async (context, { rule_id: id, clear, ...given }) => {
    const sent = withCleared(given, clear);
    const { name, actions, condition, enabled, priority, triggers, overwrite_manual, stop, expires_at } = sent;
    const all = { name, actions, condition, enabled, priority, triggers, overwrite_manual, stop, expires_at };
    return { rule: await callOperation(context, operation, { params: { id }, body: withoutUndefined(all) }) };
  },
});
