import { z } from 'zod';

import { confirmMatch, rejectMatch } from '../../transaction-matches/transaction-matches.contract.ts';
import { TransactionMatch } from '../../transaction-matches/match-record.contract.ts';
import { callOperation } from '../call-operation.ts';
import { defineWriteTool } from '../tool.ts';

export const reviewMatch = defineWriteTool({
  name: 'review_match',
  title: 'Confirm or reject a match',
  description:
    'Says whether two matched transactions of linked accounts are the same purchase. A confirmed pair stays matched; ' +
    'a rejected pair is never matched again. list_account_links with link_id shows the matches.',
  action: 'transaction_match.confirm',
  isProposable: true,
  isIdempotent: true,
  input: { match_id: z.string(), decision: z.enum(['confirm', 'reject']) },
  output: { match: TransactionMatch },
  errors: ['CONFLICT'],
  operations: ['confirmMatch', 'rejectMatch'],
  examples: [{ arguments: { match_id: 'm7Yq2WcD', decision: 'confirm' }, says: 'These two are the same purchase.' }],
  run: async (context, { match_id: id, decision }) => {
    const isConfirmed = decision === 'confirm';
    context.tx.journal.refine({ action: isConfirmed ? 'transaction_match.confirm' : 'transaction_match.reject' });
    return { match: await callOperation(context, isConfirmed ? confirmMatch : rejectMatch, { params: { id } }) };
  },
});
