import type { BalanceSnapshotsTable, ConnectionsTable, UsersTable } from '../../../db/schema.ts';
import { isCurrencyStated } from '../../../engines/imports/questions/currency.ts';
import type { WriteTx } from '../../../journal/write.ts';
import {
  accounts,
  adoptAccountCurrency,
  followNewest,
  makeCsvAccount,
  makeCsvConnection,
  putSnapshots,
} from '../../accounts/index.ts';
import { adoptCurrency } from '../../config/index.ts';
import { keepReplaced, selectSnapshots } from '../plan/balances.queries.ts';
import type { CreatedIds } from '../plan/describe-plan.ts';
import { bindNumber, type BindingChange } from './learned-settings.ts';
import { senseOf } from '../plan/ledger-proof.ts';
import { accountOfResult, type Plan, type PlannedAccount } from '../plan/plan.ts';
import type { ReadFile } from '../doors/read-file.ts';
import { findConnection, stampCsvConnectionsOf } from '../target/targets.queries.ts';

/** Creates the connection and accounts that a plan needs, and binds account numbers. */
export async function writeTargets(tx: WriteTx, plan: Plan): Promise<CreatedIds> {
  const { target } = plan;
  const connection = target.createsConnection
    ? await createConnection(tx, target.user, target.institutionName)
    : await connectionOf(tx, plan);
  const accountIds = new Map<PlannedAccount, string>();
  const newHomeIds = new Map<PlannedAccount, string>();
  const bindings: BindingChange[] = [];
  for (const account of plan.accounts) {
    const { account: existing, numbers } = account.target;
    const id = existing?.id ?? (await createAccount(tx, account, connection));
    accountIds.set(account, id);
    const newHome = await moveToNewHome(tx, account, newHomeIds);
    if (newHome !== null) newHomeIds.set(account, newHome);
    for (const number of numbers) bindings.push(...(await bindNumber(tx, number, id, addsRows(account))));
  }
  return { connectionId: connection?.id ?? target.connectionId, accountIds, newHomeIds, bindings };
}

function addsRows({ rows }: PlannedAccount): boolean {
  for (const { outcome } of rows) if (outcome === 'added') return true;
  return false;
}

async function connectionOf(tx: WriteTx, { target }: Plan): Promise<ConnectionsTable | null> {
  if (target.connection) return target.connection;
  return target.connectionId === null ? null : ((await findConnection(tx, target.connectionId)) ?? null);
}

/**
 * Moves an account whose connection is disconnected or gone to a csv connection of its owner. Accounts of one
 * institution in the same file move to the same connection.
 */
async function moveToNewHome(
  tx: WriteTx,
  { target: { account, newHome } }: PlannedAccount,
  others: ReadonlyMap<PlannedAccount, string>,
): Promise<string | null> {
  if (!account || !newHome) return null;
  const alike = [...others].find(([other]) => other.target.newHome?.institutionName === newHome.institutionName);
  const connectionId =
    newHome.connectionId ?? alike?.[1] ?? (await createConnection(tx, newHome.user, newHome.institutionName)).id;
  await accounts.change(tx, account, { connection_id: connectionId, provider: 'csv' }, { revertible: false });
  return connectionId;
}

async function createConnection(tx: WriteTx, user: UsersTable, institutionName: string): Promise<ConnectionsTable> {
  return makeCsvConnection(tx, { user, institutionName, lastSyncAt: tx.now }, { revertible: false });
}

async function createAccount(
  tx: WriteTx,
  { target }: PlannedAccount,
  connection: ConnectionsTable | null,
): Promise<string> {
  const { created } = target;
  if (!created) throw new Error('An account that does not exist has to be created.');
  return (await makeCsvAccount(tx, connection, created, { revertible: false })).id;
}

/**
 * Writes the closing balances of a file whose proof is not broken as snapshots (36.6.3), and updates the account's own
 * balance to the newest one (10.2.3). Balances that are already known stay.
 */
export async function writeBalances(tx: WriteTx, plan: Plan, createdIds: CreatedIds, importId: string): Promise<void> {
  if (plan.proof.status === 'broken') return;
  for (const account of plan.accounts) {
    const accountId = createdIds.accountIds.get(account) as string;
    const type = account.target.account?.type ?? account.target.created?.type ?? 'depository';
    const results = plan.proof.results.filter((result) => accountOfResult(plan, result) === account);
    const wanted = new Map<string, BalanceSnapshotsTable>();
    for (const result of results) {
      for (const { date, balance_cents: balance, available_cents: available } of result.closings) {
        const currency = plan.currencyIn(account.target.account, result.iso_currency_code) ?? '';
        wanted.set(`${date}|${currency}`, {
          account_id: accountId,
          date,
          iso_currency_code: currency,
          balance_current_cents: senseOf(type, result) * balance,
          balance_available_cents: available ?? null,
          balance_limit_cents: null,
          source: 'import',
          import_id: importId,
          recorded_at: tx.now,
          pending_cents: null,
        });
      }
    }
    const changed = await unknownOf(tx, accountId, [...wanted.values()]);
    if (changed.length === 0) continue;
    await keepReplaced(tx, importId, changed);
    await putSnapshots(tx, changed);
    await followNewest(tx, accountId);
  }
}

async function unknownOf(
  tx: WriteTx,
  accountId: string,
  wanted: readonly BalanceSnapshotsTable[],
): Promise<BalanceSnapshotsTable[]> {
  const dates = wanted.map(({ date }) => date).sort();
  const [first] = dates;
  const last = dates.at(-1);
  if (first === undefined || last === undefined) return [];
  const known = new Map<string, BalanceSnapshotsTable>();
  for (const row of await selectSnapshots(tx, accountId, first, last)) {
    known.set(`${row.date}|${row.iso_currency_code}`, row);
  }
  return wanted.filter((row) => {
    const one = known.get(`${row.date}|${row.iso_currency_code}`);
    // A balance from the bank replaces one entered by hand, even if both are equal.
    const isSame = one?.balance_current_cents === row.balance_current_cents && one.source !== 'manual';
    return (
      !isSame || (row.balance_available_cents !== null && one.balance_available_cents !== row.balance_available_cents)
    );
  });
}

/** Gives an account without a currency the one that became known for its rows (36.7.1). */
export async function nameCurrencies(tx: WriteTx, plan: Plan): Promise<void> {
  for (const { target, rows } of plan.accounts) {
    const { account, inFile } = target;
    const currency = plan.currencyIn(account, inFile.iso_currency_code);
    if (account === null || account.iso_currency_code !== null || currency === null) continue;
    const isFilled = rows.some((row) => row.reason === 'CURRENCY_FILLED' && row.currency === currency);
    if (isFilled) await adoptAccountCurrency(tx, account, currency);
  }
}

/** The first import with one stated currency makes it the household's (20.13). */
export async function adoptHouseholdCurrency(tx: WriteTx, { analysis }: ReadFile): Promise<void> {
  const { currency } = analysis.detection;
  if (currency.value === null || currency.value === 'per_row' || !isCurrencyStated(currency)) return;
  await adoptCurrency(tx, currency.value);
}

/** The last sync of a csv connection is the end of its last import, even if that changed nothing (36.4). */
export async function stampConnections(tx: WriteTx, createdIds: CreatedIds, finishedAt: string): Promise<void> {
  tx.journal.allowUnjournaled('connection');
  await stampCsvConnectionsOf(tx, [...new Set(createdIds.accountIds.values())], finishedAt);
}
