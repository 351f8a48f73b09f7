import { sql, type Selectable } from 'kysely';

import type { WorkflowRunsTable } from '../../db/schema-workflows.ts';
import type { BareWriteTx, Database, ReadTx } from '../../db/unit-of-work.ts';
import { bookkeep } from '../../journal/write.ts';
import { LIMITS } from '../../kernel/limits.ts';
import type { Instance } from '../handler.ts';

/** Who works on a run. A run is claimed once, and its process writes only while the fencing token is still there. */

export type RunRow = Selectable<WorkflowRunsTable>;

/** A run that this process works on. */
export type ClaimedRun = RunRow & { fencing_token: string };

/** What of a run a writer has to know to be let. */
export interface HeldRun {
  readonly id: string;
  readonly fencingToken: string;
}

const TOKEN_BYTES = 16;

/** Takes a run that nobody works on. undefined: somebody else was faster. */
export async function claimRun(
  { database, random }: Pick<Instance, 'database' | 'random'>,
  id: string,
): Promise<ClaimedRun | undefined> {
  const holder = await database.presence();
  const token = Buffer.from(random.bytes(TOKEN_BYTES)).toString('hex');
  const claimed = await bookkeep(database, (tx) =>
    tx.q
      .updateTable('workflow_runs')
      .set({ holder, fencing_token: token, lease_expires_at: tx.portable.sharedClock(tx.now, LIMITS.runLeaseMs) })
      .where('id', '=', id)
      .where('status', '=', 'in_progress')
      .where('holder', 'is', null)
      .returningAll()
      .executeTakeFirst(),
  );
  return claimed && { ...claimed, fencing_token: token };
}

/** Takes a run away from a process that is gone, to end it. undefined: it has come back, or somebody else was faster. */
export async function takeOver(
  { database, random }: Pick<Instance, 'database' | 'random'>,
  lost: { id: string; fencing_token: string },
  { anyLease }: { anyLease: boolean },
): Promise<ClaimedRun | undefined> {
  const holder = await database.presence();
  const token = Buffer.from(random.bytes(TOKEN_BYTES)).toString('hex');
  const taken = await bookkeep(database, (tx) => {
    const update = tx.q
      .updateTable('workflow_runs')
      .set({ holder, fencing_token: token, lease_expires_at: tx.portable.sharedClock(tx.now, LIMITS.runLeaseMs) })
      .where('id', '=', lost.id)
      .where('status', '=', 'in_progress')
      .where('fencing_token', '=', lost.fencing_token);
    const lapsed = anyLease ? update : update.where('lease_expires_at', '<=', tx.portable.sharedClock(tx.now));
    return lapsed.returningAll().executeTakeFirst();
  });
  return taken && { ...taken, fencing_token: token };
}

/** Renews leases. Returns the tokens of those that are still held; the others were taken away. */
export async function renewRuns(database: Database, tokens: readonly string[]): Promise<ReadonlySet<string>> {
  const renewed = await bookkeep(database, (tx) =>
    tx.q
      .updateTable('workflow_runs')
      .set({ lease_expires_at: tx.portable.sharedClock(tx.now, LIMITS.runLeaseMs) })
      .where('status', '=', sql.lit('in_progress'))
      .where(tx.portable.inList(sql.ref('fencing_token'), tokens))
      .returning('fencing_token')
      .execute(),
  );
  return new Set(renewed.flatMap(({ fencing_token: token }) => token ?? []));
}

/** The run as it is stored, if its holder still has it. Writers take turns, so nobody can take it away meanwhile. */
export async function findHeld(tx: ReadTx, { id, fencingToken }: HeldRun): Promise<RunRow | undefined> {
  return tx.q
    .selectFrom('workflow_runs')
    .selectAll()
    .where('id', '=', id)
    .where('status', '=', 'in_progress')
    .where('fencing_token', '=', fencingToken)
    .executeTakeFirst();
}

export async function isHeld(tx: BareWriteTx, run: HeldRun): Promise<boolean> {
  return (await findHeld(tx, run)) !== undefined;
}
