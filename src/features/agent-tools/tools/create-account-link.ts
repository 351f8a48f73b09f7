import { z } from 'zod';

import { LIMITS } from '../../../kernel/limits.ts';
import {
  AccountLinkDetail,
  createAccountLink as operation,
  Reconciliation,
} from '../../account-links/account-links.contract.ts';
import { fieldsOf } from '../results/result-schema.ts';
import { callOperation } from '../call-operation.ts';
import { defineWriteTool } from '../tool.ts';

const LINK = [
  'id',
  'primary_account_id',
  'dependent_account_id',
  'match_strategy',
  'match_tolerance_days',
  'created_at',
] as const;

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
  output: { link: fieldsOf(AccountLinkDetail, LINK), reconciliation: Reconciliation },
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
    const link = Object.fromEntries(LINK.map((name) => [name, created[name]]));
    return { link, reconciliation: created.reconciliation };
  },
});
