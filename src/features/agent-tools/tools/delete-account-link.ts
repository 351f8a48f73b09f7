import { z } from 'zod';

import { deleteAccountLink as operation } from '../../account-links/account-links.contract.ts';
import { callOperation } from '../call-operation.ts';
import { defineWriteTool } from '../tool.ts';

export const deleteAccountLink = defineWriteTool({
  name: 'delete_account_link',
  title: 'Delete an account link',
  description:
    'Deletes the link, its matches and the attributions that it set. The transactions of the dependent account count ' +
    'in totals again.',
  action: 'account_link.delete',
  isProposable: true,
  isDestructive: true,
  isIdempotent: true,
  isExact: true,
  weight: 'heavy',
  input: { link_id: z.string() },
  output: { status: z.literal('deleted') },
  operations: ['deleteAccountLink'],
  examples: [{ arguments: { link_id: 'Lk4PzT0a' }, says: 'These two accounts show different cards after all.' }],
  run: async (context, { link_id: id }) => {
    await callOperation(context, operation, { params: { id } });
    return { status: 'deleted' };
  },
});
