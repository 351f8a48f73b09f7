import { difference } from '../../journal/write.ts';
import { AppError, notFound } from '../../kernel/errors.ts';
import { handleWrite } from '../handler.ts';
import { updateApiKey as operation } from './api-keys.contract.ts';
import { findApiKey, updateApiKeyRow } from './api-keys.queries.ts';
import { toApiKey } from './api-keys.table.ts';
import { checkExpiry } from './make-key.ts';

export const updateApiKey = handleWrite(operation, 'api_key.update', async ({ tx }, { params, body }) => {
  const row = await findApiKey(tx, params.id);
  if (!row) throw notFound('The API key was');
  if (row.revoked_at !== null || (row.expires_at !== null && row.expires_at <= tx.now)) {
    throw new AppError('CONFLICT', 'A key that is revoked or expired cannot be changed. Create a new one.');
  }
  if (body.expires_at !== undefined && body.expires_at !== row.expires_at) checkExpiry(tx.now, body.expires_at);
  const wanted = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
  const changed = difference({ ...row }, wanted);
  if (!changed) return toApiKey(row);
  await updateApiKeyRow(tx, row.id, changed.after);
  tx.journal.record({
    entityType: 'api_key',
    entityId: row.id,
    entityShortId: row.short_id,
    operation: 'update',
    ...changed,
    revertible: false,
  });
  tx.journal.summarise(`Changed the API key ${row.name}`);
  return toApiKey({ ...row, ...changed.after });
});
