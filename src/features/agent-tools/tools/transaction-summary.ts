import { z } from 'zod';

import { LIMITS } from '../../../kernel/limits.ts';
import { summarizeTransactions } from '../../transactions/transactions.contract.ts';
import { answerOf, fieldsOf } from '../results/result-schema.ts';
import { callOperation, pick } from '../call-operation.ts';
import { defineReadTool } from '../tool.ts';
import { transactionFilters } from '../parts/transaction-filters.ts';

const LIMIT = 200;
/** Groups under the names that filters take: a category by its slug. */
const ROW = [
  'period',
  'category_slug',
  'category_name',
  'category_kind',
  'account_id',
  'account_name',
  'user_id',
  'user_name',
  'counterparty_id',
  'counterparty_name',
  'tag_slug',
  'tag_name',
  'iso_currency_code',
  'transaction_count',
  'total_amount',
  'money_out',
  'money_in',
] as const;

export const transactionSummary = defineReadTool({
  name: 'transaction_summary',
  title: 'Total transactions by group',
  description:
    'Sums of posted transactions by one group, or by two or three, as a list or separated by commas: category, category_primary, kind, day, week, ' +
    'month, year, account, user, counterparty, tag; for example "category,month,user" or "month,kind". Per currency; positive is money ' +
    'out. spending_only leaves out income and transfers. Grouping by a period adds period_count and average_amount to totals. totals ' +
    'cover all groups even if truncated. A group missing from a row means none. Filters as in query_transactions; without dates, the whole ledger.',
  scope: 'read_only',
  weight: 'heavy',
  input: {
    group_by: z.union([z.string(), z.array(z.string()).min(1)]),
    ...transactionFilters,
    include_pending: z.boolean().default(false),
    spending_only: z.boolean().default(false),
    limit: z.int().min(1).max(LIMITS.summaryRowsMax).default(LIMIT),
  },
  output: {
    ...answerOf(summarizeTransactions).shape,
    summary: z.array(fieldsOf(answerOf(summarizeTransactions).shape.summary.element, ROW)),
  },
  operations: ['summarizeTransactions'],
  examples: [
    {
      arguments: { group_by: 'category,month', category_slug: 'food_and_drink', date_from: '2026-01-01' },
      says: 'What did food cost each month this year?',
    },
    { arguments: { group_by: 'month,kind' }, says: 'How much came in and went out each month?' },
  ],
  run: async (context, { group_by: groups, ...filters }) => {
    const query = { ...filters, group_by: [groups].flat().join(',') };
    const { summary, ...sums } = await callOperation(context, summarizeTransactions, { query });
    return { ...sums, summary: summary.map((row) => pick(row, ROW)) };
  },
});
