import { generateHousehold, type HouseholdTransaction } from '../household.ts';
import { householdWorld, type BankAccount } from '../providers/household-banks.ts';
import type { TellerTransaction } from './records.ts';
import { makeEnrollment, newTransactionId, type AccountToMake, type TellerWorld } from './world.ts';

export const TELLER_WORLDS = ['empty', 'household', 'large'] as const;

const LARGE_ROWS = 100_000;
/** Words of Teller for those that the household's own bank uses. */
const CATEGORY_OF: Readonly<Record<string, string>> = {
  FOOD_AND_DRINK: 'dining',
  ENTERTAINMENT: 'entertainment',
  GENERAL_MERCHANDISE: 'shopping',
  HOME_IMPROVEMENT: 'home',
  MEDICAL: 'health',
  GENERAL_SERVICES: 'service',
  TRANSPORTATION: 'transportation',
  TRAVEL: 'transport',
  RENT_AND_UTILITIES: 'utilities',
  INCOME: 'income',
  LOAN_PAYMENTS: 'loan',
};

/** Fills an empty world with a ready-made one (contract 35.9.3). Its enrollments wait to be linked. */
export function fillTellerWorld(world: TellerWorld, name: (typeof TELLER_WORLDS)[number]): void {
  if (name === 'household') {
    for (const bank of householdWorld(world.seed, world.clock.today()).banks) {
      const institution = { id: slugOf(bank.institution_name), name: bank.institution_name };
      fill(world, { institution, accounts: bank.accounts });
    }
  }
  if (name === 'large') fillLarge(world);
}

/** One account with every row the household can have in two years. */
function fillLarge(world: TellerWorld): void {
  const made = generateHousehold({ seed: world.seed, transactions: LARGE_ROWS, until: world.clock.today(), years: 2 });
  const [first] = made.accounts;
  if (!first) return;
  const rows = [...made.transactions()];
  const account: BankAccount = { ...first, type: 'depository', iso_currency_code: 'USD', rows };
  fill(world, { institution: { id: 'large_bank', name: 'Large Bank' }, accounts: [account] });
}

function fill(
  world: TellerWorld,
  bank: { institution: { id: string; name: string }; accounts: readonly BankAccount[] },
): void {
  const enrollment = makeEnrollment(world, { ...bank, accounts: bank.accounts.map(tellerAccount) });
  const rows = bank.accounts.flatMap(({ type, rows }, index) =>
    rows.map((row) => ({ row, type, accountId: enrollment.accounts[index]?.id ?? '' })),
  );
  rows.sort((a, b) => (a.row.date < b.row.date ? -1 : Number(a.row.date > b.row.date)));
  for (const { row, type, accountId } of rows) {
    const id = newTransactionId(world);
    enrollment.transactions.set(id, tellerTransaction(row, { id, account_id: accountId, type }));
  }
}

type TellerAccountFacts = Pick<
  BankAccount,
  'name' | 'subtype' | 'mask' | 'balance_current_cents' | 'balance_available_cents'
> & { type: string; iso_currency_code: string };

/** An account of the household as Teller reports it. */
export function tellerAccount(account: TellerAccountFacts): AccountToMake {
  const { name, type, subtype, mask, iso_currency_code: currency } = account;
  return {
    type,
    subtype: subtype.replace(' ', '_'),
    status: 'open',
    currency,
    last_four: mask,
    name,
    balances: { ledger: decimal(account.balance_current_cents), available: decimal(account.balance_available_cents) },
    links: ['balances', 'transactions'],
  };
}

/** A row of the household as Teller reports it: of depository accounts, money out is negative. */
export function tellerTransaction(
  row: HouseholdTransaction,
  { type, ...ids }: { id: string; account_id: string; type: string },
): TellerTransaction {
  const cents = type === 'credit' ? row.amount_cents : -row.amount_cents;
  const category = row.provider_category_primary;
  return {
    ...ids,
    amount: decimal(cents) ?? '0.00',
    date: row.date,
    description: row.name,
    status: row.pending ? 'pending' : 'posted',
    type: row.payment_channel === 'in_store' ? 'card_payment' : 'ach',
    running_balance: row.pending ? null : '1000.00',
    details: {
      processing_status: 'complete',
      category: category === null ? null : (CATEGORY_OF[category] ?? lowered(category)),
      counterparty: { name: row.merchant_name, type: row.merchant_name === null ? null : 'organization' },
    },
  };
}

/** Words that Teller's own accounts of the household have already. */
function lowered(category: string): string {
  return category === category.toLowerCase() ? category : 'general';
}

function decimal(cents: number | null): string | null {
  return cents === null ? null : (cents / 100).toFixed(2);
}

function slugOf(name: string): string {
  return name.toLowerCase().replaceAll(/\W+/g, '_');
}
