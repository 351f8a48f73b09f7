import type { ApiKeysTable } from '../../db/schema.ts';
import type { WriteTx } from '../../journal/write.ts';
import { AppError, notFound } from '../../kernel/errors.ts';
import { apiKeys } from './api-keys.entity.ts';
import {
  findApiKey,
  hasFullAccessLeft,
  givesFullAccess,
  selectKeysOf,
  withdrawDevicesOf,
  type ApiKeyRow,
} from './api-keys.queries.ts';

/**
 * Revokes a key.
 * @throws NOT_FOUND, even if the key is already revoked; LAST_FULL_ACCESS_KEY unless forced
 */
export async function revokeKey(tx: WriteTx, id: string, { force }: { force: boolean }): Promise<void> {
  const row = await findApiKey(tx, id);
  if (!row || row.revoked_at !== null) throw notFound('API key');
  await revoke(tx, [row], { force, advice: 'Create another first, or send force=true.' });
  tx.journal.summarise(`Revoked the API key ${row.name}`);
}

interface WhichKeys {
  /** Only keys with this scope. */
  scope?: 'full_access';
  /** UUID of a key that stays. */
  except?: string;
}

/**
 * Revokes the keys of a member, in the change set of the caller, and withdraws what devices of theirs were granted and
 * have not collected. Take away the login first: an admin who can still sign in counts as access (contract 20.4).
 * @returns how many keys were revoked
 * @throws LAST_FULL_ACCESS_KEY
 */
export async function revokeKeysOf(tx: WriteTx, memberId: string, which: WhichKeys = {}): Promise<number> {
  const { scope, except } = which;
  const rows = (await selectKeysOf(tx, memberId)).filter(
    (row) => row.revoked_at === null && row.id !== except && (scope === undefined || row.scope === scope),
  );
  await revoke(tx, rows, { force: false, advice: 'Create another for the household first.' });
  await withdrawDevicesOf(tx, memberId, scope);
  return rows.length;
}

/** Before a member is deleted: their keys, which stay listed, and their requests of devices belong to nobody. */
export async function disownKeysOf(tx: WriteTx, memberId: string): Promise<void> {
  const rows = await selectKeysOf(tx, memberId);
  await apiKeys.changeMany(
    tx,
    rows.map((row) => ({ row, patch: { user_id: null } })),
  );
  await tx.q.updateTable('device_requests').set({ user_id: null }).where('user_id', '=', memberId).execute();
}

async function revoke(
  tx: WriteTx,
  rows: readonly (ApiKeysTable | ApiKeyRow)[],
  { force, advice }: { force: boolean; advice: string },
): Promise<void> {
  if (!force) await keepFullAccess(tx, rows, advice);
  await apiKeys.changeMany(
    tx,
    rows.map((row) => ({ row, patch: { revoked_at: tx.now } })),
  );
}

/** Before keys end or lose access. @throws LAST_FULL_ACCESS_KEY if no person would have full access then */
export async function keepFullAccess(tx: WriteTx, rows: readonly ApiKeysTable[], advice: string): Promise<void> {
  if (!rows.some((row) => givesFullAccess(row, tx.now)) || (await hasFullAccessLeft(tx, rows, tx.now))) return;
  throw new AppError('LAST_FULL_ACCESS_KEY', `This is the last key with full access. ${advice}`);
}
