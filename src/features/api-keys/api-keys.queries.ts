import type { ApiKeysTable } from '../../db/schema.ts';
import type { BareWriteTx, ReadTx } from '../../db/unit-of-work.ts';
import { isShortId, isUuid } from '../../kernel/ids.ts';

export type ApiKeyRow = ApiKeysTable & { last_used_at: string | null; member_short_id: string | null };

/** Keys with their last use, newest first. */
export async function selectApiKeys(tx: ReadTx): Promise<ApiKeyRow[]> {
  return withUse(tx).orderBy('api_keys.created_at', 'desc').orderBy('api_keys.id', 'desc').execute();
}

export async function findApiKey(tx: ReadTx, id: string): Promise<ApiKeyRow | undefined> {
  if (isUuid(id)) return withUse(tx).where('api_keys.id', '=', id).executeTakeFirst();
  if (isShortId(id)) return withUse(tx).where('api_keys.short_id', '=', id).executeTakeFirst();
  return undefined;
}

type KeyWithMember = ApiKeysTable & { member_short_id: string | null; member_name: string | null };

/** The key with this hash, in any state, and the member it belongs to. */
export async function findKeyWithMember(tx: ReadTx, hash: string): Promise<KeyWithMember | undefined> {
  return tx.q
    .selectFrom('api_keys')
    .leftJoin('users', 'users.id', 'api_keys.user_id')
    .selectAll('api_keys')
    .select(['users.short_id as member_short_id', 'users.name as member_name'])
    .where('api_keys.key_hash', '=', hash)
    .executeTakeFirst();
}

/** Whether there is another active key with full access, or an admin who can sign in. */
export async function someoneElseHasFullAccess(tx: ReadTx, id: string, now: string): Promise<boolean> {
  const key = await tx.q
    .selectFrom('api_keys')
    .select('id')
    .where('scope', '=', 'full_access')
    .where('id', '!=', id)
    .where('revoked_at', 'is', null)
    .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', now)]))
    .executeTakeFirst();
  if (key) return true;
  const admin = await tx.q
    .selectFrom('logins')
    .select('id')
    .where('role', '=', 'admin')
    .where('password_hash', 'is not', null)
    .executeTakeFirst();
  return admin !== undefined;
}

export async function stampUse(tx: BareWriteTx, id: string, at: string): Promise<void> {
  await tx.q
    .insertInto('api_key_uses')
    .values({ api_key_id: id, last_used_at: at })
    .onConflict((conflict) => conflict.column('api_key_id').doUpdateSet({ last_used_at: at }))
    .execute();
}

export async function countKeysWithOtherPrefix(tx: ReadTx, prefix: string, now: string): Promise<number> {
  const rows = await tx.q
    .selectFrom('api_keys')
    .select(['prefix', 'expires_at'])
    .where('revoked_at', 'is', null)
    .execute();
  return rows.filter((row) => !row.prefix.startsWith(`${prefix}_`) && (row.expires_at === null || row.expires_at > now))
    .length;
}

function withUse(tx: ReadTx) {
  return tx.q
    .selectFrom('api_keys')
    .leftJoin('api_key_uses', 'api_key_uses.api_key_id', 'api_keys.id')
    .leftJoin('users', 'users.id', 'api_keys.user_id')
    .selectAll('api_keys')
    .select(['api_key_uses.last_used_at', 'users.short_id as member_short_id']);
}
