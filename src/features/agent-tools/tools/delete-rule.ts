import { z } from 'zod';

import { deleteRule as operation, getRule } from '../../rules/rules.contract.ts';
import { ShortId } from '../../../contract/common.ts';
import { callOperation } from '../call-operation.ts';
import { defineWriteTool } from '../tool.ts';

export const deleteRule = defineWriteTool({
  name: 'delete_rule',
  title: 'Delete a rule',
  description: 'Deletes a rule. What it already changed stays changed. Built-in rules can only be disabled.',
  action: 'rule.delete',
  isProposable: true,
  isDestructive: true,
  isIdempotent: true,
  input: { rule_id: z.string() },
  output: { status: z.literal('deleted'), rule_id: ShortId },
  errors: ['SYSTEM_RULE'],
  operations: ['deleteRule'],
  examples: [{ arguments: { rule_id: 'k3Xq90Zb' }, says: 'Delete a rule that is no longer needed.' }],
  run: async (context, { rule_id: id }) => {
    // Read first: a rule that is gone has no short_id to answer with.
    const { short_id: shortId } = await callOperation(context, getRule, { params: { id } });
    await callOperation(context, operation, { params: { id } });
    return { status: 'deleted', rule_id: shortId };
  },
});
