import type { WriteTx } from '../../journal/write.ts';
import { connections } from './connections.entity.ts';

/** Discards the stored access to every bank, whose key is lost. People then link the banks again. Returns how many. */
export async function forgetCredentials(tx: WriteTx): Promise<number> {
  const rows = await tx.q.selectFrom('connections').selectAll().where('credentials', 'is not', null).execute();
  for (const row of rows) {
    const bank = row.institution_name ?? 'the bank';
    await connections.change(tx, row, {
      credentials: null,
      status: 'pending_reauth',
      next_sync_at: null,
      error_code: 'CREDENTIALS_UNREADABLE',
      error_message:
        `The stored access to ${bank} cannot be decrypted. Restore the encryption key, or disconnect and link ${bank} ` +
        'again; accounts and history are kept.',
    });
  }
  return rows.length;
}

/**
 * Discards links that were exchanged and never stored; without their tokens they cannot be revoked. Returns how many. Of
 * disconnected connections people are told.
 */
export async function forgetPendingLinks(tx: WriteTx): Promise<number> {
  await tx.q.updateTable('pending_links').set({ credentials: null }).where('connection_id', 'is not', null).execute();
  const { numDeletedRows } = await tx.q
    .deleteFrom('pending_links')
    .where('connection_id', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
