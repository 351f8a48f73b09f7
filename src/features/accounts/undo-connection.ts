import type { ConnectionsTable } from '../../db/schema.ts';
import { undoRows } from '../../journal/undo-rows.ts';
import { findUser } from '../users/index.ts';
import { hasAccounts, releaseImports, returnImports } from './csv-accounts.queries.ts';

/** A connection as the journal keeps it. */
export function toConnectionFields(row: ConnectionsTable, userShortId: string): Record<string, unknown> {
  return {
    id: row.id,
    short_id: row.short_id,
    user_id: userShortId,
    provider: row.provider,
    institution_name: row.institution_name,
    status: row.status,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}

/** What the journal of a connection does not tell; one of files holds no secrets. */
export const HIDDEN_COLUMNS = [
  'institution_id',
  'external_id',
  'paused',
  'sync_interval_seconds',
  'last_sync_at',
  'next_sync_at',
  'error_code',
  'error_message',
  'consecutive_failures',
  'consent_expires_at',
  'sync_position',
] as const satisfies readonly (keyof ConnectionsTable)[];

/** How the csv connection of an account that was made or deleted by hand goes and comes back with it. */
export const undo = undoRows({
  entityType: 'connection',
  table: 'connections',
  async toFields(row, tx) {
    const connection = row as unknown as ConnectionsTable;
    return toConnectionFields(connection, (await findUser(tx, connection.user_id))?.short_id ?? '');
  },
  async toColumns(tx, { user_id: user, ...plain }) {
    const userId = typeof user === 'string' ? (await findUser(tx, user))?.id : undefined;
    return { ...(plain as Partial<ConnectionsTable>), ...(userId === undefined ? {} : { user_id: userId }) };
  },
  hidden: HIDDEN_COLUMNS,
  unique: ['short_id'],
  references: ({ user_id: id }) =>
    typeof id === 'string' ? [{ field: 'user_id', table: 'users', column: 'short_id', id }] : [],
  isUsed: hasAccounts,
  removeBelongings: async (tx, id) => ({ imports: await releaseImports(tx, id) }),
  async restoreBelongings(tx, { entityId, internal }) {
    await returnImports(tx, entityId, (internal['imports'] as readonly string[] | undefined) ?? []);
  },
});
