import { z } from 'zod';

import {
  AnyId,
  Code,
  Currency,
  DateOnly,
  Id,
  Instant,
  Money,
  QueryBoolean,
  ShortId,
  name,
  queryList,
} from '../../contract/common.ts';
import { defineOperation } from '../../contract/operation.ts';
import { LinkBody, LinkResult, transactionIds } from '../facets/link.contract.ts';

export const SeriesType = z
  .enum(['subscription', 'bill', 'loan', 'other'], 'must be subscription, bill, loan or other')
  .meta({ id: 'SeriesType' });

export const Series = z
  .object({
    id: Id,
    short_id: ShortId,
    name: z.string(),
    type: SeriesType,
    created_at: Instant,
    updated_at: Instant,
  })
  .meta({ id: 'Series' });

export const SeriesDetail = Series.extend({
  transaction_count: z.int().meta({ description: 'Number of its transactions, not counting deleted ones' }),
  direction: z.enum(['out', 'in']).meta({
    description:
      'out if at least half of its posted transactions are money out. Only those of this direction, in the currency of the newest one, are payments',
  }),
  last_date: DateOnly.nullable().meta({ description: 'Date of its newest payment' }),
  last_amount: Money.nullable().meta({ description: 'Amount of its newest payment, signed' }),
  last_iso_currency_code: Currency.nullable(),
  typical_interval_days: z
    .int()
    .nullable()
    .meta({ description: 'Median of the 24 newest intervals; null if there are fewer than two' }),
  cadence: z
    .enum(['weekly', 'biweekly', 'monthly', 'bimonthly', 'quarterly', 'half_yearly', 'yearly'])
    .nullable()
    .meta({ description: 'By typical_interval_days' }),
  next_expected_date: DateOnly.nullable().meta({
    description: 'On the usual day of the month, or so many days after the last payment if weekly or biweekly',
  }),
  status: z.enum(['active', 'late', 'ended']).meta({
    description:
      'late: the next payment has not come for more than 5 days (20 if half-yearly or yearly); ended: nor has the one after it. ' +
      'Days count up to the last one whose transactions are known',
  }),
  amount_kind: z.enum(['fixed', 'variable']).nullable().meta({
    description: 'fixed if most payments have the same amount as the one before or after; null if fewer than two',
  }),
  yearly_cost: Money.nullable().meta({
    description:
      'Absolute, for a year: of the last amount if fixed, of the median of the 12 newest amounts if variable; null if ended',
  }),
}).meta({ id: 'SeriesDetail' });

/** An entry of the list. */
const ListedSeries = SeriesDetail.partial().extend(Series.shape).meta({ id: 'ListedSeries' });

export const Price = z
  .object({
    from: DateOnly.meta({ description: 'When it was first paid' }),
    amount: Money.meta({ description: 'Absolute' }),
    iso_currency_code: Currency.nullable(),
    change: Money.nullable().meta({ description: 'Against the price before; null for the first' }),
    percent: Code.nullable().meta({ description: 'change in percent of the price before, with one decimal' }),
    yearly_effect: Money.nullable().meta({ description: 'change for a year' }),
    confirmed: z.boolean().meta({ description: 'false while it was paid only once' }),
    transaction_id: Id.meta({ description: 'The first transaction at this price' }),
  })
  .meta({ id: 'SeriesPrice' });

const Linked = SeriesDetail.extend({ link_result: LinkResult }).meta({ id: 'SeriesLinked' });

const exampleSeries = {
  id: '019a8c64-0000-7000-8000-0000000000aa',
  short_id: 'Se7r1eS0',
  name: 'Streaming',
  type: 'subscription',
  created_at: '2026-01-05T00:00:00.000Z',
  updated_at: '2026-04-03T06:00:00.000Z',
} as const;
const exampleDetail = {
  ...exampleSeries,
  transaction_count: 6,
  direction: 'out',
  last_date: '2026-04-03',
  last_amount: '15.49',
  last_iso_currency_code: 'USD',
  typical_interval_days: 31,
  cadence: 'monthly',
  next_expected_date: '2026-05-03',
  status: 'active',
  amount_kind: 'fixed',
  yearly_cost: '185.88',
} as const;
const examplePrices = [
  {
    from: '2025-11-03',
    amount: '13.99',
    iso_currency_code: 'USD',
    change: null,
    percent: null,
    yearly_effect: null,
    confirmed: true,
    transaction_id: '019a8c60-1f2e-7b4c-8d5e-6f708192a3b4',
  },
  {
    from: '2026-04-03',
    amount: '15.49',
    iso_currency_code: 'USD',
    change: '1.50',
    percent: '10.7',
    yearly_effect: '18.00',
    confirmed: false,
    transaction_id: '019a8c60-1f2e-7b4c-8d5e-6f708192a3b5',
  },
];
const exampleLink = {
  linked: 1,
  already_linked: 0,
  skipped: [
    {
      transaction_id: '019a8c60-1f2e-7b4c-8d5e-6f708192a3b4',
      short_id: 'Tx9kLm2P',
      reason: 'bound_elsewhere',
      bound_to: '019a8c64-0000-7000-8000-0000000000ab',
    },
  ],
};
const group = 'series';
const params = z.object({ id: AnyId });

export const listSeries = defineOperation({
  name: 'listSeries',
  group,
  method: 'GET',
  path: '/api/v1/series',
  scope: 'read_only',
  summary: 'List recurring series, ordered by name',
  query: z.object({
    type: queryList(SeriesType).optional(),
    search: name().optional().meta({ description: 'Part of the name' }),
    detail: QueryBoolean.default(false).meta({ description: 'Each entry with its rhythm, status and cost, as by id' }),
  }),
  response: z.object({ series: z.array(ListedSeries) }).meta({ id: 'SeriesList' }),
  status: 200,
  errors: ['INVALID_PARAMETER'],
  effect: 'read',
  weight: ({ query }) => (query.detail ? 'heavy' : 'light'),
  etag: true,
  cli: { command: 'series list' },
  example: { query: { type: 'subscription' }, response: { series: [exampleSeries] } },
});

export const getSeries = defineOperation({
  name: 'getSeries',
  group,
  method: 'GET',
  path: '/api/v1/series/{id}',
  scope: 'read_only',
  summary: 'Get one recurring series with its rhythm, status and cost',
  params,
  response: SeriesDetail,
  status: 200,
  errors: ['NOT_FOUND'],
  effect: 'read',
  weight: 'light',
  etag: true,
  // All that its transactions say of it: the record itself is what Series has.
  beside: Object.keys(SeriesDetail.shape).filter((field) => !(field in Series.shape)),
  cli: { command: 'series get' },
  example: { params: { id: 'Se7r1eS0' }, response: exampleDetail },
});

export const listSeriesPrices = defineOperation({
  name: 'listSeriesPrices',
  group,
  method: 'GET',
  path: '/api/v1/series/{id}/prices',
  scope: 'read_only',
  summary: 'List the prices of a recurring series, oldest first',
  description:
    'A price is an amount that two or more payments in a row have, or the newest amount; if half-yearly or yearly, every ' +
    'amount. A single odd charge is no price. Empty if its amounts are variable.',
  params,
  response: z.object({ prices: z.array(Price) }).meta({ id: 'SeriesPrices' }),
  status: 200,
  errors: ['NOT_FOUND'],
  effect: 'read',
  weight: 'light',
  etag: true,
  cli: { command: 'series prices' },
  example: { params: { id: 'Se7r1eS0' }, response: { prices: examplePrices } },
});

export const createSeries = defineOperation({
  name: 'createSeries',
  group,
  method: 'POST',
  path: '/api/v1/series',
  scope: 'full_access',
  summary: 'Create a recurring series, optionally with transactions',
  body: z.strictObject({
    name: name(),
    type: SeriesType.default('subscription'),
    transaction_ids: transactionIds(0).optional(),
  }),
  response: SeriesDetail.extend({ link_result: LinkResult.optional() }).meta({ id: 'SeriesMade' }),
  status: 201,
  errors: ['VALIDATION_ERROR', 'INVALID_PARAMETER', 'CONFLICT'],
  effect: 'write',
  weight: 'light',
  cli: { command: 'series create' },
  example: {
    body: { name: 'Streaming', type: 'subscription' },
    response: {
      ...exampleDetail,
      transaction_count: 0,
      last_date: null,
      last_amount: null,
      last_iso_currency_code: null,
      typical_interval_days: null,
      cadence: null,
      next_expected_date: null,
      amount_kind: null,
      yearly_cost: null,
    },
  },
});

export const updateSeries = defineOperation({
  name: 'updateSeries',
  group,
  method: 'PATCH',
  path: '/api/v1/series/{id}',
  scope: 'full_access',
  summary: 'Change the name or type of a recurring series',
  params,
  body: z.strictObject({ name: name().optional(), type: SeriesType.optional() }),
  response: SeriesDetail,
  status: 200,
  errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'CONFLICT'],
  effect: 'write',
  weight: 'light',
  cli: { command: 'series update' },
  example: {
    params: { id: 'Se7r1eS0' },
    body: { name: 'Films' },
    response: { ...exampleDetail, name: 'Films', updated_at: '2026-04-27T08:00:00.000Z' },
  },
});

export const deleteSeries = defineOperation({
  name: 'deleteSeries',
  group,
  method: 'DELETE',
  path: '/api/v1/series/{id}',
  scope: 'full_access',
  summary: 'Delete a recurring series',
  description: 'Refused while a rule refers to it, or while it has transactions and `unlink` is not true.',
  params,
  query: z.object({
    unlink: QueryBoolean.default(false).meta({ description: 'Remove its transactions from it first' }),
  }),
  response: null,
  status: 204,
  errors: ['INVALID_PARAMETER', 'NOT_FOUND', 'SERIES_IN_USE'],
  effect: 'write',
  weight: ({ query }) => (query.unlink ? 'heavy' : 'light'),
  cli: { command: 'series delete', confirm: true },
  example: { params: { id: 'Se7r1eS0' }, query: { unlink: 'true' }, response: null },
});

export const linkSeriesTransactions = defineOperation({
  name: 'linkSeriesTransactions',
  group,
  method: 'POST',
  path: '/api/v1/series/{id}/transactions',
  scope: 'full_access',
  summary: 'Add transactions to a recurring series',
  description: 'Transactions that belong to another series are skipped.',
  params,
  body: LinkBody,
  response: Linked,
  status: 200,
  errors: ['VALIDATION_ERROR', 'INVALID_PARAMETER', 'NOT_FOUND'],
  effect: 'write',
  weight: 'light',
  cli: { command: 'series link' },
  example: {
    params: { id: 'Se7r1eS0' },
    body: { transaction_ids: ['Tx8kLm2P', 'Tx9kLm2P'] },
    response: { ...exampleDetail, link_result: exampleLink },
  },
});

export const unlinkSeriesTransaction = defineOperation({
  name: 'unlinkSeriesTransaction',
  group,
  method: 'DELETE',
  path: '/api/v1/series/{id}/transactions/{txid}',
  scope: 'full_access',
  summary: 'Remove a transaction from a recurring series',
  params: params.extend({ txid: AnyId }),
  response: SeriesDetail,
  status: 200,
  errors: ['NOT_FOUND'],
  effect: 'write',
  weight: 'light',
  cli: { command: 'series unlink' },
  example: {
    params: { id: 'Se7r1eS0', txid: 'Tx9kLm2P' },
    response: { ...exampleDetail, transaction_count: 5 },
  },
});

export const operations = [
  listSeries,
  getSeries,
  listSeriesPrices,
  createSeries,
  updateSeries,
  deleteSeries,
  linkSeriesTransactions,
  unlinkSeriesTransaction,
];
