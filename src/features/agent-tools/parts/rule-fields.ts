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

/** Paths of the names in a rule that come from outside: its own, its creator's, and those of what its actions assign. */
export const RULE_NAMES = ['name', 'creator_name', 'actions[].series_name', 'actions[].counterparty_name'] as const;

/** Paths of the texts from outside in the transactions that a preview or dry run shows. */
export const SAMPLE_TEXTS = [
  'sample_matches[].transaction.account_name',
  'sample_matches[].transaction.name',
  'sample_matches[].transaction.merchant_name',
  'sample_matches[].transaction.counterparty_name',
  'sample_matches[].transaction.metadata',
  'sample_matches[].changes[].field',
  'sample_matches[].changes[].before',
  'sample_matches[].changes[].after',
] as const;
