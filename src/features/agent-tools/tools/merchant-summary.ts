import { z } from 'zod';

import { DateOnly, Money, Sentence } from '../../../contract/common.ts';
import { LIMITS } from '../../../kernel/limits.ts';
import { merchantSummary as summarize, readFilters } from '../../transactions/index.ts';
import { listMerchants, Merchant } from '../../transactions/transaction-reports.contract.ts';
import { pick } from '../call-operation.ts';
import { answerOf, fieldsOf } from '../results/result-schema.ts';
import { meaningOf, Sums, withRefunded } from '../parts/sums.ts';
import { defineReadTool } from '../tool.ts';
import { transactionFilters } from '../parts/transaction-filters.ts';

const LIMIT = 50;
const ROW = [
  'merchant',
  'counterparty_id',
  'iso_currency_code',
  'transaction_count',
  'total_amount',
  'avg_amount',
  'first_date',
  'last_date',
] as const;

export const merchantSummary = defineReadTool({
  name: 'merchant_summary',
  title: 'Total transactions by merchant',
  description:
    'Posted transactions per merchant, each once per currency: count, total, average, first and last date. Sorted by ' +
    'currency, then largest total first (positive is money out); limit counts per currency. spending_only: what was spent, ' +
    'net of refunds. new_since: only merchants first seen on or after that day, whatever the other dates; with min_count 2 ' +
    'and spending_only these may be new subscriptions. Filters as in query_transactions.',
  scope: 'read_only',
  weight: 'heavy',
  limitsEachCurrency: true,
  input: {
    ...transactionFilters,
    include_pending: z.boolean().default(false),
    spending_only: z.boolean().default(false),
    min_count: z.int().min(1).default(1),
    new_since: DateOnly.optional(),
    limit: z.int().min(1).max(LIMITS.summaryRowsMax).default(LIMIT),
  },
  output: {
    ...answerOf(listMerchants).shape,
    merchants: z.array(fieldsOf(Merchant, ROW).extend({ refunded: Money.optional() })),
    totals: z.array(Sums),
    meaning: Sentence,
  },
  operations: ['listMerchants'],
  examples: [
    { arguments: { spending_only: true, limit: 10 }, says: 'Where does most of the money go?' },
    {
      arguments: { new_since: '2026-03-01', min_count: 2, spending_only: true },
      says: 'Which subscriptions are new since March?',
    },
  ],
  run: async ({ tx }, { new_since: newSince, ...input }) => {
    const { include_pending, spending_only: isNet, min_count, limit } = input;
    const filters = readFilters(input);
    const { merchants, totals, ...summary } = await summarize(
      tx,
      { ...filters, include_pending, min_count, limit },
      { spending: isNet ? 'net' : null, newSince, limitIs: 'of each currency' },
    );
    return {
      merchants: merchants.map((row) => ({ ...pick(row, ROW), ...(isNet ? { refunded: row.refunded } : {}) })),
      totals: totals.map((total) => withRefunded(total, isNet)),
      meaning: meaningOf({ ...filters, spending_only: isNet, include_pending }),
      ...summary,
      filters: { ...summary.filters, ...(newSince === undefined ? {} : { new_since: newSince }) },
    };
  },
});
