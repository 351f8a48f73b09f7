import type { RecoveryKeysTable } from '../../db/schema-identity.ts';
import type { ReadTx } from '../../db/unit-of-work.ts';
import { journalOf } from '../../journal/journal-of.ts';
import type { Actor, WriteTx } from '../../journal/write.ts';
import { AppError, notFound } from '../../kernel/errors.ts';
import { LIMITS } from '../../kernel/limits.ts';

/** Oldest first. */
export async function selectRecoveryKeys(tx: ReadTx): Promise<RecoveryKeysTable[]> {
  return tx.q.selectFrom('recovery_keys').selectAll().orderBy('added_at').orderBy('recipient').execute();
}

/** What backups are encrypted to; none means that they are not. */
export async function recipientsOf(tx: ReadTx): Promise<string[]> {
  return (await selectRecoveryKeys(tx)).map(({ recipient }) => recipient);
}

/** @throws CONFLICT for one that is known, or one too many */
export async function addRecipient(
  tx: WriteTx,
  { recipient, isOwn, by }: { recipient: string; isOwn: boolean; by: Pick<Actor, 'type' | 'id' | 'name'> },
): Promise<void> {
  const before = await recipientsOf(tx);
  if (before.includes(recipient)) throw new AppError('CONFLICT', 'Backups are encrypted to this recipient already.');
  if (before.length >= LIMITS.recipients) {
    throw new AppError('CONFLICT', `There are ${before.length} recovery keys already. Take one away first.`);
  }
  const row: RecoveryKeysTable = {
    recipient,
    is_own: isOwn ? 1 : 0,
    added_at: tx.now,
    added_by_type: by.type,
    added_by_id: by.id,
    added_by_name: by.name,
  };
  await tx.q.insertInto('recovery_keys').values(row).execute();
  await recordRecipients(tx, before);
  tx.journal.summarise(isOwn ? 'Added a recipient for backups' : 'Added a recovery key for backups');
}

/** @throws NOT_FOUND */
export async function removeRecipient(tx: WriteTx, recipient: string): Promise<void> {
  const before = await recipientsOf(tx);
  if (!before.includes(recipient)) throw notFound('recovery key');
  await tx.q.deleteFrom('recovery_keys').where('recipient', '=', recipient).execute();
  await recordRecipients(tx, before);
  tx.journal.summarise('Took a recovery key for backups away');
}

async function recordRecipients(tx: WriteTx, before: readonly string[]): Promise<void> {
  const field = 'backup.recipients';
  const fields = { before: { [field]: before }, after: { [field]: await recipientsOf(tx) } };
  journalOf('setting').changed(tx, { id: null, short_id: null }, fields, { revertible: false });
}
