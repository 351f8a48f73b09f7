import { notFound } from '../../kernel/errors.ts';
import { handleWrite } from '../handler.ts';
import { deleteImportProfile as operation } from './import-profiles.contract.ts';
import { deleteProfile, findProfile } from './import-profiles.queries.ts';
import { toProfileFields } from './import-profiles.table.ts';
import { builtInConflict, isBuiltInSlug } from './profile-slug.ts';

export const deleteImportProfile = handleWrite(operation, 'import_profile.delete', async ({ tx }, { params }) => {
  const row = await findProfile(tx, params.id);
  if (!row) throw isBuiltInSlug(params.id) ? builtInConflict() : notFound('The import profile was');
  await deleteProfile(tx, row.id);
  tx.journal.record({
    entityType: 'import_profile',
    entityId: row.id,
    entityShortId: row.short_id,
    operation: 'delete',
    before: toProfileFields(row),
    after: null,
    internal: { columns: { use_count: row.use_count, last_used_at: row.last_used_at, import_id: row.import_id } },
    revertible: true,
  });
  tx.journal.summarise(`Deleted the import profile ${row.name}`);
  return null;
});
