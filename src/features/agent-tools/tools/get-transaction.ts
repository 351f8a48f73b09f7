import { z } from 'zod';

import { LIMITS } from '../../../kernel/limits.ts';
import { Annotation, listAnnotations } from '../../annotations/annotations.contract.ts';
import { Comment, listComments } from '../../comments/comments.contract.ts';
import { selectMatchesOf } from '../../transaction-matches/index.ts';
import { getTransaction as operation } from '../../transactions/transactions.contract.ts';
import { refuseUnless } from '../parts/argument-pairs.ts';
import { Transaction } from '../../transactions/transaction-record.contract.ts';
import { TransactionMatch } from '../../transaction-matches/match-record.contract.ts';
import { fieldsOf } from '../results/result-schema.ts';
import { callOperation, pick } from '../call-operation.ts';
import { defineReadTool } from '../tool.ts';

const LIMIT = 50;
const ENTRY = [
  'id',
  'created_at',
  'kind',
  'body',
  'actor_type',
  'actor_name',
  'source',
  'rule_id',
  'change_set_id',
  'is_reverted',
  'payload',
] as const satisfies readonly (keyof z.output<typeof Annotation>)[];
const COMMENT = ['id', 'created_at', 'author_type', 'author_name', 'body', 'edited'] as const;

export const getTransaction = defineReadTool({
  name: 'get_transaction',
  title: 'Get a transaction',
  description:
    'All fields of one transaction, and its timeline, oldest first: who changed what and when, including comments. ' +
    'Read it before you change a row that people have worked on. matches adds its copy on a linked account. limit ' +
    'keeps the newest entries; after returns only entries after an instant or an entry.',
  scope: 'read_only',
  input: {
    transaction_id: z.string(),
    include: z.array(z.enum(['timeline', 'comments', 'matches'])).default(['timeline']),
    limit: z.int().min(1).max(LIMITS.pageMax).default(LIMIT),
    after: z.string().optional(),
  },
  output: {
    transaction: Transaction,
    timeline: z.array(fieldsOf(Annotation, ENTRY)).optional(),
    comments: z.array(fieldsOf(Comment, COMMENT)).optional(),
    matches: z.array(TransactionMatch).optional(),
  },
  operations: ['getTransaction', 'listAnnotations', 'listComments'],
  examples: [{ arguments: { transaction_id: 'Tx9kLm2P' }, says: 'What happened to this row?' }],
  run: async (context, { transaction_id: id, include, limit, after }) => {
    const asked = new Set(include);
    refuseUnless(asked.has('timeline'), { after }, ['after'], 'timeline in include');
    const params = { id };
    const transaction = await callOperation(context, operation, { params });
    const result: Record<string, unknown> = { transaction };
    if (asked.has('timeline')) {
      const entries = await callOperation(context, listAnnotations, { params, query: { limit, after } });
      result['timeline'] = entries.map((entry) => pick(entry, ENTRY));
    }
    if (asked.has('comments')) {
      const comments = await callOperation(context, listComments, { params });
      result['comments'] = comments.slice(-limit).map((comment) => pick(comment, COMMENT));
    }
    if (asked.has('matches')) result['matches'] = await selectMatchesOf(context.tx, transaction.id);
    return result;
  },
});
