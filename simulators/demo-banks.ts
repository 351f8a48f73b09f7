import { addDays } from '../src/kernel/dates.ts';
import type { Household, HouseholdTransaction } from './household.ts';
import { startPlaidSimulator } from './plaid.ts';
import type { PlaidControl } from './plaid/control.ts';
import { plaidAccount, plaidFacts } from './plaid/ready-made.ts';
import { householdWorld, type BankAccount } from './providers/household-banks.ts';
import { startTellerSimulator } from './teller.ts';
import { tellerAccount, tellerTransaction } from './teller/ready-made.ts';
import { demoId } from './write-household/accounts.ts';

/** The banks of a demo: simulators on loopback that know the household's own banks, and others to be linked. */
export interface DemoBanks {
  /** What a server needs in its environment to use them. */
  environment: Readonly<Record<string, string>>;
  /** Pages on which a person can make things happen at the banks of a provider. */
  pages: readonly { provider: string; address: string }[];
  /** The same household; the banks remember its rows while they are read. */
  watch(household: Household): Household;
  /** Banks that nobody has linked yet, once the others are open: one behind each provider. */
  addBanksToLink(): void;
  /** Opens the banks, once the household is written. `toldAt`: the server's address, which gets their webhooks. */
  open(toldAt: string): DemoAccess[];
  /** The banks behind Plaid, to have something happen there. */
  plaid: PlaidControl;
  /** The household's newest rows, once it is written. */
  rows(): readonly HouseholdTransaction[];
  close(): Promise<void>;
}

/** How the household's connections reach their banks. */
export interface DemoAccess {
  itemId: string;
  accessToken: string;
}

const DAYS_AT_PROVIDERS = 730;
/** A demo may have millions of transactions; banks that forget the oldest are as good. */
const ROWS_KEPT = 20_000;
const SECRETS = ['whsec_sim_current', 'whsec_sim_previous'];

type Simulators = Record<'plaid', Awaited<ReturnType<typeof startPlaidSimulator>>> &
  Record<'teller', Awaited<ReturnType<typeof startTellerSimulator>>>;

export async function startDemoBanks(seed: number): Promise<DemoBanks> {
  const [plaid, teller] = await Promise.all([startPlaidSimulator(), startTellerSimulator()]);
  const simulators = { plaid, teller };
  let watched: { household: Household; rows: HouseholdTransaction[] } | undefined;
  return {
    environment: {
      PLAID_CLIENT_ID: 'demo',
      PLAID_SECRET: 'demo',
      PLAID_BASE_URL: plaid.url,
      PLAID_LINK_SCRIPT_URL: plaid.linkScriptUrl,
      TELLER_APPLICATION_ID: 'demo',
      TELLER_BASE_URL: teller.url,
      TELLER_CONNECT_SCRIPT_URL: teller.connectScriptUrl,
      TELLER_WEBHOOK_SECRET: SECRETS.join(','),
    },
    pages: [
      { provider: 'Plaid', address: `${plaid.url}/_control` },
      { provider: 'Teller', address: `${teller.url}/_control` },
    ],
    watch(household) {
      const rows: HouseholdTransaction[] = [];
      watched = { household, rows };
      return { ...household, transactions: () => remembered(household.transactions(), rows) };
    },
    open(toldAt) {
      plaid.control.reset({ seed, webhook_url: `${toldAt}/webhooks/plaid` });
      teller.control.reset({ seed, webhook_url: `${toldAt}/webhooks/teller`, webhook_secrets: SECRETS });
      if (!watched) throw new Error('The banks of a demo open after the household is written.');
      const since = addDays(lastDay(watched), 1 - DAYS_AT_PROVIDERS);
      return openHouseholdBanks(simulators, watched.household, watched.rows, since);
    },
    addBanksToLink() {
      if (watched) addBanksToLink(simulators, seed, lastDay(watched));
    },
    plaid: plaid.control,
    rows: () => watched?.rows ?? [],
    async close() {
      await plaid.close();
      await teller.close();
    },
  };
}

function lastDay({ household, rows }: { household: Household; rows: readonly HouseholdTransaction[] }): string {
  return rows.at(-1)?.date ?? household.since;
}

function* remembered(
  all: Iterable<HouseholdTransaction>,
  rows: HouseholdTransaction[],
): Generator<HouseholdTransaction, void> {
  for (const row of all) {
    rows.push(row);
    if (rows.length > 2 * ROWS_KEPT) rows.splice(0, ROWS_KEPT);
    yield row;
  }
}

/** The banks of the household's connections, with the accounts and rows that the ledger knows under the same ids. */
function openHouseholdBanks(
  { plaid, teller }: Simulators,
  household: Household,
  rows: readonly HouseholdTransaction[],
  since: string,
): DemoAccess[] {
  const reported = rows.filter(({ date }) => date >= since);
  return household.connections.flatMap(({ key, provider, institution_name: name }): DemoAccess[] => {
    const accounts = household.accounts.filter(({ connection }) => connection === key);
    const types = new Map(accounts.map(({ key, type }) => [key, type]));
    const own = reported.filter(({ account }) => types.has(account));
    const itemId = demoId(key);
    const access = { itemId, accessToken: `access-${itemId}` };
    const bank = { access_token: access.accessToken, linked: true };
    if (provider === 'plaid') {
      const institution = { institution_id: `ins_${key}`, institution_name: name };
      const listed = accounts.map((account) => ({ ...plaidAccount(account), account_id: demoId(account.key) }));
      plaid.control.addItem({ ...bank, ...institution, item_id: itemId, accounts: listed });
      const added = own.map((row) => plaidFacts(row, row.external_id, demoId(row.account)));
      plaid.control.changeTransactions(itemId, { added });
    }
    if (provider === 'teller') {
      const listed = accounts.map((account) => ({ ...tellerAccount(account), id: demoId(account.key) }));
      const put = own.map((row) => {
        const type = types.get(row.account) ?? '';
        return tellerTransaction(row, { id: row.external_id, account_id: demoId(row.account), type });
      });
      teller.control.addEnrollment({
        ...bank,
        institution: { id: key, name },
        enrollment_id: itemId,
        accounts: listed,
      });
      teller.control.changeTransactions(itemId, { put });
    }
    return provider === 'csv' ? [] : [access];
  });
}

/** Banks that nobody has linked yet: one behind each provider, with two years of somebody's life. */
function addBanksToLink({ plaid, teller }: Simulators, seed: number, until: string): void {
  const [platypus, security] = householdWorld(seed + 1, until).banks;
  if (!platypus || !security) return;
  const item = plaid.control.addItem({
    institution_id: 'ins_109508',
    institution_name: 'First Platypus Bank',
    accounts: platypus.accounts.map((account) => plaidAccount(renamed(account, 'Platypus'))),
  });
  plaid.control.changeTransactions(item.item_id, {
    added: platypus.accounts.flatMap(({ rows }, index) =>
      rows.map((row) => {
        const { transaction_id: _own, ...facts } = plaidFacts(row, '', item.accounts[index]?.account_id ?? '');
        return facts;
      }),
    ),
  });
  const enrollment = teller.control.addEnrollment({
    accounts: security.accounts.map((account) => tellerAccount(renamed(account, 'Security'))),
  });
  teller.control.changeTransactions(enrollment.enrollment_id, {
    put: security.accounts.flatMap(({ rows, type }, index) =>
      rows.map((row) => {
        const account_id = enrollment.accounts[index]?.id ?? '';
        const { id: _own, ...rest } = tellerTransaction(row, { id: '', account_id, type });
        return rest;
      }),
    ),
  });
}

/** Not to be taken for an account that the household has already. */
function renamed(account: BankAccount, bank: string): BankAccount {
  const mask = String(Number(account.mask) + 111).padStart(4, '0');
  return { ...account, mask, name: `${bank} ${account.subtype}`, official_name: null };
}
