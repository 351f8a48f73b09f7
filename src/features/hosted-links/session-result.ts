import type { BareWriteTx } from '../../db/unit-of-work.ts';
import { addResult, findSession, moveSession } from './hosted-links.queries.ts';
import { endOf } from './link-guard.ts';

/**
 * Ends a session that was claimed, in the write of what it was claimed for.
 * @throws GONE, which rolls that write back, if somebody ended it meanwhile
 */
export async function endWithResult(tx: BareWriteTx, id: string, connectionId: string): Promise<void> {
  const session = await findSession(tx, id);
  const moved = session && (await moveSession(tx, session, 'succeeded', { claimed_at: null }));
  if (!moved) throw endOf('failed');
  await addResult(tx, moved, connectionId);
}

/** Adds a connection to a session that can make several. @throws GONE if it was cancelled meanwhile */
export async function noteResult(tx: BareWriteTx, id: string, connectionId: string): Promise<void> {
  const session = await findSession(tx, id);
  if (!session || session.status === 'failed') throw endOf('failed');
  await addResult(tx, session, connectionId);
}
