import { journalOf } from '../../../journal/journal-of.ts';
import type { WriteTx } from '../../../journal/write.ts';
import type { StoredRow } from '../../ledger-rows/index.ts';

const transactions = journalOf('transaction');

/** Deletes transactions that the provider no longer has (contract 30.8.4). Returns how many. */
export async function withdrawRows(tx: WriteTx, rows: readonly StoredRow[]): Promise<number> {
  if (rows.length === 0) return 0;
  await tx.updateMany(
    'transactions',
    ['deleted_at', 'deleted_cause', 'updated_at'],
    rows.map(({ id }) => [id, tx.now, 'provider', tx.now]),
  );
  for (const { id, shortId } of rows) {
    transactions.changed(
      tx,
      { id, short_id: shortId },
      { before: { deleted_at: null }, after: { deleted_at: tx.now } },
      { internal: { deleted_cause: null, cause: 'provider' }, revertible: false },
    );
  }
  await tx.journal.flushIfLarge();
  return rows.length;
}
