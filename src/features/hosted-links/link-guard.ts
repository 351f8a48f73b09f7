import type { ReadTx } from '../../db/unit-of-work.ts';
import { bookkeep } from '../../journal/write.ts';
import { isUuid } from '../../kernel/ids.ts';
import { instantNow } from '../../kernel/clock.ts';
import { sha256Hex } from '../../kernel/crypto.ts';
import { AppError } from '../../kernel/errors.ts';
import { readAgentSettings } from '../agent-calls/index.ts';
import { findApiKey, mayKeyWrite } from '../api-keys/index.ts';
import type { Instance } from '../handler.ts';
import { findByTokenHash, findSession, moveSession, statusAt, type SessionRow } from './hosted-links.queries.ts';
import type { SessionStatus } from './session-states.ts';

const TOKEN = /^[\w-]{22}$/;

/** The session of a token, whatever its status; undefined for a token that was never issued. */
export async function findByToken(tx: ReadTx, token: string): Promise<SessionRow | undefined> {
  return TOKEN.test(token) ? findByTokenHash(tx, sha256Hex(token)) : undefined;
}

/** The refusal for a link that has ended; undefined while it is alive. */
export function endOf(status: SessionStatus): AppError | undefined {
  switch (status) {
    case 'expired':
      return new AppError('EXPIRED', 'This link has expired. Ask for a new one.', { status: 410 });
    case 'completed':
    case 'consumed':
      return new AppError('CONSUMED', 'This link has already been used. Ask for a new one to connect another bank.', {
        status: 410,
      });
    case 'failed':
      return new AppError('GONE', 'This link no longer works. Ask for a new one.');
    case 'pending':
    case 'active':
      break;
  }
  return undefined;
}

/**
 * The live session of a token (contract 30.5.3).
 * @throws INVALID_TOKEN, EXPIRED, CONSUMED, GONE
 */
export async function getLiveSession(instance: Instance, token: string): Promise<SessionRow> {
  const session = await instance.database.read((tx) => findByToken(tx, token));
  if (!session) throw new AppError('INVALID_TOKEN', 'This link is not known. Check that the address is complete.');
  const now = instantNow(instance.clock);
  const ended = endOf(statusAt(session, now));
  if (ended) throw ended;
  if (!(await instance.database.read((tx) => mayMakerWrite(tx, session, now)))) {
    throw new AppError(
      'GONE',
      'This link no longer works: who made it may no longer connect banks. Ask for a new one.',
    );
  }
  return session;
}

/** A link gives no more than its key has: what a mode forbids to an agent, its links do not do either (contract 20.4). */
async function mayMakerWrite(tx: ReadTx, { actor_id: keyId }: SessionRow, now: string): Promise<boolean> {
  if (keyId === null || !isUuid(keyId)) return true;
  const { mode } = await readAgentSettings(tx);
  return mayKeyWrite(await findApiKey(tx, keyId), mode, now);
}

/** The same, and notes that the page is being used. */
export async function useSession(instance: Instance, token: string): Promise<SessionRow> {
  const session = await getLiveSession(instance, token);
  if (session.status !== 'pending') return session;
  return bookkeep(instance.database, async (tx) => {
    const now = await getSession(tx, session);
    return (await moveSession(tx, now, 'used', { started_at: tx.now })) ?? now;
  });
}

/** The session as it is in this transaction. @throws EXPIRED, CONSUMED, GONE if it has ended since it was read */
export async function getSession(tx: ReadTx & { now: string }, { id }: SessionRow): Promise<SessionRow> {
  const session = await findSession(tx, id);
  const ended = session ? endOf(statusAt(session, tx.now)) : endOf('failed');
  if (ended) throw ended;
  return session as SessionRow;
}
