import { AppError, notFound } from '../../kernel/errors.ts';
import type { WriteTx } from '../../journal/write.ts';
import { handleWrite } from '../handler.ts';
import { revokeApiKey as operation } from './api-keys.contract.ts';
import { findApiKey, someoneElseHasFullAccess, updateApiKeyRow } from './api-keys.queries.ts';

export const revokeApiKey = handleWrite(operation, 'api_key.revoke', async ({ tx }, { params, query }) => {
  await revokeKey(tx, params.id, query.force);
  return null;
});

/**
 * Revokes a key; check and revocation are one transaction.
 * @throws NOT_FOUND also when it is already revoked; LAST_FULL_ACCESS_KEY unless forced.
 */
export async function revokeKey(tx: WriteTx, id: string, force: boolean): Promise<void> {
  const row = await findApiKey(tx, id);
  if (!row || row.revoked_at !== null) throw notFound('The API key was');
  const isActiveFull = row.scope === 'full_access' && (row.expires_at === null || row.expires_at > tx.now);
  if (isActiveFull && !force && !(await someoneElseHasFullAccess(tx, row.id, tx.now))) {
    throw new AppError(
      'LAST_FULL_ACCESS_KEY',
      'This is the last key with full access. Create another first, or send force=true.',
    );
  }
  await updateApiKeyRow(tx, row.id, { revoked_at: tx.now });
  tx.journal.record({
    entityType: 'api_key',
    entityId: row.id,
    entityShortId: row.short_id,
    operation: 'update',
    before: { revoked_at: null },
    after: { revoked_at: tx.now },
    revertible: false,
  });
  tx.journal.summarise(`Revoked the API key ${row.name}`);
}
