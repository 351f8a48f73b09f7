import { readAgentSettings } from '../../features/agent-calls/index.ts';
import { findKeyWithMember } from '../../features/api-keys/index.ts';
import { findSession, idleExpiry, scopeOf, type SessionRow } from '../../features/auth/index.ts';
import type { Instance, Principal } from '../../features/handler.ts';
import { sha256Hex } from '../../kernel/crypto.ts';
import { AppError } from '../../kernel/errors.ts';
import { instantNow } from '../../kernel/clock.ts';
import { effectiveScope } from '../../kernel/scopes.ts';

/** The prefix by which keys are told apart (20.4). */
const SHOWN_CHARS = 11;
const CHALLENGE = { 'www-authenticate': 'ApiKey realm="homeledger"' };

/** A key in the Authorization header is not read, but the caller learns where it belongs (20.1). */
export function missingKey(rawHeaders: readonly string[]): AppError {
  const isElsewhere = headerValues(rawHeaders, 'authorization').length > 0;
  const message = 'The Authorization header is not used here. Send the API key as X-API-Key, without "Bearer".';
  return isElsewhere
    ? new AppError('MISSING_API_KEY', message, { headers: CHALLENGE })
    : unauthorised('MISSING_API_KEY');
}

function unauthorised(code: 'MISSING_API_KEY' | 'INVALID_API_KEY' | 'REVOKED_API_KEY'): AppError {
  const messages = {
    MISSING_API_KEY: 'Send an API key in the header X-API-Key.',
    INVALID_API_KEY: 'The API key is not valid.',
    REVOKED_API_KEY: 'The API key has been revoked.',
  };
  return new AppError(code, messages[code], { headers: CHALLENGE });
}

/** Whether a request sends a key, which is then judged alone: a cookie beside it is ignored (20.1). */
export function sendsKey(rawHeaders: readonly string[]): boolean {
  return headerValues(rawHeaders, 'x-api-key').some((value) => value !== '');
}

/** All values of one header as they were sent; Node would join repeated ones. */
export function headerValues(rawHeaders: readonly string[], name: string): string[] {
  const found: string[] = [];
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if ((rawHeaders[i] as string).toLowerCase() === name) found.push(rawHeaders[i + 1] as string);
  }
  return found;
}

/**
 * The principal of the X-API-Key header (contract 20.1), or null without one. Nothing is cached: a key that one
 * process revokes is refused by every process on its next request.
 * @throws INVALID_API_KEY, REVOKED_API_KEY
 */
export async function authenticateKey(instance: Instance, rawHeaders: readonly string[]): Promise<Principal | null> {
  const values = headerValues(rawHeaders, 'x-api-key');
  if (!sendsKey(rawHeaders)) return null;
  const key = values[0] as string;
  if (values.length > 1 || !isWellFormed(key, instance.config.keyPrefix)) throw unauthorised('INVALID_API_KEY');
  const hash = sha256Hex(key);
  const row = await instance.database.read((tx) => findKeyWithMember(tx, hash), 'one query');
  const isExpired = row && row.expires_at !== null && row.expires_at <= instantNow(instance.clock);
  if (!row || row.revoked_at !== null || isExpired === true) {
    instance.logger.info({ prefix: key.slice(0, SHOWN_CHARS) }, 'An API key was refused.');
    throw unauthorised(row && row.revoked_at !== null ? 'REVOKED_API_KEY' : 'INVALID_API_KEY');
  }
  const scope = row.actor_type === 'agent' ? await scopeOfAgent(instance, row.scope) : row.scope;
  return {
    kind: 'key',
    id: row.id,
    scope,
    ...(scope === row.scope ? {} : { isLowered: true }),
    actor: {
      type: row.actor_type as 'user' | 'agent' | 'system',
      id: row.id,
      userId: row.member_short_id,
      name: row.actor_name ?? (row.actor_type === 'user' ? row.member_name : null) ?? row.name,
    },
    memberId: row.user_id,
    session: null,
  };
}

/** Read with every request: a lower mode holds from the next one, in every process. */
async function scopeOfAgent({ database }: Instance, scope: string): Promise<string> {
  const { mode } = await database.read(readAgentSettings, 'one query');
  return effectiveScope(scope, mode);
}

/**
 * The principal of an agent's key, which it sends as X-API-Key or as a bearer token; the first counts (contract 70.1).
 * @throws MISSING_API_KEY, INVALID_API_KEY, REVOKED_API_KEY
 */
export async function authenticateAgent(instance: Instance, rawHeaders: readonly string[]): Promise<Principal> {
  const tokens = headerValues(rawHeaders, 'authorization').map((value) => /^bearer +(.*)$/i.exec(value)?.[1] ?? '');
  const asKey = sendsKey(rawHeaders) ? rawHeaders : tokens.flatMap((token) => ['x-api-key', token]);
  const headers = { 'www-authenticate': 'Bearer' };
  try {
    const principal = await authenticateKey(instance, asKey);
    if (principal) return principal;
  } catch (error) {
    throw error instanceof AppError ? new AppError(error.code, error.message, { headers }) : error;
  }
  const message = 'Send an API key as "Authorization: Bearer <key>", or in the header X-API-Key.';
  throw new AppError('MISSING_API_KEY', message, { headers });
}

/** The principal of the session cookie, or null when it names no live session (contract 20.6). Nothing is cached. */
export async function authenticateSession(instance: Instance, token: string | undefined): Promise<Principal | null> {
  if (token === undefined || !/^[\w-]{43}$/.test(token)) return null;
  const row = await instance.database.read((tx) => findSession(tx, sha256Hex(token)), 'one query');
  return row && idleExpiry(row) > instantNow(instance.clock) ? principalOf(row) : null;
}

/** What a session may do and what the journal says of it (20.1). */
function principalOf(row: SessionRow): Principal {
  return {
    kind: 'session',
    id: row.login_id,
    scope: scopeOf(row.role),
    actor: { type: 'user', id: row.user_short_id, userId: row.user_short_id, name: row.user_name },
    memberId: row.user_id,
    session: { id: row.id, loginId: row.login_id, role: row.role },
  };
}

function isWellFormed(key: string, prefix: string): boolean {
  return (
    key.length === prefix.length + 44 &&
    key.startsWith(`${prefix}_`) &&
    /^[0-9A-Za-z]{43}$/.test(key.slice(prefix.length + 1))
  );
}
