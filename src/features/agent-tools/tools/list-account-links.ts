import { z } from 'zod';

import {
  AccountLinkDetail,
  getAccountLink,
  listAccountLinks as operation,
  listLinkMatches,
} from '../../account-links/account-links.contract.ts';
import { refuseUnless } from '../parts/argument-pairs.ts';
import { TransactionMatch } from '../../transaction-matches/match-record.contract.ts';
import { Cursor } from '../../../contract/common.ts';
import { callOperation } from '../call-operation.ts';
import { CURSOR_ARGUMENT, defineReadTool } from '../tool.ts';

export const listAccountLinks = defineReadTool({
  name: 'list_account_links',
  title: 'List account links',
  description:
    'Pairs of accounts that show the same card: a primary and its dependent copy, which stays out of totals. Check `warnings` and the ' +
    'unmatched counts: unmatched rows of the copy are in no total. With link_id: that link with its matches, for review_match.',
  scope: 'read_only',
  input: {
    link_id: z.string().optional(),
    confidence: z.array(z.enum(['auto', 'confirmed', 'rejected'])).optional(),
    limit: z.int().min(1).max(500).default(50),
    cursor: CURSOR_ARGUMENT.optional(),
  },
  output: {
    account_links: z.array(AccountLinkDetail).optional(),
    account_link: AccountLinkDetail.optional(),
    matches: z.array(TransactionMatch).optional(),
    next_cursor: Cursor.optional(),
    has_more: z.boolean().optional(),
  },
  operations: ['listAccountLinks', 'getAccountLink', 'listLinkMatches'],
  examples: [{ arguments: {}, says: 'Do all shared cards match?' }],
  run: async (context, input) => {
    const { link_id: id, confidence, limit, cursor } = input;
    refuseUnless(id !== undefined, input, ['confidence', 'cursor'], 'link_id');
    if (id !== undefined) {
      const link = await callOperation(context, getAccountLink, { params: { id } });
      const { matches, next_cursor, has_more } = await callOperation(context, listLinkMatches, {
        params: { id },
        query: { confidence, limit, cursor },
      });
      return { account_link: link, matches, next_cursor, has_more };
    }
    const links: object[] = [];
    for (const { id: one } of await callOperation(context, operation, {})) {
      links.push(await callOperation(context, getAccountLink, { params: { id: one } }));
    }
    return { account_links: links };
  },
});
