import { z } from 'zod';

import { inForm } from '../arguments/argument.ts';
import { ACTIONS, CONDITION } from '../arguments/forms.ts';
import { Trigger } from '../../rules/rule-record.contract.ts';

/** The operations judge these, and take whatever the API does. */
export const ruleCondition = inForm(z.record(z.string(), z.unknown()), CONDITION);
export const ruleActions = inForm(z.array(z.unknown()), ACTIONS);

/**
 * What rules have besides name and actions, as agents see it. The operations judge the values, and the guide explains
 * them: the whole grammar in three tools would cost every conversation thousands of tokens.
 */
export const RULE_FIELDS = {
  condition: ruleCondition.nullable().optional(),
  enabled: z.boolean().optional(),
  priority: z.int().optional().meta({ description: '0-1000; lower runs first, later ones win' }),
  triggers: z.array(z.enum(Trigger.options)).optional(),
  overwrite_manual: z.boolean().optional(),
  stop: z.boolean().optional(),
  expires_at: z.string().nullable().optional(),
};
