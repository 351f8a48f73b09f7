import type { ApiKeysTable, LoginsTable } from '../../db/schema.ts';
import { idColumn } from '../../db/short-ids.ts';
import type { BareWriteTx, ReadTx } from '../../db/unit-of-work.ts';
import { effectiveScope, type AgentMode } from '../../kernel/scopes.ts';

export type ApiKeyRow = ApiKeysTable & { last_used_at: string | null; member_short_id: string | null };

/** Keys with their last use, newest first. */
export async function selectApiKeys(tx: ReadTx): Promise<ApiKeyRow[]> {
  return withUse(tx).orderBy('api_keys.created_at', 'desc').orderBy('api_keys.id', 'desc').execute();
}

export async function findApiKey(tx: ReadTx, id: string): Promise<ApiKeyRow | undefined> {
  const column = idColumn(id);
  return column && withUse(tx).where(`api_keys.${column}`, '=', id).executeTakeFirst();
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

/** The login of a session, and when the session ends at the latest. */
export async function findSignedIn(
  tx: ReadTx,
  sessionId: string,
): Promise<(Pick<LoginsTable, 'id' | 'short_id' | 'identifier' | 'created_at'> & { expires_at: string }) | undefined> {
  return tx.q
    .selectFrom('sessions')
    .innerJoin('logins', 'logins.id', 'sessions.login_id')
    .select(['logins.id', 'logins.short_id', 'logins.identifier', 'logins.created_at', 'sessions.expires_at'])
    .where('sessions.id', '=', sessionId)
    .executeTakeFirst();
}

/** Who gives others access: a key, or the login of a session. */
interface Grantor {
  kind: string | null;
  /** UUID of the key or the login. */
  id: string | null;
}

/** The member behind a person's active key with full access or an admin's login; undefined once that is over (20.5). */
export async function findGrantor(
  tx: ReadTx,
  { kind, id }: Grantor,
  now: string,
): Promise<{ memberId: string | null; userId: string | null } | undefined> {
  if (kind === 'session') {
    return tx.q
      .selectFrom('logins')
      .innerJoin('users', 'users.id', 'logins.user_id')
      .select(['users.id as memberId', 'users.short_id as userId'])
      .where('logins.id', '=', id)
      .where('logins.role', '=', 'admin')
      .executeTakeFirst();
  }
  const key = id === null ? undefined : await findApiKey(tx, id);
  return key && givesFullAccess(key, now) ? { memberId: key.user_id, userId: key.member_short_id } : undefined;
}

/** Whether a key works now. */
export function isActive({ revoked_at: revokedAt, expires_at: expiresAt }: ApiKeysTable, now: string): boolean {
  return revokedAt === null && (expiresAt === null || expiresAt > now);
}

/** Whether a key lets a person do everything. The keys of agents never do (20.4). */
export function givesFullAccess(key: ApiKeysTable, now: string): boolean {
  return key.scope === 'full_access' && key.actor_type !== 'agent' && isActive(key, now);
}

/** Whether a key may write now: an agent's only if the household's mode lets it (20.4). */
export function mayKeyWrite(key: ApiKeysTable | undefined, mode: AgentMode, now: string): boolean {
  if (!key || !isActive(key, now)) return false;
  return (key.actor_type === 'agent' ? effectiveScope(key.scope, mode) : key.scope) === 'full_access';
}

/** Every key of a member, revoked and expired ones included, oldest first. */
export async function selectKeysOf(tx: ReadTx, memberId: string): Promise<ApiKeysTable[]> {
  return tx.q.selectFrom('api_keys').selectAll().where('user_id', '=', memberId).orderBy('id').execute();
}

/** Whether a person has full access without these keys: by another active key, or as an admin who can sign in. */
export async function hasFullAccessLeft(
  tx: ReadTx,
  without: readonly Pick<ApiKeysTable, 'id'>[],
  now: string,
): Promise<boolean> {
  const unrevoked = await tx.q
    .selectFrom('api_keys')
    .selectAll()
    .where('scope', '=', 'full_access')
    .where('revoked_at', 'is', null)
    .execute();
  const gone = new Set(without.map(({ id }) => id));
  if (unrevoked.some((row) => !gone.has(row.id) && givesFullAccess(row, now))) return true;
  const admin = await tx.q
    .selectFrom('logins')
    .select('id')
    .where('role', '=', 'admin')
    .where('password_hash', 'is not', null)
    .executeTakeFirst();
  return admin !== undefined;
}

/** Denies what devices of a member were granted and have not collected (contract 20.10). */
export async function withdrawDevicesOf(tx: BareWriteTx, memberId: string, scope?: 'full_access'): Promise<void> {
  let query = tx.q
    .updateTable('device_requests')
    .set({ status: 'denied', scope: null })
    .where('user_id', '=', memberId)
    .where('status', '=', 'approved');
  if (scope !== undefined) query = query.where('scope', '=', scope);
  await query.execute();
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
