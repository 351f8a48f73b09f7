import { z } from 'zod';

import {
  AnyId,
  Code,
  Id,
  Money,
  page,
  QueryBoolean,
  queryInteger,
  ShortId,
  Slug,
  Total,
  UserRef,
} from '../../contract/common.ts';
import { defineOperation } from '../../contract/operation.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { CategoryKind } from '../categories/categories.contract.ts';
import { deletedFilter, sharedFilters, weightOfFilters } from './filters.contract.ts';
import { GroupBy } from './summary-grouping.contract.ts';
import { operations as bulkOperations } from './transaction-bulk.contract.ts';
import { operations as createOperations } from './transaction-create.contract.ts';
import { FieldsQuery } from './transaction-fields.contract.ts';
import { TransactionSelection, exampleTransaction } from './transaction-record.contract.ts';
import { operations as reportOperations } from './transaction-reports.contract.ts';
import { operations as writeOperations } from './transaction-writes.contract.ts';

const group = 'transactions';
const fields = FieldsQuery.optional().meta({
  description:
    'Field names, or the aliases minimal, core, category, timestamps and triage; id and short_id are always included',
});
const SortKey = z.enum(['date', 'amount', 'name'], 'must be date, amount or name');
const SortOrder = z.enum(['asc', 'desc'], 'must be asc or desc');
const limit = queryInteger(1, LIMITS.pageMax);

const listControls = {
  limit: limit.optional(),
  cursor: z.string().optional(),
  sort: SortKey.optional(),
  sort_by: SortKey.optional().meta({ description: 'Synonym of sort' }),
  order: SortOrder.optional(),
  sort_order: SortOrder.optional().meta({ description: 'Synonym of order' }),
  fields,
};

export const listTransactions = defineOperation({
  name: 'listTransactions',
  group,
  method: 'GET',
  path: '/api/v1/transactions',
  scope: 'read_only',
  summary: 'List transactions, newest first',
  description:
    'Sorted by date, the list comes in pages that `next_cursor` connects. Sorted by amount or name, it is a single page: all ' +
    'matches, or the first `limit` of them.',
  query: z.object({ ...sharedFilters, ...deletedFilter, ...listControls }),
  strictQuery: true,
  response: page('transactions', TransactionSelection),
  status: 200,
  errors: ['INVALID_PARAMETER', 'INVALID_CURSOR'],
  effect: 'read',
  weight: ({ query }) => ((query.sort ?? query.sort_by ?? 'date') === 'date' ? weightOfFilters(query) : 'heavy'),
  cli: { command: 'transactions list' },
  example: {
    query: { search: 'cafe', limit: '1' },
    response: { transactions: [exampleTransaction], next_cursor: 'WyI5ZjA0…', has_more: true, limit: 1 },
  },
});

export const getTransaction = defineOperation({
  name: 'getTransaction',
  group,
  method: 'GET',
  path: '/api/v1/transactions/{id}',
  scope: 'read_only',
  summary: 'Get one transaction',
  params: z.object({ id: AnyId }),
  query: z.object({ fields, include_deleted: QueryBoolean.default(false) }),
  strictQuery: true,
  response: TransactionSelection,
  status: 200,
  errors: ['NOT_FOUND', 'INVALID_PARAMETER'],
  effect: 'read',
  weight: 'light',
  etag: true,
  beside: [
    'account_name',
    'connection_id',
    'provider',
    'user_id',
    'counterparty_name',
    'counterparty_logo_url',
    'category',
  ],
  cli: { command: 'transactions get' },
  example: { params: { id: 'Tx9kLm2P' }, response: exampleTransaction },
});

const exampleTotal = {
  iso_currency_code: 'USD',
  transaction_count: 3,
  total_amount: '16.75',
  money_out: '16.75',
  money_in: '0.00',
};

export const countTransactions = defineOperation({
  name: 'countTransactions',
  group,
  method: 'GET',
  path: '/api/v1/transactions/count',
  scope: 'read_only',
  summary: 'Count transactions, optionally with totals per currency',
  query: z.object({
    ...sharedFilters,
    ...deletedFilter,
    limit: z.unknown().optional(),
    cursor: z.unknown().optional(),
    sort: z.unknown().optional(),
    sort_by: z.unknown().optional(),
    order: z.unknown().optional(),
    sort_order: z.unknown().optional(),
    fields: z.unknown().optional(),
    include_totals: QueryBoolean.default(false),
    include_pending: QueryBoolean.default(false).meta({ description: 'Only affects the totals' }),
  }),
  strictQuery: true,
  response: z.object({ count: z.int(), totals: z.array(Total).optional() }),
  status: 200,
  errors: ['INVALID_PARAMETER'],
  effect: 'read',
  weight: 'heavy',
  cli: { command: 'transactions count' },
  example: { query: { tag: 'needs-review' }, response: { count: 12, totals: [exampleTotal] } },
});

const SummaryRow = z
  .object({
    category_id: Id.nullable().optional(),
    category_slug: Slug.nullable().optional(),
    category_name: z.string().nullable().optional(),
    category_kind: CategoryKind.nullable().optional(),
    parent_id: Id.nullable().optional(),
    period: Code.optional(),
    account_id: Id.optional(),
    account_name: z.string().optional(),
    user_id: UserRef.nullable().optional(),
    user_name: z.string().nullable().optional(),
    counterparty_id: Id.nullable().optional(),
    counterparty_short_id: ShortId.nullable().optional(),
    counterparty_name: z.string().nullable().optional(),
    tag_slug: Slug.nullable().optional(),
    tag_name: z.string().nullable().optional(),
  })
  .extend(Total.shape);

const SummaryTotal = Total.extend({
  period_count: z
    .int()
    .optional()
    .meta({
      description:
        'Only when grouped by a period: the number of periods from the first to the last day of the filter, both inclusive. ' +
        'Where the filter is open, the first or last transaction in this currency counts',
    }),
  average_amount: Money.optional().meta({ description: 'total_amount / period_count, rounded half up' }),
}).meta({ id: 'SummaryTotal' });

export const summarizeTransactions = defineOperation({
  name: 'summarizeTransactions',
  group,
  method: 'GET',
  path: '/api/v1/transactions/summary',
  scope: 'read_only',
  summary: 'Summarise transactions by category, period, account, member, counterparty, tag or kind',
  description:
    'Takes up to three groups, such as `category,month,user`. Totals never mix currencies; when grouped by a period, they ' +
    'include averages.',
  query: z.object({
    group_by: GroupBy,
    ...sharedFilters,
    include_pending: QueryBoolean.default(false),
    spending_only: QueryBoolean.default(false).meta({ description: 'Only money out, without transfers' }),
    limit: queryInteger(1, LIMITS.summaryRowsMax).optional(),
  }),
  strictQuery: true,
  response: z.object({
    group_by: Code.meta({ description: 'The requested groups, separated by commas' }),
    summary: z.array(SummaryRow),
    totals: z.array(SummaryTotal),
    row_count: z.int(),
    truncated: z.boolean(),
    filters: z.record(z.string(), z.unknown()),
  }),
  status: 200,
  errors: ['INVALID_PARAMETER'],
  effect: 'read',
  weight: 'heavy',
  cli: { command: 'transactions summary' },
  example: {
    query: { group_by: 'category', date_from: '2026-04-01', date_to: '2026-04-30' },
    response: {
      group_by: 'category',
      summary: [
        {
          category_id: '019a8c5d-0001-7000-8000-000000000035',
          category_slug: 'food_and_drink_coffee',
          category_name: 'Coffee Shops',
          category_kind: 'expense',
          parent_id: '019a8c5d-0001-7000-8000-000000000033',
          ...exampleTotal,
        },
      ],
      totals: [exampleTotal],
      row_count: 1,
      truncated: false,
      filters: {
        date_from: '2026-04-01',
        date_to: '2026-04-30',
        include_pending: false,
        spending_only: false,
        excluded_accounts: 'exclude',
        dependent_accounts: 'exclude',
      },
    },
  },
});

export const operations = [
  ...createOperations,
  listTransactions,
  getTransaction,
  countTransactions,
  summarizeTransactions,
  ...reportOperations,
  ...writeOperations,
  ...bulkOperations,
];
