import { z } from 'zod';

import {
  AnyId,
  DateOnly,
  Id,
  Instant,
  QueryBoolean,
  ShortId,
  Total,
  clearableText,
  name,
  text,
} from '../../contract/common.ts';
import { defineOperation } from '../../contract/operation.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { LinkBody, LinkResult, transactionIds } from '../facets/link.contract.ts';

export const Counterparty = z
  .object({
    id: Id,
    short_id: ShortId,
    name: z.string(),
    website_url: z.string().nullable(),
    logo_url: z.string().nullable(),
    category_id: Id.nullable().meta({
      description: 'Describes the counterparty; does not categorise its transactions',
    }),
    mcc: z.string().nullable().meta({ description: 'Merchant category code' }),
    canonical_counterparty_id: Id.nullable().meta({ description: 'Counterparty that it was merged into' }),
    is_merged: z.boolean(),
    created_at: Instant,
    updated_at: Instant,
  })
  .meta({ id: 'Counterparty' });

export const CounterpartyDetail = Counterparty.extend({
  transaction_count: z.int().meta({ description: 'Number of its transactions, not counting deleted ones' }),
  totals: z
    .array(Total.extend({ first_date: DateOnly, last_date: DateOnly }).meta({ id: 'DatedTotal' }))
    .meta({ description: 'Per currency, over the transactions that count in totals' }),
}).meta({ id: 'CounterpartyDetail' });

/** A regular expression alone would accept `https://`, the URL parser alone `https:example`. */
function isWebAddress(value: string): boolean {
  return /^https?:\/\/[^\s/?#][^\s]*$/i.test(value) && URL.canParse(value);
}

const WebAddress = clearableText(LIMITS.urlChars)
  .refine(
    (value) => value === null || isWebAddress(value),
    'must be an absolute http or https address, such as https://example.com',
  )
  .meta({ description: 'null or "" for none' });

const fields = {
  website_url: WebAddress,
  logo_url: WebAddress,
  // An unknown category is an INVALID_PARAMETER, even if the text is too long to be an id.
  category_id: text(LIMITS.jsonBodyBytes)
    .nullable()
    .meta({ description: 'UUID, short_id or slug; null or "" for none' }),
  mcc: clearableText(LIMITS.urlChars)
    .refine((value) => value === null || /^\d{4}$/.test(value), 'must be four digits, such as 5814')
    .meta({ description: 'null or "" for none' }),
};

const exampleCounterparty = {
  id: '019a8c65-0000-7000-8000-0000000000bb',
  short_id: 'Cp4rTy0x',
  name: 'Corner Cafe',
  website_url: null,
  logo_url: null,
  category_id: null,
  mcc: '5814',
  canonical_counterparty_id: null,
  is_merged: false,
  created_at: '2026-02-01T00:00:00.000Z',
  updated_at: '2026-04-25T00:00:00.000Z',
};
const exampleDetail = {
  ...exampleCounterparty,
  transaction_count: 3,
  totals: [
    {
      iso_currency_code: 'USD',
      transaction_count: 3,
      total_amount: '16.75',
      money_out: '16.75',
      money_in: '0.00',
      first_date: '2026-02-01',
      last_date: '2026-04-25',
    },
  ],
};
/** An entry of the list. */
const ListedCounterparty = CounterpartyDetail.partial().extend(Counterparty.shape).meta({ id: 'ListedCounterparty' });

const group = 'counterparties';
const params = z.object({ id: AnyId });

export const listCounterparties = defineOperation({
  name: 'listCounterparties',
  group,
  method: 'GET',
  path: '/api/v1/counterparties',
  scope: 'read_only',
  summary: 'List counterparties, ordered by name',
  query: z.object({
    search: name().optional().meta({ description: 'Part of the name' }),
    include_merged: QueryBoolean.default(false).meta({ description: 'Include those merged into another' }),
    detail: QueryBoolean.default(false).meta({
      description: 'Each entry with its number of uses and totals, as by id',
    }),
  }),
  response: z.object({ counterparties: z.array(ListedCounterparty) }).meta({ id: 'CounterpartyList' }),
  status: 200,
  errors: ['INVALID_PARAMETER'],
  effect: 'read',
  weight: ({ query }) => (query.detail ? 'heavy' : 'light'),
  etag: true,
  cli: { command: 'counterparties list' },
  example: { query: { include_merged: 'true' }, response: { counterparties: [exampleCounterparty] } },
});

export const getCounterparty = defineOperation({
  name: 'getCounterparty',
  group,
  method: 'GET',
  path: '/api/v1/counterparties/{id}',
  scope: 'read_only',
  summary: 'Get one counterparty with its totals',
  description: 'Also returns counterparties that were merged into another.',
  params,
  response: CounterpartyDetail,
  status: 200,
  errors: ['NOT_FOUND'],
  effect: 'read',
  weight: 'light',
  etag: true,
  beside: ['transaction_count', 'totals'],
  cli: { command: 'counterparties get' },
  example: { params: { id: 'Cp4rTy0x' }, response: exampleDetail },
});

export const createCounterparty = defineOperation({
  name: 'createCounterparty',
  group,
  method: 'POST',
  path: '/api/v1/counterparties',
  scope: 'full_access',
  summary: 'Create a counterparty, optionally with transactions',
  body: z.strictObject({
    name: name(),
    website_url: fields.website_url.default(null),
    logo_url: fields.logo_url.default(null),
    category_id: fields.category_id.default(null),
    mcc: fields.mcc.default(null),
    transaction_ids: transactionIds(0).optional(),
  }),
  response: CounterpartyDetail.extend({ link_result: LinkResult.optional() }).meta({ id: 'CounterpartyMade' }),
  status: 201,
  errors: ['VALIDATION_ERROR', 'INVALID_PARAMETER', 'CONFLICT'],
  effect: 'write',
  weight: 'light',
  cli: { command: 'counterparties create' },
  example: {
    body: { name: 'Corner Cafe', mcc: '5814' },
    response: { ...exampleDetail, transaction_count: 0, totals: [] },
  },
});

export const updateCounterparty = defineOperation({
  name: 'updateCounterparty',
  group,
  method: 'PATCH',
  path: '/api/v1/counterparties/{id}',
  scope: 'full_access',
  summary: 'Change the name, addresses, category or code of a counterparty',
  params,
  body: z.strictObject({
    name: name().optional(),
    website_url: fields.website_url.optional(),
    logo_url: fields.logo_url.optional(),
    category_id: fields.category_id.optional(),
    mcc: fields.mcc.optional(),
  }),
  response: CounterpartyDetail,
  status: 200,
  errors: ['VALIDATION_ERROR', 'INVALID_PARAMETER', 'NOT_FOUND', 'CONFLICT'],
  effect: 'write',
  weight: 'light',
  cli: { command: 'counterparties update' },
  example: {
    params: { id: 'Cp4rTy0x' },
    body: { website_url: 'https://corner-cafe.example' },
    response: {
      ...exampleDetail,
      website_url: 'https://corner-cafe.example',
      updated_at: '2026-04-27T08:00:00.000Z',
    },
  },
});

export const deleteCounterparty = defineOperation({
  name: 'deleteCounterparty',
  group,
  method: 'DELETE',
  path: '/api/v1/counterparties/{id}',
  scope: 'full_access',
  summary: 'Delete a counterparty that nothing refers to',
  params,
  response: null,
  status: 204,
  errors: ['NOT_FOUND', 'COUNTERPARTY_IN_USE'],
  effect: 'write',
  weight: 'light',
  cli: { command: 'counterparties delete', confirm: true },
  example: { params: { id: 'Cp4rTy0x' }, response: null },
});

export const linkCounterpartyTransactions = defineOperation({
  name: 'linkCounterpartyTransactions',
  group,
  method: 'POST',
  path: '/api/v1/counterparties/{id}/transactions',
  scope: 'full_access',
  summary: 'Link transactions to a counterparty',
  description: 'Transactions that are linked to another counterparty are skipped.',
  params,
  body: LinkBody,
  response: CounterpartyDetail.extend({ link_result: LinkResult }).meta({ id: 'CounterpartyLinked' }),
  status: 200,
  errors: ['VALIDATION_ERROR', 'INVALID_PARAMETER', 'NOT_FOUND', 'CONFLICT'],
  effect: 'write',
  weight: 'light',
  cli: { command: 'counterparties link' },
  example: {
    params: { id: 'Cp4rTy0x' },
    body: { transaction_ids: ['Tx9kLm2P'] },
    response: { ...exampleDetail, link_result: { linked: 1, already_linked: 0, skipped: [] } },
  },
});

export const unlinkCounterpartyTransaction = defineOperation({
  name: 'unlinkCounterpartyTransaction',
  group,
  method: 'DELETE',
  path: '/api/v1/counterparties/{id}/transactions/{txid}',
  scope: 'full_access',
  summary: 'Unlink a transaction from its counterparty',
  params: params.extend({ txid: AnyId }),
  response: CounterpartyDetail,
  status: 200,
  errors: ['NOT_FOUND'],
  effect: 'write',
  weight: 'light',
  cli: { command: 'counterparties unlink' },
  example: {
    params: { id: 'Cp4rTy0x', txid: 'Tx9kLm2P' },
    response: { ...exampleDetail, transaction_count: 0, totals: [] },
  },
});

export const mergeCounterparties = defineOperation({
  name: 'mergeCounterparties',
  group,
  method: 'POST',
  path: '/api/v1/counterparties/{id}/merge',
  scope: 'full_access',
  summary: 'Merge another counterparty, with its transactions and rules, into this one',
  params,
  body: z.strictObject({
    // An unknown counterparty is an INVALID_PARAMETER, even if the text is too long to be an id.
    from_counterparty_id: text(LIMITS.jsonBodyBytes),
    dry_run: z.boolean().default(false).meta({ description: 'Only report what would change' }),
  }),
  response: z
    .object({
      counterparty: CounterpartyDetail,
      moved: z.object({
        transactions: z.int(),
        rules: z.int(),
        counterparties: z.int().meta({ description: 'Counterparties that had been merged into the other one' }),
      }),
      dry_run: z.boolean(),
      change_set_id: Id.nullable().meta({ description: 'null if nothing changed' }),
    })
    .meta({ id: 'CounterpartyMerge' }),
  status: 200,
  errors: ['VALIDATION_ERROR', 'INVALID_PARAMETER', 'NOT_FOUND'],
  effect: 'write',
  weight: 'heavy',
  cli: { command: 'counterparties merge', confirm: true },
  example: {
    params: { id: 'Cp4rTy0x' },
    body: { from_counterparty_id: 'Cp5rTy0x' },
    response: {
      counterparty: exampleDetail,
      moved: { transactions: 2, rules: 1, counterparties: 0 },
      dry_run: false,
      change_set_id: '019a8c61-aa00-7111-8222-333344445555',
    },
  },
});

export const operations = [
  listCounterparties,
  getCounterparty,
  createCounterparty,
  updateCounterparty,
  deleteCounterparty,
  linkCounterpartyTransactions,
  unlinkCounterpartyTransaction,
  mergeCounterparties,
];
