import { z } from 'zod';

import {
  AnyId,
  Currency,
  DateOnly,
  MoneyInput,
  QueryBoolean,
  clearableText,
  name,
  text,
} from '../../contract/common.ts';
import { defineOperation } from '../../contract/operation.ts';
import { LIMITS } from '../../kernel/limits.ts';
import {
  Account,
  AccountType,
  BalanceSnapshot,
  exampleAccount,
  exampleSnapshot,
  subtype,
} from './accounts.contract.ts';

const write = { group: 'accounts', scope: 'full_access', effect: 'write' } as const;
const example = {
  ...exampleAccount,
  name: 'Wallet',
  display_name: null,
  mask: null,
  provider: 'csv' as const,
  balance_check: null,
};

export const createAccount = defineOperation({
  ...write,
  name: 'createAccount',
  method: 'POST',
  path: '/api/v1/accounts',
  summary: 'Create an account by hand',
  description:
    'For a wallet, a loan, or a bank account whose files you import later. The account gets its own csv connection; ' +
    'files imported under its name go into it.',
  body: z
    .strictObject({
      name: name(),
      iso_currency_code: Currency,
      type: AccountType.default('depository'),
      subtype,
      // What identifies nobody is an INVALID_PARAMETER, even when it is too long to be an id.
      user_id: text(LIMITS.jsonBodyBytes).optional().meta({
        description:
          'Household member who owns the account; required unless the caller is one or the household has only one',
      }),
      display_name: clearableText(LIMITS.nameChars).optional(),
      institution_name: clearableText(LIMITS.nameChars).optional().meta({ description: 'Defaults to `name`' }),
      opening_balance: MoneyInput.optional().meta({ description: 'Balance on opening_date' }),
      opening_date: DateOnly.optional(),
    })
    .refine((body) => (body.opening_balance === undefined) === (body.opening_date === undefined), {
      message: 'send both opening_balance and opening_date, or neither',
      path: ['opening_date'],
    }),
  response: Account,
  status: 201,
  errors: ['VALIDATION_ERROR', 'INVALID_PARAMETER', 'CONFLICT'],
  weight: 'light',
  cli: { command: 'accounts create' },
  example: {
    body: { name: 'Wallet', iso_currency_code: 'USD', opening_balance: '120.00', opening_date: '2026-04-01' },
    response: { ...example, balance_current: '120.00', balance_available: null },
  },
});

export const deleteAccount = defineOperation({
  ...write,
  name: 'deleteAccount',
  method: 'DELETE',
  path: '/api/v1/accounts/{id}',
  summary: 'Delete an account',
  description:
    'Only for accounts kept by hand or by bank files. Its balances are deleted too, and so is its connection if this ' +
    'was the last account there. Reverting the change set restores everything.',
  params: z.object({ id: AnyId }),
  query: z.object({
    delete_transactions: QueryBoolean.default(false).meta({
      description: 'Also delete its transactions; without it, an account that has transactions is not deleted',
    }),
  }),
  response: null,
  status: 204,
  errors: ['NOT_FOUND', 'CONFLICT', 'INVALID_PARAMETER'],
  weight: ({ query }) => (query.delete_transactions ? 'heavy' : 'light'),
  cli: { command: 'accounts delete', confirm: true },
  example: { params: { id: 'aB3dE5fG' }, response: null },
});

const day = { id: AnyId, date: z.string().meta({ description: 'YYYY-MM-DD', example: '2026-04-26' }) };

export const setAccountBalance = defineOperation({
  ...write,
  name: 'setAccountBalance',
  method: 'PUT',
  path: '/api/v1/accounts/{id}/balances/{date}',
  summary: 'Set the balance of an account on a day',
  description:
    'If a bank or a file reported a balance for that day and currency, that balance stays and is returned instead.',
  params: z.object(day),
  body: z.strictObject({
    balance_current: MoneyInput,
    iso_currency_code: Currency.nullable().optional().meta({ description: 'Defaults to the currency of the account' }),
    balance_available: MoneyInput.nullable().optional(),
    balance_limit: MoneyInput.nullable().optional(),
  }),
  response: BalanceSnapshot,
  status: 200,
  errors: ['VALIDATION_ERROR', 'INVALID_PARAMETER', 'NOT_FOUND', 'CONFLICT'],
  weight: 'light',
  cli: { command: 'accounts set-balance' },
  example: {
    params: { id: 'aB3dE5fG', date: '2026-04-26' },
    body: { balance_current: '1520.33', balance_available: '1500.00' },
    response: { ...exampleSnapshot, source: 'manual' },
  },
});

export const deleteAccountBalance = defineOperation({
  ...write,
  name: 'deleteAccountBalance',
  method: 'DELETE',
  path: '/api/v1/accounts/{id}/balances/{date}',
  summary: 'Delete a balance that was set by hand',
  params: z.object(day),
  query: z.object({
    iso_currency_code: Currency.optional().meta({ description: 'Defaults to the currency of the account' }),
  }),
  response: null,
  status: 204,
  errors: ['NOT_FOUND', 'INVALID_PARAMETER'],
  weight: 'light',
  cli: { command: 'accounts delete-balance' },
  example: { params: { id: 'aB3dE5fG', date: '2026-04-26' }, response: null },
});

export const operations = [createAccount, deleteAccount, setAccountBalance, deleteAccountBalance];
