import { z } from 'zod';

import type { PlaidFacts } from './records.ts';

/** What Plaid sends with every transaction besides its facts; the fields after `pending` are read by nobody (35.2). */
const TRANSACTION = {
  amount: 10,
  iso_currency_code: 'USD',
  unofficial_currency_code: null,
  authorized_date: null,
  datetime: null,
  authorized_datetime: null,
  name: 'A purchase',
  merchant_name: null,
  payment_channel: 'other',
  pending: false,
  pending_transaction_id: null,
  personal_finance_category: null,
  personal_finance_category_icon_url: 'https://plaid-category-icons.plaid.com/PFC_OTHER.png',
  account_owner: null,
  category: null,
  category_id: null,
  check_number: null,
  counterparties: [],
  location: {},
  logo_url: null,
  website: null,
  merchant_entity_id: null,
  original_description: null,
  payment_meta: {},
  transaction_code: null,
  transaction_type: 'place',
} as const;

/** A transaction as answers have it. */
export function fillTransaction(facts: PlaidFacts): PlaidFacts {
  return { ...TRANSACTION, ...facts };
}

/** The facts of a transaction of which only some are told. */
export function factsOf(
  told: Readonly<Record<string, unknown>>,
  otherwise: { transaction_id: string; account_id: string; date: string; iso_currency_code: string | null },
): PlaidFacts {
  const { amount, name, pending } = TRANSACTION;
  return { amount, name, pending, ...otherwise, ...told };
}

const nullableText = z.string().nullable();
const nullableNumber = z.number().nullable();

/** An account with only some of its fields given. */
export const AccountSchema = z.strictObject({
  account_id: z.string().optional(),
  name: z.string().default('Plaid Checking'),
  official_name: nullableText.default('Plaid Gold Standard 0% Interest Checking'),
  mask: nullableText.default('0000'),
  type: z.string().default('depository'),
  subtype: nullableText.default('checking'),
  persistent_account_id: z.string().optional(),
  balances: z
    .strictObject({
      available: nullableNumber.default(100),
      current: nullableNumber.default(110),
      limit: nullableNumber.default(null),
      iso_currency_code: nullableText.default('USD'),
      unofficial_currency_code: nullableText.default(null),
    })
    .prefault({}),
});

const SAVINGS = { name: 'Plaid Saving', official_name: null, mask: '1111', subtype: 'savings' };

/** What a bank has unless told: a checking and a savings account. */
export function defaultAccounts(): z.output<typeof AccountSchema>[] {
  return [{}, { ...SAVINGS, balances: { available: 200, current: 210 } }].map((told) => AccountSchema.parse(told));
}
