import { z } from 'zod';

import { Id, Instant } from '../../../contract/common.ts';
import { LIMITS } from '../../../kernel/limits.ts';
import { Reconciliation, createAccountLink as operation } from '../../account-links/account-links.contract.ts';
import { callOperation } from '../call-operation.ts';
import { defineWriteTool } from '../tool.ts';

export const createAccountLink = defineWriteTool({
  name: 'create_account_link',
  title: 'Link two accounts of a shared card',
  description:
    'Says that the dependent account shows the same card as the primary one, and matches their transactions at once. ' +
    'All transactions of the dependent account leave the totals, matched or not; matched purchases are attributed to ' +
    'its owner. If the dates of the two differ by a day, send match_tolerance_days 1. Check `warnings` in ' +
    'list_account_links afterwards. Accounts that do not look like copies of each other are refused.',
  action: 'account_link.create',
  isProposable: true,
  isExact: true,
  isIdempotent: true,
  weight: 'heavy',
  input: {
    primary_account_id: z.string(),
    dependent_account_id: z.string(),
    match_strategy: z.enum(['date_amount_name']).default('date_amount_name'),
    match_tolerance_days: z
      .int()
      .min(0)
      .max(LIMITS.matchToleranceDays)
      .default(0)
      .meta({ description: '0 = same day' }),
  },
  output: {
    link: z.object({
      id: Id,
      primary_account_id: Id,
      dependent_account_id: Id,
      match_strategy: z.string(),
      match_tolerance_days: z.int(),
      created_at: Instant,
    }),
    reconciliation: z.object(Reconciliation.shape),
  },
  errors: ['INVALID_PARAMETER', 'CONFLICT'],
  operations: ['createAccountLink'],
  examples: [
    {
      arguments: { primary_account_id: 'aB3dE5fG', dependent_account_id: 'dEp3nD3n' },
      says: 'Ben uses Ada’s card, and both have connected it.',
    },
  ],
  run: async (context, body) => {
    const created = await callOperation(context, operation, { body });
    if (!('id' in created)) throw new Error('The link was only rehearsed.');
    const { id, primary_account_id, dependent_account_id, match_strategy, match_tolerance_days, created_at } = created;
    return {
      link: { id, primary_account_id, dependent_account_id, match_strategy, match_tolerance_days, created_at },
      reconciliation: created.reconciliation,
    };
  },
});
