import type { BareWriteTx, ReadTx } from '../../db/unit-of-work.ts';
import type { LoginsTable, SessionsTable, UsersTable } from '../../db/schema.ts';
import { shortIdFor } from '../../db/short-ids.ts';
import { HOUR_MS, instantAfter } from '../../kernel/dates.ts';
import { LIMITS } from '../../kernel/limits.ts';
import type { Role } from '../handler.ts';

/** A session with its login and member, as each request reads them. */
export interface SessionRow extends SessionsTable {
  role: Role;
  user_id: string;
  user_short_id: string;
  user_name: string;
}

/** The session with this token, ended or not. Role and member are the current ones (20.6). */
export async function findSession(tx: ReadTx, tokenHash: string): Promise<SessionRow | undefined> {
  const row = await tx.q
    .selectFrom('sessions')
    .innerJoin('logins', 'logins.id', 'sessions.login_id')
    .innerJoin('users', 'users.id', 'logins.user_id')
    .selectAll('sessions')
    .select(['logins.role', 'logins.user_id', 'users.short_id as user_short_id', 'users.name as user_name'])
    .where('sessions.token_hash', '=', tokenHash)
    .executeTakeFirst();
  return row && { ...row, role: row.role as Role };
}

const SCOPES = { admin: 'full_access', editor: 'full_access', viewer: 'read_only' } as const;

/** What a session may do, in the terms of keys (contract 20.1). */
export function scopeOf(role: Role): 'full_access' | 'read_only' {
  return SCOPES[role];
}

/** A session with its login and member; undefined when one of them is gone. */
export async function findSignedIn(
  tx: ReadTx,
  id: string,
): Promise<{ session: SessionsTable; login: LoginsTable; user: UsersTable } | undefined> {
  const session = await tx.q.selectFrom('sessions').selectAll().where('id', '=', id).executeTakeFirst();
  if (!session) return undefined;
  const login = await tx.q.selectFrom('logins').selectAll().where('id', '=', session.login_id).executeTakeFirst();
  if (!login) return undefined;
  const user = await tx.q.selectFrom('users').selectAll().where('id', '=', login.user_id).executeTakeFirst();
  return user && { session, login, user };
}

/** The live sessions of a login, last seen first. */
export async function selectSessions(tx: ReadTx, loginId: string, now: string): Promise<SessionsTable[]> {
  const rows = await tx.q
    .selectFrom('sessions')
    .selectAll()
    .where('login_id', '=', loginId)
    .orderBy('last_seen_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  return rows.filter((row) => idleExpiry(row) > now);
}

/** When a session ends unless it is used (contract 20.6). */
export function idleExpiry({
  is_remembered: isRemembered,
  last_seen_at: seen,
  expires_at: end,
}: SessionsTable): string {
  const hours = isRemembered === 1 ? LIMITS.rememberedIdleHours : LIMITS.sessionIdleHours;
  const idle = instantAfter(seen, hours * HOUR_MS);
  return idle < end ? idle : end;
}

export interface NewSession {
  loginId: string;
  tokenHash: string;
  isRemembered: boolean;
  clientAddress: string;
  userAgent: string | null;
}

export async function insertSession(tx: BareWriteTx, wanted: NewSession): Promise<SessionsTable> {
  const hours = wanted.isRemembered ? LIMITS.rememberedHours : LIMITS.sessionHours;
  const row: SessionsTable = {
    id: tx.ids.uuid(),
    short_id: await shortIdFor(tx, 'sessions'),
    token_hash: wanted.tokenHash,
    login_id: wanted.loginId,
    is_remembered: wanted.isRemembered ? 1 : 0,
    client_address: wanted.clientAddress,
    user_agent: wanted.userAgent?.slice(0, LIMITS.userAgentChars) ?? null,
    created_at: tx.now,
    last_seen_at: tx.now,
    expires_at: instantAfter(tx.now, hours * HOUR_MS),
  };
  await tx.q.insertInto('sessions').values(row).execute();
  return row;
}

/** Ends the sessions of a login; `except` stays. Answers how many ended. */
export async function endSessions(tx: BareWriteTx, loginId: string, except: string | null = null): Promise<number> {
  let query = tx.q.deleteFrom('sessions').where('login_id', '=', loginId);
  if (except !== null) query = query.where('id', '!=', except);
  const { numDeletedRows } = await query.executeTakeFirst();
  return Number(numDeletedRows);
}

export async function stampSession(tx: BareWriteTx, id: string, at: string): Promise<void> {
  await tx.q.updateTable('sessions').set({ last_seen_at: at }).where('id', '=', id).execute();
}

/** Ends the session with this token, if there is one. */
export async function endSessionOf(tx: BareWriteTx, tokenHash: string): Promise<void> {
  await tx.q.deleteFrom('sessions').where('token_hash', '=', tokenHash).execute();
}

/** Notes a sign-in on the login; with a hash at today's cost, if the stored one was made at another. */
export async function stampSignIn(tx: BareWriteTx, loginId: string, hash: string | null): Promise<void> {
  const set = { last_used_at: tx.now, ...(hash === null ? {} : { password_hash: hash }) };
  await tx.q.updateTable('logins').set(set).where('id', '=', loginId).execute();
}
