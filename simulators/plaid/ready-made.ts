import { generateHousehold, type HouseholdTransaction } from '../household.ts';
import { householdWorld, type BankAccount } from '../providers/household-banks.ts';
import { handOver } from './link-window.ts';
import type { PlaidFacts, PlaidItem } from './records.ts';
import { inTaxonomy, type Taxonomy } from './taxonomy.ts';
import { applyChange } from './transaction-pages.ts';
import { makeItem, newTransactionId, type PlaidWorld } from './world.ts';

export const PLAID_WORLDS = ['empty', 'household', 'large'] as const;

const LARGE_ROWS = 100_000;
const HEALTHY = {
  transactions_update_status: 'HISTORICAL_UPDATE_COMPLETE',
  consent_expiration_time: null,
  webhook: '',
} as const;

/** Fills an empty world with a ready-made one (contract 35.9.3). Its items wait to be linked. */
export function fillPlaidWorld(world: PlaidWorld, name: (typeof PLAID_WORLDS)[number]): void {
  if (name === 'household') {
    for (const bank of householdWorld(world.seed, world.clock.today()).banks) {
      const item = makeItem(world, { ...bank, ...HEALTHY, accounts: bank.accounts.map(plaidAccount) });
      const rows = bank.accounts.flatMap((account, index) =>
        account.rows.map((row) => ({ row, accountId: item.accounts[index]?.account_id ?? '' })),
      );
      rows.sort((a, b) => (a.row.date < b.row.date ? -1 : Number(a.row.date > b.row.date)));
      fill(world, item, rows);
    }
  }
  if (name === 'large') fillLarge(world);
}

/** One account of every row the household can have in two years. */
function fillLarge(world: PlaidWorld): void {
  const made = generateHousehold({ seed: world.seed, transactions: LARGE_ROWS, until: world.clock.today(), years: 2 });
  const bank = { institution_id: 'ins_127003', institution_name: 'Large Bank' };
  const accounts = made.accounts.map((account) => plaidAccount(account));
  const item = makeItem(world, { ...bank, ...HEALTHY, accounts });
  const ids = new Map(made.accounts.map(({ key }, index) => [key, item.accounts[index]?.account_id ?? '']));
  fill(
    world,
    item,
    Array.from(made.transactions(), (row) => ({ row, accountId: ids.get(row.account) ?? '' })),
  );
}

function fill(
  world: PlaidWorld,
  item: PlaidItem,
  rows: Iterable<{ row: HouseholdTransaction; accountId: string }>,
): void {
  const put = Array.from(rows, ({ row, accountId }) =>
    plaidFacts(row, newTransactionId(world), accountId, world.taxonomy),
  );
  applyChange(item, { put, removed: [] });
  handOver(world, item);
}

type AccountLike = Pick<
  BankAccount,
  | 'name'
  | 'official_name'
  | 'mask'
  | 'subtype'
  | 'balance_current_cents'
  | 'balance_available_cents'
  | 'balance_limit_cents'
> & { type: string; iso_currency_code: string };

/** An account of the household as Plaid reports it. */
export function plaidAccount(account: AccountLike): Parameters<typeof makeItem>[1]['accounts'][number] {
  const { name, official_name, mask, type, subtype } = account;
  return {
    name,
    official_name,
    mask,
    type,
    subtype,
    balances: {
      available: inUnits(account.balance_available_cents),
      current: inUnits(account.balance_current_cents),
      limit: inUnits(account.balance_limit_cents),
      iso_currency_code: account.iso_currency_code,
      unofficial_currency_code: null,
    },
  };
}

/** A row of the household as Plaid reports it. */
export function plaidFacts(
  row: HouseholdTransaction,
  transactionId: string,
  accountId: string,
  taxonomy: Taxonomy = 'v1',
): PlaidFacts {
  const { date, authorized_date, name, merchant_name, pending } = row;
  const primary = row.provider_category_primary;
  const hasCategory = primary !== null && primary === primary.toUpperCase();
  return {
    transaction_id: transactionId,
    account_id: accountId,
    amount: row.amount_cents / 100,
    iso_currency_code: row.iso_currency_code,
    date,
    authorized_date,
    name,
    merchant_name,
    pending,
    payment_channel: row.payment_channel === 'in_store' ? 'in store' : (row.payment_channel ?? 'other'),
    personal_finance_category: hasCategory
      ? { ...inTaxonomy({ primary, detailed: row.provider_category_detailed }, taxonomy), confidence_level: 'HIGH' }
      : null,
  };
}

function inUnits(cents: number | null): number | null {
  return cents === null ? null : cents / 100;
}
