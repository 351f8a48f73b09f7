import { z } from 'zod';

import type { OutputOf } from '../../../contract/operation.ts';
import {
  Account,
  BalanceSnapshot,
  getAccount,
  getAccountBalances,
  listAccounts as operation,
} from '../../accounts/accounts.contract.ts';
import type { ReadContext } from '../../handler.ts';
import { balancesOf } from '../../overview/index.ts';
import { refuseBeside, refuseUnless } from '../parts/argument-pairs.ts';
import { getOverview } from '../../overview/overview.contract.ts';
import { answerOf } from '../results/result-schema.ts';
import { callOperation, pick } from '../call-operation.ts';
import { defineReadTool } from '../tool.ts';
import { textOrList } from '../parts/transaction-filters.ts';

type Full = z.output<typeof Account>;

const SUMMARY = [
  'id',
  'type',
  'subtype',
  'mask',
  'iso_currency_code',
  'balance_current',
  'balance_available',
  'balance_limit',
  'institution_name',
  'provider',
  'connection_status',
  'is_excluded',
  'is_dependent_linked',
] as const;

export const listAccounts = defineReadTool({
  name: 'list_accounts',
  title: 'List accounts',
  description:
    'Accounts with their balances, and totals per currency over those that count. A positive balance of a credit or loan account ' +
    'is owed. user_id is the owner. With account_id: that one in full; with balances also its history, between date_from and ' +
    'date_to.',
  scope: 'read_only',
  weight: 'heavy',
  input: {
    user_id: textOrList,
    connection_id: textOrList,
    include_disconnected: z.boolean().optional(),
    account_id: z.string().optional(),
    balances: z.boolean().default(false),
    date_from: z.string().optional(),
    date_to: z.string().optional(),
  },
  output: {
    accounts: z.array(Account.partial().extend({ balances: z.array(BalanceSnapshot).optional() })),
    totals: answerOf(getOverview).shape.balances,
  },
  operations: ['listAccounts', 'getAccount', 'getAccountBalances'],
  examples: [{ arguments: {}, says: 'Which accounts are there, and what are their balances?' }],
  run: async (context, input) => {
    const { account_id: id, balances: withHistory, date_from, date_to, ...filters } = input;
    refuseBeside('account_id', input, ['user_id', 'connection_id', 'include_disconnected']);
    refuseUnless(withHistory, input, ['date_from', 'date_to'], 'balances');
    refuseUnless(id !== undefined, { balances: withHistory || undefined }, ['balances'], 'account_id');
    if (id === undefined) {
      const all = (await callOperation(context, operation, { query: filters })) as Full[];
      return { accounts: all.map(summaryOf), totals: await totalsOf(context, all) };
    }
    const account = (await callOperation(context, getAccount, { params: { id } })) as Full;
    const totals = await totalsOf(context, [account]);
    if (!withHistory) return { accounts: [account], totals };
    const asked = { params: { id }, query: { date_from, date_to } };
    const { balances }: OutputOf<typeof getAccountBalances> = await callOperation(context, getAccountBalances, asked);
    return { accounts: [{ ...account, balances }], totals };
  },
});

/** The name that people gave it, and the owner of its transactions. */
function summaryOf(account: Full): object {
  const { display_name: label, name, user_id: holder, owner_user_id: owner } = account;
  return { ...pick(account, SUMMARY), name: label ?? name, user_id: owner ?? holder };
}

/** As the overview adds them up (contract 80.2), over those of these accounts that count there. */
async function totalsOf({ tx }: ReadContext, accounts: readonly Full[]): Promise<object[]> {
  const counted = accounts.filter(
    (one) =>
      !one.is_excluded &&
      !one.is_dependent_linked &&
      one.connection_status !== null &&
      one.connection_status !== 'disconnected',
  );
  return balancesOf(tx, { accountIds: counted.map(({ id }) => id) });
}
