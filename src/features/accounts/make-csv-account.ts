import type { AccountsTable, ConnectionsTable, UsersTable } from '../../db/schema.ts';
import type { WriteTx } from '../../journal/write.ts';
import { connections } from '../connections/index.ts';
import { accounts } from './accounts.entity.ts';

/** Whether a revert removes it: what was created by hand, not what an import created (contract 36.11). */
interface Making {
  revertible: boolean;
}

/** Creates a connection for accounts that are fed by files or by hand (contract 36.4). */
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

type NewCsvAccount = Pick<AccountsTable, 'name' | 'type' | 'subtype' | 'iso_currency_code' | 'mask'> &
  Partial<Pick<AccountsTable, 'display_name'>>;

/** Creates an account in a csv connection. `balances`: fields of the balances that are stated with it. */
export async function makeCsvAccount(
  tx: WriteTx,
  connection: Pick<ConnectionsTable, 'id' | 'institution_name'> | null,
  account: NewCsvAccount,
  { revertible, balances = {} }: Making & { balances?: Readonly<Record<string, unknown>> },
): Promise<AccountsTable> {
  const row = {
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
    is_excluded: 0 as const,
    is_dependent_linked: 0 as const,
    is_dependent_by_hand: 0 as const,
    owner_user_id: null,
    relinked_at: null,
    deleted_at: null,
    ...account,
  };
  return accounts.create(tx, row, { revertible, fields: { after: balances } });
}
