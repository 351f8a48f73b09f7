import { bookkeep } from '../../journal/write.ts';
import { AppError } from '../../kernel/errors.ts';
import { LIMITS } from '../../kernel/limits.ts';
import type { Instance } from '../handler.ts';
import { moveSession, renewClaim, type SessionRow } from './hosted-links.queries.ts';
import { getSession } from './link-guard.ts';

/**
 * Does what a session can do once, such as spending what the bank's window handed over. One conditional write claims the
 * session first; of two calls at once, the other is told that the link is used. `work` itself ends the session, in its
 * own write. If it fails, the person can try again, unless what was handed over is spent (contract 30.5.4).
 * @throws EXPIRED, CONSUMED, GONE
 */
export async function withClaim<T>(
  instance: Instance,
  session: SessionRow,
  { canSpend }: { canSpend: boolean },
  work: (claimed: SessionRow) => Promise<T>,
): Promise<T> {
  const { database, logger } = instance;
  const claimed = await bookkeep(database, async (tx) => {
    const now = await getSession(tx, session);
    return (await moveSession(tx, now, 'claimed', { claimed_at: tx.now })) ?? now;
  });
  const renewal = setInterval(() => {
    bookkeep(database, (tx) => renewClaim(tx, session.id)).catch((error: unknown) =>
      logger.warn({ err: error }, 'The claim on a link session could not be renewed.'),
    );
  }, LIMITS.hostedLinkClaimMs / 4);
  renewal.unref();
  try {
    return await work(claimed);
  } catch (error) {
    await instance.untilDone(() => release(instance, claimed, canSpend && isSpent(error)));
    throw error;
  } finally {
    clearInterval(renewal);
  }
}

/** Refusals of ours, and a provider that fails, leave what was handed over as it is. */
function isSpent(error: unknown): boolean {
  return !(error instanceof AppError) || (error.status >= 500 && error.code !== 'PROVIDER_ERROR');
}

async function release({ database }: Instance, session: SessionRow, isLost: boolean): Promise<void> {
  await bookkeep(database, async (tx) => {
    if (!isLost) return moveSession(tx, session, 'released', { claimed_at: null });
    return moveSession(tx, session, 'lost', {
      error: { code: 'link_failed', message: 'The bank could not be connected. Ask for a new link.' },
    });
  });
}
