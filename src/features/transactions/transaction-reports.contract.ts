import { z } from 'zod';

import {
  CurrencyCode,
  DateOnly,
  Id,
  Money,
  QueryBoolean,
  queryInteger,
  ShortId,
  Total,
} from '../../contract/common.ts';
import { defineOperation, type AnyOperation } from '../../contract/operation.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { deletedFilter, sharedFilters } from './filters.contract.ts';
import { FieldsQuery } from './transaction-fields.contract.ts';
import { TransactionSelection, exampleTransaction } from './transaction-record.contract.ts';

const group = 'transactions';

export const Merchant = z
  .object({
    merchant: z.string(),
    counterparty_id: Id.nullable(),
    counterparty_short_id: ShortId.nullable(),
    counterparty_logo_url: z.string().nullable(),
    iso_currency_code: CurrencyCode.nullable(),
    transaction_count: z.int(),
    total_amount: Money,
    avg_amount: Money,
    first_date: DateOnly,
    last_date: DateOnly,
  })
  .meta({ id: 'Merchant' });

export const listMerchants = defineOperation({
  name: 'listMerchants',
  group,
  method: 'GET',
  path: '/api/v1/transactions/merchants',
  scope: 'read_only',
  summary: 'Summarise transactions by merchant',
  description:
    'The merchant is the counterparty of a transaction if it has one, otherwise its merchant name or its name. Totals ' +
    'never mix currencies.',
  query: z.object({
    ...sharedFilters,
    include_pending: QueryBoolean.default(false),
    spending_only: QueryBoolean.default(false).meta({ description: 'Only money out, without transfers' }),
    min_count: queryInteger(1, 999_999_999)
      .optional()
      .meta({ description: 'Leave out merchants with fewer transactions' }),
    limit: queryInteger(1, LIMITS.summaryRowsMax).optional(),
  }),
  strictQuery: true,
  response: z.object({
    merchants: z.array(Merchant),
    totals: z.array(Total),
    row_count: z.int(),
    truncated: z.boolean(),
    filters: z.record(z.string(), z.unknown()),
  }),
  status: 200,
  errors: ['INVALID_PARAMETER'],
  effect: 'read',
  weight: 'heavy',
  cli: { command: 'transactions merchants' },
  example: {
    query: { date_from: '2026-04-01', date_to: '2026-04-30', spending_only: 'true', min_count: '2' },
    response: {
      merchants: [
        {
          merchant: 'Corner Cafe',
          counterparty_id: null,
          counterparty_short_id: null,
          counterparty_logo_url: null,
          iso_currency_code: 'USD',
          transaction_count: 3,
          total_amount: '16.75',
          avg_amount: '5.58',
          first_date: '2026-04-02',
          last_date: '2026-04-25',
        },
      ],
      totals: [
        {
          iso_currency_code: 'USD',
          transaction_count: 3,
          total_amount: '16.75',
          money_out: '16.75',
          money_in: '0.00',
        },
      ],
      row_count: 1,
      truncated: false,
      filters: {
        date_from: '2026-04-01',
        date_to: '2026-04-30',
        include_pending: false,
        spending_only: true,
        excluded_accounts: 'exclude',
        dependent_accounts: 'exclude',
        min_count: 2,
      },
    },
  },
});

const SortKey = z.enum(['date', 'amount', 'name'], 'must be date, amount or name');
const SortOrder = z.enum(['asc', 'desc'], 'must be asc or desc');
const Format = z.enum(['csv', 'ndjson', 'json'], 'must be csv, ndjson or json');

export const exportTransactions = defineOperation({
  name: 'exportTransactions',
  group,
  method: 'GET',
  path: '/api/v1/transactions/export',
  scope: 'read_only',
  summary: 'Download all matching transactions as CSV, NDJSON or JSON',
  description:
    'The response is streamed as a file: text/csv with a header row (RFC 4180), application/x-ndjson with one record per ' +
    'line, or one JSON array. In CSV, the category takes two columns, category_slug and category_name.',
  query: z.object({
    format: Format.default('csv'),
    ...sharedFilters,
    ...deletedFilter,
    sort: SortKey.optional(),
    sort_by: SortKey.optional().meta({ description: 'Synonym of sort' }),
    order: SortOrder.optional().meta({ description: 'asc by default' }),
    sort_order: SortOrder.optional().meta({ description: 'Synonym of order' }),
    fields: FieldsQuery.optional().meta({
      description: 'Field names or aliases, in the order of the columns; id and short_id come first',
    }),
    spreadsheet_safe: QueryBoolean.default(false).meta({
      description: "CSV only: put ' before text that a spreadsheet would treat as a formula",
    }),
  }),
  strictQuery: true,
  response: z.array(TransactionSelection),
  produces: ['text/csv', 'application/x-ndjson', 'application/json'],
  status: 200,
  errors: ['INVALID_PARAMETER'],
  effect: 'read',
  weight: 'heavy',
  cli: { command: 'transactions export' },
  example: {
    query: { format: 'json', date_from: '2026-04-01', date_to: '2026-04-30' },
    response: [exampleTransaction],
  },
});

export const operations: readonly AnyOperation[] = [listMerchants, exportTransactions];
