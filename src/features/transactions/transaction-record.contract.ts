import { z } from 'zod';

import { Currency, DateOnly, Id, Instant, Money, Provider, ShortId, Slug, UserRef } from '../../contract/common.ts';
import { CategoryKind } from '../categories/categories.contract.ts';

export const CategorySource = z.enum(['person', 'agent', 'rule', 'provider']).meta({ id: 'CategorySource' });

/** Every field of a transaction, in the order in which it is served (contract 10.3). */
export const transactionFields = {
  id: Id,
  short_id: ShortId,
  account_id: Id,
  account_name: z.string().meta({ description: 'Your name for the account, or else that of the institution' }),
  connection_id: Id.nullable(),
  provider: Provider,
  user_id: UserRef.nullable().meta({ description: 'Effective owner' }),
  attributed_user_id: UserRef.nullable().meta({
    description: 'Household member that this transaction is attributed to',
  }),
  date: DateOnly.meta({ description: 'Booking date' }),
  authorized_date: DateOnly.nullable().meta({ description: 'Date of the purchase, if the source gives it' }),
  datetime: Instant.nullable().meta({ description: 'If the source gives a time' }),
  amount: Money,
  iso_currency_code: Currency.nullable(),
  name: z.string().meta({ description: 'Text as the bank or the file gave it' }),
  merchant_name: z.string().nullable().meta({ description: 'As the bank or the file gave it' }),
  counterparty_id: Id.nullable(),
  counterparty_short_id: ShortId.nullable(),
  counterparty_name: z
    .string()
    .meta({ description: 'Name to show: the counterparty, or else the merchant, or else the text' }),
  counterparty_logo_url: z.string().nullable().meta({ description: 'Of the counterparty' }),
  category_id: Id.nullable().meta({ description: 'null for none' }),
  category: z
    .object({
      id: Id,
      short_id: ShortId,
      slug: Slug,
      name: z.string(),
      parent_id: Id.nullable(),
      kind: CategoryKind,
    })
    .meta({ id: 'TransactionCategory' })
    .nullable(),
  category_source: CategorySource.nullable().meta({
    description: 'Who decided the category; null for nobody. person or agent without a category: deliberately none',
  }),
  provider_category_primary: z.string().nullable().meta({ description: 'Category of the bank or the file, unchanged' }),
  provider_category_detailed: z
    .string()
    .nullable()
    .meta({ description: 'Category of the bank or the file, unchanged' }),
  payment_channel: z.enum(['online', 'in_store', 'other']).meta({ id: 'PaymentChannel' }).nullable(),
  pending: z.boolean().meta({ description: 'The bank has not booked it yet' }),
  series_id: Id.nullable(),
  tags: z.array(Slug).meta({ description: 'Slugs' }),
  metadata: z.record(z.string(), z.unknown()),
  flagged_at: Instant.nullable().meta({ description: 'null if it is not flagged' }),
  excluded_from_totals: z
    .enum(['account_excluded', 'dependent_account'])
    .nullable()
    .meta({ description: 'Why totals leave it out; null if they include it' }),
  import_id: Id.nullable().meta({ description: 'The import that created it' }),
  deleted_at: Instant.nullable().meta({ description: 'null if it is not deleted' }),
  created_at: Instant.meta({ description: 'When Homeledger first stored it' }),
  updated_at: Instant,
};

export const Transaction = z.object(transactionFields).meta({ id: 'Transaction' });

/** The fields that `fields=` requests, or all; always id and short_id. */
export const TransactionSelection = Transaction.partial().required({ id: true, short_id: true }).meta({
  id: 'TransactionSelection',
  description: 'A transaction with the requested fields; without `fields`, all of them',
});

export const exampleTransaction = {
  id: '019a8c60-1f2e-7b4c-8d5e-6f708192a3b4',
  short_id: 'Tx9kLm2P',
  account_id: '019a8c5e-7d10-7a3b-9c41-5f2e8d7b6a90',
  account_name: 'Joint checking',
  connection_id: '019a8c5e-0b11-7c0d-8a52-1d2e3f405162',
  provider: 'plaid',
  user_id: 'Qw3rTy7U',
  attributed_user_id: null,
  date: '2026-04-25',
  authorized_date: '2026-04-24',
  datetime: null,
  amount: '23.40',
  iso_currency_code: 'USD',
  name: 'SQ *CORNER CAFE 0423',
  merchant_name: 'Corner Cafe',
  counterparty_id: null,
  counterparty_short_id: null,
  counterparty_name: 'Corner Cafe',
  counterparty_logo_url: null,
  category_id: '019a8c5d-0001-7000-8000-000000000035',
  category: {
    id: '019a8c5d-0001-7000-8000-000000000035',
    short_id: 'Ca7eg0rY',
    slug: 'food_and_drink_coffee',
    name: 'Coffee Shops',
    parent_id: '019a8c5d-0001-7000-8000-000000000033',
    kind: 'expense',
  },
  category_source: 'rule',
  provider_category_primary: 'FOOD_AND_DRINK',
  provider_category_detailed: 'FOOD_AND_DRINK_COFFEE',
  payment_channel: 'in_store',
  pending: false,
  series_id: null,
  tags: ['needs-review'],
  metadata: {},
  flagged_at: null,
  excluded_from_totals: null,
  import_id: null,
  deleted_at: null,
  created_at: '2026-04-26T06:00:00.000Z',
  updated_at: '2026-04-26T06:00:00.000Z',
};
