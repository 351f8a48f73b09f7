import type { ConnectionsTable, UsersTable } from '../../db/schema.ts';
import type { WriteTx } from '../../journal/write.ts';
import { makeCsvAccount, makeCsvConnection, updateAccountRow } from '../accounts/index.ts';
import type { CreatedIds } from './describe-plan.ts';
import { bindNumber, type ExchangedBinding } from './exchange-binding.ts';
import type { Plan, PlannedAccount } from './plan.ts';
import { findConnection } from './targets.queries.ts';

/** Creates the connection and accounts that a plan needs, and binds account numbers. Each creation is journaled. */
export async function writeTargets(tx: WriteTx, plan: Plan): Promise<CreatedIds> {
  const { target } = plan;
  const connection = target.createsConnection
    ? await createConnection(tx, target.user, target.institutionName)
    : await connectionOf(tx, plan);
  const accountIds = new Map<PlannedAccount, string>();
  const homeIds = new Map<PlannedAccount, string>();
  const bindings: ExchangedBinding[] = [];
  for (const account of plan.accounts) {
    const { account: existing, numberHashes } = account.target;
    const id = existing?.id ?? (await createAccount(tx, account, connection));
    accountIds.set(account, id);
    const home = await moveHome(tx, account, homeIds);
    if (home !== null) homeIds.set(account, home);
    for (const hash of numberHashes) bindings.push(...(await bindNumber(tx, hash, id)));
  }
  return { connectionId: connection?.id ?? target.connectionId, accountIds, homeIds, bindings };
}

async function connectionOf(tx: WriteTx, { target }: Plan): Promise<ConnectionsTable | null> {
  if (target.connection) return target.connection;
  return target.connectionId === null ? null : ((await findConnection(tx, target.connectionId)) ?? null);
}

/**
 * An account whose connection is disconnected or gone moves to a csv connection of its owner, which files feed.
 * Accounts of one institution that come together move together.
 */
async function moveHome(
  tx: WriteTx,
  { target: { account, home } }: PlannedAccount,
  others: ReadonlyMap<PlannedAccount, string>,
): Promise<string | null> {
  if (!account || !home) return null;
  const alike = [...others].find(([other]) => other.target.home?.institutionName === home.institutionName);
  const connectionId =
    home.connectionId ?? alike?.[1] ?? (await createConnection(tx, home.user, home.institutionName)).id;
  await updateAccountRow(tx, account.id, { connection_id: connectionId, provider: 'csv', updated_at: tx.now });
  tx.journal.record({
    entityType: 'account',
    entityId: account.id,
    entityShortId: account.short_id,
    operation: 'update',
    before: { connection_id: account.connection_id, provider: account.provider },
    after: { connection_id: connectionId, provider: 'csv' },
    revertible: false,
  });
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
  if (!created) throw new Error('An account that does not exist must be created.');
  return (await makeCsvAccount(tx, connection, created, { revertible: false })).id;
}
