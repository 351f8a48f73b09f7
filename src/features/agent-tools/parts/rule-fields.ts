import { z } from 'zod';

import { Trigger } from '../../rules/rule-record.contract.ts';

/**
 * What rules have besides name and actions, as agents see it. The operations judge the values, and the guide explains
 * them: the whole grammar in three tools would cost every conversation thousands of tokens.
 */
export const RULE_FIELDS = {
  condition: z.record(z.string(), z.unknown()).nullable().optional().meta({ description: 'Absent or {}: all match' }),
  enabled: z.boolean().optional(),
  priority: z.int().optional().meta({ description: '0-1000; lower runs first, later ones win' }),
  triggers: z.array(z.enum(Trigger.options)).optional(),
  overwrite_manual: z.boolean().optional(),
  stop: z.boolean().optional(),
  expires_at: z.string().nullable().optional(),
};
