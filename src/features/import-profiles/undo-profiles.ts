import type { ImportProfilesTable } from '../../db/schema.ts';
import { undoRows } from '../../journal/undo-rows.ts';
import { findProfile, findProfileOf } from './import-profiles.queries.ts';
import { toProfileFields } from './import-profiles.table.ts';

/** How profiles that people saved or deleted are taken back; what imports remember, `exchangeProfile` does. */
export const undo = undoRows({
  entityType: 'import_profile',
  table: 'import_profiles',
  toFields: (row) => toProfileFields(row as unknown as ImportProfilesTable),
  toColumns: async (_tx, { headers, settings, ...plain }) => ({
    ...(plain as Partial<ImportProfilesTable>),
    ...(headers === undefined ? {} : { headers: JSON.stringify(headers) }),
    ...(settings === undefined ? {} : { settings: JSON.stringify(settings) }),
  }),
  unique: ['slug', 'short_id'],
  references: ({ account_id: id }) =>
    typeof id === 'string' ? [{ field: 'account_id', table: 'accounts', id, nullWhileStanding: 'deleted_at' }] : [],
  isUsed: async () => false,
  async findObstacle(tx, id, fields) {
    const current = await findProfile(tx, id);
    const { header_signature: signature, account_id: accountId } = { ...current, ...fields } as ImportProfilesTable;
    const twin = signature === null ? undefined : await findProfileOf(tx, signature, accountId);
    if (!twin || twin.id === id) return null;
    return {
      reason: 'exists',
      fields: ['header_signature', 'account_id'],
      message: `The profile ${twin.slug} is now for the same header and account.`,
    };
  },
});
