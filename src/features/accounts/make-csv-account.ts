import { shortIdFor } from '../../db/short-ids.ts';
import type { AccountsTable, ConnectionsTable, UsersTable } from '../../db/schema.ts';
import type { WriteTx } from '../../journal/write.ts';
import { connections } from '../connections/index.ts';
import { toAccountFields } from './accounts.table.ts';
import { insertAccount } from './csv-accounts.queries.ts';

/** Whether taking the write back removes what it made: by hand it does, an import's stays (contract 36.11). */
interface Making {
  revertible: boolean;
}

/** Makes a connection for accounts that are fed by files or by hand (contract 36.4), and records it. */
export async function makeCsvConnection(
  tx: WriteTx,
  {
    user,
    institutionName,
    lastSyncAt,
  }: { user: Pick<UsersTable, 'id' | 'short_id'>; institutionName: string; lastSyncAt: string | null },
  { revertible }: Making,
): Promise<ConnectionsTable> {
  const row = {
    user_id: user.id,
    provider: 'csv',
    institution_id: null,
    institution_name: institutionName,
    external_id: null,
    status: 'active',
    paused: 0 as const,
    sync_interval_seconds: null,
    last_sync_at: lastSyncAt,
    next_sync_at: null,
    error_code: null,
    error_message: null,
    consecutive_failures: 0,
    consent_expires_at: null,
    credentials: null,
    sync_position: null,
  };
  return connections.create(tx, row, { revertible });
}

/** What a new account is. */
export type NewCsvAccount = Pick<AccountsTable, 'name' | 'type' | 'subtype' | 'iso_currency_code' | 'mask'> &
  Partial<Pick<AccountsTable, 'display_name'>>;

/** Makes an account in a csv connection, and records it. `balances`: what is stated of it from the start. */
export async function makeCsvAccount(
  tx: WriteTx,
  connection: Pick<ConnectionsTable, 'id' | 'institution_name'> | null,
  account: NewCsvAccount,
  { revertible, balances = {} }: Making & { balances?: Readonly<Record<string, unknown>> },
): Promise<AccountsTable> {
  const row: AccountsTable = {
    id: tx.ids.uuid(),
    short_id: await shortIdFor(tx, 'accounts'),
    connection_id: connection?.id ?? null,
    provider: 'csv',
    institution_name: connection?.institution_name ?? null,
    external_id: null,
    persistent_external_id: null,
    display_name: null,
    official_name: null,
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
    ...account,
  };
  await insertAccount(tx, row);
  tx.journal.record({
    entityType: 'account',
    entityId: row.id,
    entityShortId: row.short_id,
    operation: 'create',
    before: null,
    after: { ...toAccountFields(row, null), ...balances },
    revertible,
  });
  return row;
}
