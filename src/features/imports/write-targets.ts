import { shortIdFor } from '../../db/short-ids.ts';
import type { AccountsTable, ConnectionsTable, UsersTable } from '../../db/schema.ts';
import type { WriteTx } from '../../journal/write.ts';
import type { Plan, PlannedAccount } from './plan-import.ts';
import type { MadeIds } from './plan-summary.ts';
import { bindNumber, type ExchangedBinding } from './exchange-binding.ts';
import { findConnection, insertAccount, insertConnection, updateAccountRow } from './targets.queries.ts';

/** Creates the connection and accounts that a plan needs, and binds account numbers. Each creation is journaled. */
export async function writeTargets(tx: WriteTx, plan: Plan): Promise<MadeIds> {
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
  const row: ConnectionsTable = {
    id: tx.ids.uuid(),
    short_id: await shortIdFor(tx, 'connections'),
    user_id: user.id,
    provider: 'csv',
    institution_id: null,
    institution_name: institutionName,
    external_id: null,
    status: 'active',
    paused: 0,
    sync_interval_seconds: null,
    last_sync_at: tx.now,
    next_sync_at: null,
    error_code: null,
    error_message: null,
    consecutive_failures: 0,
    consent_expires_at: null,
    credentials: null,
    sync_position: null,
    created_at: tx.now,
    updated_at: tx.now,
  };
  await insertConnection(tx, row);
  tx.journal.record({
    entityType: 'connection',
    entityId: row.id,
    entityShortId: row.short_id,
    operation: 'create',
    before: null,
    after: {
      id: row.id,
      short_id: row.short_id,
      user_id: user.short_id,
      provider: row.provider,
      institution_name: row.institution_name,
      status: row.status,
      created_at: row.created_at,
      updated_at: row.updated_at,
    },
    revertible: false,
  });
  return row;
}

async function createAccount(
  tx: WriteTx,
  { target }: PlannedAccount,
  connection: ConnectionsTable | null,
): Promise<string> {
  const { created } = target;
  if (!created) throw new Error('An account that does not exist must be created.');
  const row: AccountsTable = {
    id: tx.ids.uuid(),
    short_id: await shortIdFor(tx, 'accounts'),
    connection_id: connection?.id ?? null,
    provider: 'csv',
    institution_name: connection?.institution_name ?? null,
    external_id: null,
    persistent_external_id: null,
    name: created.name,
    display_name: null,
    official_name: null,
    type: created.type,
    subtype: created.subtype,
    mask: created.mask,
    iso_currency_code: created.iso_currency_code,
    balance_current_cents: null,
    balance_available_cents: null,
    balance_limit_cents: null,
    balance_date: null,
    balance_updated_at: null,
    is_excluded: 0,
    is_dependent_linked: 0,
    is_dependent_by_hand: 0,
    owner_user_id: null,
    relinked_at: null,
    created_at: tx.now,
    updated_at: tx.now,
    deleted_at: null,
  };
  await insertAccount(tx, row);
  tx.journal.record({
    entityType: 'account',
    entityId: row.id,
    entityShortId: row.short_id,
    operation: 'create',
    before: null,
    after: {
      id: row.id,
      short_id: row.short_id,
      connection_id: row.connection_id,
      provider: row.provider,
      institution_name: row.institution_name,
      name: row.name,
      type: row.type,
      subtype: row.subtype,
      mask: row.mask,
      iso_currency_code: row.iso_currency_code,
      created_at: row.created_at,
      updated_at: row.updated_at,
    },
    revertible: false,
  });
  return row.id;
}
