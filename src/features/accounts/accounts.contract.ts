import { z } from 'zod';

import {
  AnyId,
  ConnectionStatus,
  Currency,
  DateOnly,
  Id,
  Instant,
  Money,
  Provider,
  QueryBoolean,
  ShortId,
  UserRef,
  clearableText,
  name,
  queryList,
  text,
} from '../../contract/common.ts';
import { describedAs } from '../../contract/described-as.ts';
import { defineOperation } from '../../contract/operation.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { Transaction } from '../transactions/transaction-record.contract.ts';

export const BalanceCheck = z
  .object({
    status: z.enum(['agrees', 'differs']),
    date: DateOnly.meta({ description: 'The day whose balance it is' }),
    iso_currency_code: Currency.nullable(),
    difference: Money.optional().meta({ description: 'By how much they differ: the balance minus what the rows make' }),
    source: z.enum(['sync', 'import']),
    sync_log_id: Id.optional().meta({ description: 'The sync that reported the balance' }),
    import_id: Id.optional().meta({ description: 'The import whose file has the balance' }),
  })
  .meta({ id: 'AccountBalanceCheck' });

export const Account = z
  .object({
    id: Id,
    short_id: ShortId,
    name: z.string().meta({ description: 'Name given by the institution' }),
    display_name: z.string().nullable().meta({ description: 'The household’s own label' }),
    official_name: z.string().nullable(),
    type: z.string().meta({ description: 'depository, credit, loan, investment, brokerage, other; more may be added' }),
    subtype: z.string().nullable(),
    mask: z.string().nullable().meta({ description: 'Last characters of the account number' }),
    iso_currency_code: Currency.nullable(),
    balance_current: Money.nullable(),
    balance_available: Money.nullable(),
    balance_limit: Money.nullable(),
    is_excluded: z.boolean().meta({ description: 'Left out of totals' }),
    is_dependent_linked: z.boolean().meta({
      description: 'Its transactions also occur in another account, so totals leave it out',
    }),
    connection_id: Id.nullable(),
    user_id: UserRef.nullable().meta({ description: 'Owner of the connection' }),
    owner_user_id: UserRef.nullable().meta({
      description: 'Owner set on the account itself; null for the owner of the connection',
    }),
    owner_user_name: z.string().nullable().meta({ description: 'Name of the effective owner' }),
    provider: Provider,
    institution_name: z.string().nullable(),
    balance_updated_at: Instant.nullable(),
    connection_status: ConnectionStatus.nullable(),
    balance_check: BalanceCheck.nullable().meta({
      description:
        'Whether the newest balance that a bank or file reported adds up with the rows that it delivered; null if nothing tells',
    }),
    created_at: Instant,
    updated_at: Instant,
  })
  .meta({ id: 'Account' });

/** An account reduced to the requested fields. */
const AccountSelection = Account.partial()
  .required({ id: true, short_id: true })
  .meta({ id: 'AccountSelection', description: 'An account with the requested fields; without `fields`, all of them' });

const FIELD_NAMES = [...new Set(['minimal', 'core', 'timestamps', ...Account.keyof().options])];
const Fields = describedAs(queryList(z.string(), 0), z.array(z.enum(FIELD_NAMES).meta({ id: 'AccountField' }))).meta({
  description: 'Field names, or the aliases minimal, core and timestamps; id and short_id are always included',
});

export const exampleAccount = {
  id: '019a8c5e-7d10-7a3b-9c41-5f2e8d7b6a90',
  short_id: 'aB3dE5fG',
  name: 'CHECKING ...1234',
  display_name: 'Joint checking',
  official_name: null,
  type: 'depository',
  subtype: 'checking',
  mask: '1234',
  iso_currency_code: 'USD',
  balance_current: '1520.33',
  balance_available: '1500.00',
  balance_limit: null,
  is_excluded: false,
  is_dependent_linked: false,
  connection_id: '019a8c5e-0b11-7c0d-8a52-1d2e3f405162',
  user_id: 'Qw3rTy7U',
  owner_user_id: null,
  owner_user_name: 'Alice',
  provider: 'plaid',
  institution_name: 'First Bank',
  balance_updated_at: '2026-04-26T06:00:00.000Z',
  connection_status: 'active',
  balance_check: {
    status: 'agrees' as const,
    date: '2026-04-26',
    iso_currency_code: 'USD',
    source: 'sync' as const,
    sync_log_id: '019a8c5e-2222-7a3b-9c41-5f2e8d7b6a90',
  },
  created_at: '2026-01-02T10:00:00.000Z',
  updated_at: '2026-04-26T06:00:00.000Z',
};
const group = 'accounts';
const params = z.object({ id: AnyId });

export const listAccounts = defineOperation({
  name: 'listAccounts',
  group,
  method: 'GET',
  path: '/api/v1/accounts',
  scope: 'read_only',
  summary: 'List accounts, ordered by institution and name',
  query: z.object({
    user_id: queryList(AnyId).optional().meta({ description: 'Only accounts of these effective owners' }),
    connection_id: queryList(AnyId).optional(),
    include_disconnected: QueryBoolean.default(false).meta({
      description: 'Include accounts whose connection is disconnected or deleted',
    }),
    fields: Fields.optional(),
  }),
  response: z.array(AccountSelection),
  status: 200,
  errors: ['INVALID_PARAMETER'],
  effect: 'read',
  weight: 'light',
  etag: true,
  cli: { command: 'accounts list' },
  example: { query: { include_disconnected: 'true' }, response: [exampleAccount] },
});

export const getAccount = defineOperation({
  name: 'getAccount',
  group,
  method: 'GET',
  path: '/api/v1/accounts/{id}',
  scope: 'read_only',
  summary: 'Get one account, whatever the state of its connection',
  params,
  query: z.object({ fields: Fields.optional() }),
  response: AccountSelection,
  status: 200,
  errors: ['INVALID_PARAMETER', 'NOT_FOUND'],
  effect: 'read',
  weight: 'light',
  etag: true,
  beside: [
    'is_dependent_linked',
    'owner_user_name',
    'user_id',
    'provider',
    'institution_name',
    'connection_status',
    'balance_check',
  ],
  cli: { command: 'accounts get' },
  example: { params: { id: 'aB3dE5fG' }, response: exampleAccount },
});

const Balance = z
  .object({
    iso_currency_code: Currency.nullable(),
    balance_current: Money.nullable(),
    balance_available: Money.nullable(),
    balance_limit: Money.nullable(),
  })
  .meta({ id: 'Balance' });

export const getAccountDetail = defineOperation({
  name: 'getAccountDetail',
  group,
  method: 'GET',
  path: '/api/v1/accounts/{id}/detail',
  scope: 'read_only',
  summary: 'Get one account with its latest balance per currency and its 25 newest transactions',
  params,
  response: Account.extend({
    connection_user_name: z.string().nullable(),
    connection_short_id: ShortId.nullable(),
    balances: z.array(Balance).meta({ description: 'One for each currency reported for the account' }),
    recent_transactions: z.array(Transaction),
  }).meta({ id: 'AccountDetail' }),
  status: 200,
  errors: ['NOT_FOUND'],
  effect: 'read',
  weight: 'light',
  etag: true,
  cli: { command: 'accounts detail' },
  example: {
    params: { id: 'aB3dE5fG' },
    response: {
      ...exampleAccount,
      connection_user_name: 'Alice',
      connection_short_id: 'c0nN3cT1',
      balances: [
        { iso_currency_code: 'USD', balance_current: '1520.33', balance_available: '1500.00', balance_limit: null },
      ],
      recent_transactions: [],
    },
  },
});

/** The balances of a day in one currency. */
export const BalanceSnapshot = z
  .object({
    date: DateOnly,
    ...Balance.shape,
    source: z.enum(['sync', 'import', 'manual']).meta({ description: 'manual: set by hand' }),
    recorded_at: Instant,
  })
  .meta({ id: 'BalanceSnapshot' });

export const exampleSnapshot = {
  date: '2026-04-26',
  iso_currency_code: 'USD',
  balance_current: '1520.33',
  balance_available: '1500.00',
  balance_limit: null,
  source: 'sync' as const,
  recorded_at: '2026-04-26T06:00:00.000Z',
};

export const getAccountBalances = defineOperation({
  name: 'getAccountBalances',
  group,
  method: 'GET',
  path: '/api/v1/accounts/{id}/balances',
  scope: 'read_only',
  summary: 'Get the balance history of an account, with one snapshot per day and currency',
  params,
  query: z.object({
    date_from: DateOnly.optional().meta({ description: 'Inclusive' }),
    date_to: DateOnly.optional().meta({ description: 'Inclusive' }),
  }),
  response: z.object({ account_id: Id, balances: z.array(BalanceSnapshot) }).meta({ id: 'AccountBalances' }),
  status: 200,
  errors: ['INVALID_PARAMETER', 'NOT_FOUND'],
  effect: 'read',
  weight: 'light',
  etag: true,
  cli: { command: 'accounts balances' },
  example: {
    params: { id: 'aB3dE5fG' },
    query: { date_from: '2026-04-01' },
    response: {
      account_id: exampleAccount.id,
      balances: [exampleSnapshot],
    },
  },
});

export const AccountType = name(LIMITS.accountTypeChars).meta({
  description: 'depository, credit, loan, investment, brokerage, other, or a word of your own',
});
export const subtype = clearableText(LIMITS.accountTypeChars)
  .optional()
  .meta({ description: 'Such as checking or mortgage' });
// What identifies nobody is an INVALID_PARAMETER, even when it is too long to be an id.
const member = text(LIMITS.jsonBodyBytes);

export const updateAccount = defineOperation({
  name: 'updateAccount',
  group,
  method: 'PATCH',
  path: '/api/v1/accounts/{id}',
  scope: 'full_access',
  summary: 'Change the label, the owner or other fields of an account',
  description:
    'Name, type, subtype and currency can be changed only on accounts kept by hand or by bank files. A new currency ' +
    'also applies to transactions whose currency was never stated.',
  params,
  body: z.strictObject({
    display_name: clearableText(LIMITS.nameChars).optional(),
    is_excluded: z.boolean().optional(),
    is_dependent_linked: z.boolean().optional(),
    owner_user_id: member
      .nullable()
      .optional()
      .meta({ description: 'Household member; null or "" for the owner of the connection' }),
    name: name().optional(),
    type: AccountType.optional(),
    subtype,
    iso_currency_code: Currency.optional(),
  }),
  response: Account,
  status: 200,
  errors: ['VALIDATION_ERROR', 'INVALID_PARAMETER', 'NOT_FOUND'],
  effect: 'write',
  weight: ({ body }) => (body.iso_currency_code === undefined ? 'light' : 'heavy'),
  cli: { command: 'accounts update' },
  example: {
    params: { id: 'aB3dE5fG' },
    body: { display_name: 'Household' },
    response: { ...exampleAccount, display_name: 'Household', updated_at: '2026-04-27T08:00:00.000Z' },
  },
});

export const operations = [listAccounts, getAccount, getAccountDetail, getAccountBalances, updateAccount];
