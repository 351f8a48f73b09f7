import { z } from 'zod';

import { Reconciliation, reconcileAccountLink as operation } from '../../account-links/account-links.contract.ts';
import { callOperation } from '../call-operation.ts';
import { defineWriteTool } from '../tool.ts';

export const reconcileAccountLink = defineWriteTool({
  name: 'reconcile_account_link',
  title: 'Match linked accounts again',
  description:
    'Matches the transactions of an account link again, as every sync and import does. Pairs that someone confirmed ' +
    'or rejected stay as they are. A disabled link is refused.',
  action: 'account_link.reconcile',
  isProposable: true,
  isIdempotent: true,
  isExact: true,
  weight: 'heavy',
  input: { link_id: z.string() },
  output: Reconciliation.shape,
  errors: ['CONFLICT'],
  operations: ['reconcileAccountLink'],
  examples: [{ arguments: { link_id: 'Lk4PzT0a' }, says: 'Match what has arrived since.' }],
  run: async (context, { link_id: id }) => callOperation(context, operation, { params: { id } }),
});
