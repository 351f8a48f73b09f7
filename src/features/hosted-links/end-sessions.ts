import type { BareWriteTx } from '../../db/unit-of-work.ts';
import { bookkeep } from '../../journal/write.ts';
import { DAY_MS, instantAfter } from '../../kernel/dates.ts';
import { LIMITS } from '../../kernel/limits.ts';
import type { Instance } from '../handler.ts';
import { deleteEndedBefore, moveSession, selectAbandoned, selectDue, selectOpenOf } from './hosted-links.queries.ts';

/** Ends the pages on which a connection was to be renewed, in the write that disconnects it. */
export async function endLinkSessionsOf(tx: BareWriteTx, connectionId: string): Promise<void> {
  for (const session of await selectOpenOf(tx, connectionId)) {
    await moveSession(tx, session, 'disconnected', {
      error: { code: 'connection_disconnected', message: 'The connection was disconnected.' },
    });
  }
}

/** Ends what is over, and deletes what ended long ago (contract 30.5.4). For the housekeeping. */
export async function endLinkSessions({ database }: Pick<Instance, 'database'>): Promise<void> {
  await bookkeep(database, async (tx) => {
    for (const session of await selectDue(tx, tx.now)) await moveSession(tx, session, 'due');
    const abandoned = await selectAbandoned(tx, instantAfter(tx.now, -LIMITS.hostedLinkClaimMs));
    for (const session of abandoned) {
      await moveSession(tx, session, 'lost', {
        error: {
          code: 'interrupted',
          message: 'The server stopped while it was connecting the bank. Ask for a new link.',
        },
      });
    }
    await deleteEndedBefore(tx, instantAfter(tx.now, -LIMITS.hostedLinkKeptDays * DAY_MS));
  });
}
