import { z } from 'zod';

import { Code, Money, Sentence } from '../../../contract/common.ts';
import { todayIn } from '../../../kernel/dates.ts';
import { invalidParameter } from '../../../kernel/errors.ts';
import { LIMITS } from '../../../kernel/limits.ts';
import { householdZone } from '../../config/index.ts';
import { householdSummary, readFilters } from '../../transactions/index.ts';
import { GroupBy, type SummaryGrouping } from '../../transactions/summary-grouping.contract.ts';
import { summarizeTransactions } from '../../transactions/transactions.contract.ts';
import { pick } from '../call-operation.ts';
import { answerOf, fieldsOf } from '../results/result-schema.ts';
import { Compared, meaningOf, withRefunded } from '../parts/sums.ts';
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

const { shape: answer } = answerOf(summarizeTransactions);
const SummaryRow = fieldsOf(answer.summary.element, ROW).extend({
  refunded: Money.optional(),
  compared: Compared.optional(),
});
const SummaryTotal = answer.totals.element.extend({
  refunded: Money.optional(),
  compared: Compared.optional(),
  partial_period: Code.optional(),
});

export const transactionSummary = defineReadTool({
  name: 'transaction_summary',
  title: 'Total transactions by group',
  description:
    'Sums of posted transactions by one group, or by two or three separated by commas: category, category_primary, kind, day, ' +
    'week, month, year, account, user, counterparty, tag; for example "category,month,user" or "month,kind". Per currency; ' +
    'positive is money out. spending_only: what was spent, net of refunds, without income and transfers. Grouping by a period ' +
    'adds average_amount over the period_count periods that are over; partial_period is not. compare_to (with date_from, date_to ' +
    'and no period): previous_period, previous_year or two dates such as 2025-01-01..2025-03-31; largest change first. totals ' +
    'cover all groups even if truncated; limit counts per currency. A group missing from a row means none. Filters as in ' +
    'query_transactions; without dates, the whole ledger.',
  scope: 'read_only',
  weight: 'heavy',
  limitsEachCurrency: true,
  input: {
    group_by: z.string(),
    ...transactionFilters,
    include_pending: z.boolean().default(false),
    spending_only: z.boolean().default(false),
    compare_to: z.string().optional(),
    limit: z.int().min(1).max(LIMITS.summaryRowsMax).default(LIMIT),
  },
  output: {
    ...answer,
    summary: z.array(SummaryRow),
    totals: z.array(SummaryTotal),
    meaning: Sentence,
  },
  operations: ['summarizeTransactions'],
  examples: [
    {
      arguments: { group_by: 'category,month', category_slug: 'food_and_drink', date_from: '2026-01-01' },
      says: 'What did food cost each month this year?',
    },
    { arguments: { group_by: 'month,kind' }, says: 'How much came in and went out each month?' },
    {
      arguments: {
        group_by: 'category_primary',
        spending_only: true,
        date_from: '2026-04-01',
        date_to: '2026-04-15',
        compare_to: 'previous_year',
      },
      says: 'What did we spend in the first half of April, and a year before?',
    },
  ],
  run: async ({ tx, instance }, input) => {
    const { include_pending: includePending, spending_only: isNet, compare_to: compareTo, limit } = input;
    const filters = readFilters(input);
    const groupBy = readGroups(input.group_by);
    const today = todayIn(await householdZone(tx), instance.clock);
    const spending = isNet ? ('net' as const) : null;
    const asked = { filters, groupBy, includePending, spending, compareTo, limit, today };
    const { summary, totals, ...found } = await householdSummary(tx, asked);
    return {
      group_by: groupBy.text,
      summary: summary.map((row) => withRefunded(pick(row, [...ROW, 'compared']), isNet)),
      totals: totals.map((total) => withRefunded(total, isNet)),
      meaning: meaningOf({ ...filters, spending_only: isNet, include_pending: includePending }),
      ...found,
      filters: { ...found.filters, include_pending: includePending, spending_only: isNet },
    };
  },
});

/** @throws INVALID_PARAMETER */
function readGroups(groups: string | string[]): SummaryGrouping {
  const { data, error } = GroupBy.safeParse(groups);
  if (data) return data;
  throw invalidParameter('group_by', `group_by: ${error?.issues[0]?.message ?? 'is not valid'}`);
}
