import { undoRows } from '../../journal/undo-rows.ts';
import { findUser } from '../users/index.ts';

/** How the fields that PATCH writes are taken back; an account itself is never made or removed by an edit. */
export const undo = undoRows({
  entityType: 'account',
  table: 'accounts',
  async toFields(row, tx) {
    const owner = row['owner_user_id'];
    return {
      display_name: row['display_name'],
      is_excluded: row['is_excluded'] === 1,
      is_dependent_linked: row['is_dependent_linked'] === 1,
      owner_user_id: typeof owner === 'string' ? ((await findUser(tx, owner))?.short_id ?? null) : null,
    };
  },
  async toColumns(tx, fields) {
    const { display_name: label, is_excluded: isExcluded, is_dependent_linked: isDependent } = fields;
    const owner = fields['owner_user_id'];
    const ownerId = typeof owner === 'string' ? ((await findUser(tx, owner))?.id ?? null) : null;
    return {
      ...('display_name' in fields ? { display_name: label as string | null } : {}),
      ...('is_excluded' in fields ? { is_excluded: isExcluded === true ? 1 : 0 } : {}),
      ...('is_dependent_linked' in fields ? { is_dependent_linked: isDependent === true ? 1 : 0 } : {}),
      ...('owner_user_id' in fields ? { owner_user_id: ownerId } : {}),
    };
  },
  unique: [],
  references: (fields) => {
    const owner = fields['owner_user_id'];
    return typeof owner === 'string' ? [{ field: 'owner_user_id', table: 'users', column: 'short_id', id: owner }] : [];
  },
  isUsed: async () => true,
});
