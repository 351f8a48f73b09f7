import { addDays } from '../../src/kernel/dates.ts';
import { generateHousehold, type HouseholdAccount, type HouseholdTransaction } from '../household.ts';

/** A bank of a made-up household, before a provider puts it into its own words. */
export interface HouseholdBank {
  institution_id: string;
  institution_name: string;
  accounts: readonly BankAccount[];
}

export interface BankAccount extends Pick<
  HouseholdAccount,
  | 'key'
  | 'name'
  | 'official_name'
  | 'subtype'
  | 'mask'
  | 'balance_current_cents'
  | 'balance_available_cents'
  | 'balance_limit_cents'
> {
  type: 'depository' | 'credit';
  iso_currency_code: 'USD';
  /** Oldest first. */
  rows: HouseholdTransaction[];
}

/** Providers give no more (contract 35.1). */
const DAYS_AT_PROVIDERS = 730;
const YEARS = 3;
/** About a hundred a month in the five accounts; the generator spreads rows over all six of the household. */
const ROWS = 4_000;

const HARBOR = { institution_id: 'ins_127001', institution_name: 'First Harbor Bank' };
const CASCADE = { institution_id: 'ins_127002', institution_name: 'Cascade Credit Union' };
/** The accounts that both providers know types for; the household's loan is left out. */
const BANK_OF: Readonly<Record<string, typeof HARBOR>> = {
  'joint-checking': HARBOR,
  'credit-card': HARBOR,
  savings: HARBOR,
  'berlin-checking': CASCADE,
  'pocket-money': CASCADE,
};

export interface HouseholdWorld {
  /** Two banks with five accounts and the last 24 months. */
  banks: HouseholdBank[];
  /** What the household downloaded from two of the accounts over 36 months. */
  files: BankFile[];
}

export interface BankFile {
  name: string;
  /** The account that it belongs to, which the file itself does not say. */
  mask: string;
  text: string;
}

/** The household that the ready-made world `household` is about: the same for the same seed and day. */
export function householdWorld(seed: number, until: string): HouseholdWorld {
  const household = generateHousehold({ seed, transactions: ROWS, until, years: YEARS });
  const rows = Map.groupBy(household.transactions(), ({ account }) => account);
  const accounts = household.accounts.flatMap(({ type, ...account }): BankAccount[] =>
    type === 'loan' || !BANK_OF[account.key]
      ? []
      : [{ ...account, type, iso_currency_code: 'USD', rows: rows.get(account.key) ?? [] }],
  );
  const since = addDays(until, 1 - DAYS_AT_PROVIDERS);
  const banks = [HARBOR, CASCADE].map((bank) => ({
    ...bank,
    accounts: accounts
      .filter(({ key }) => BANK_OF[key] === bank)
      .map((account) => ({ ...account, rows: account.rows.filter(({ date }) => date >= since) })),
  }));
  const filed = accounts.filter(({ key }) => key === 'joint-checking' || key === 'credit-card');
  return { banks, files: filed.map(fileOf) };
}

/** A bank's own export: dates of purchase instead of booking, other texts, no number of the account, no currency. */
function fileOf({ key, mask, rows }: BankAccount): BankFile {
  const lines = rows
    .filter(({ pending }) => !pending)
    .map(({ date, authorized_date, name, amount_cents: cents }) => {
      const [year, month, day] = (authorized_date ?? date).split('-');
      return `${month}/${day}/${year},"${fileText(name)}",${(-cents / 100).toFixed(2)}`;
    });
  return {
    name: `${key}.csv`,
    mask,
    text: `${['Transaction Date,Description,Amount', ...lines.toReversed()].join('\n')}\n`,
  };
}

const TEXT_CHARS = 32;

/** The bank's website shortens what its data feed gives in full, and says how a card was used. */
function fileText(name: string): string {
  return `POS PURCHASE ${name.toUpperCase().replaceAll('"', "'")}`.slice(0, TEXT_CHARS).trimEnd();
}
