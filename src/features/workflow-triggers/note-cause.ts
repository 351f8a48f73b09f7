import type { BareWriteTx } from '../../db/unit-of-work.ts';
import type { Instant } from '../../kernel/dates.ts';
import type { Instance } from '../handler.ts';

/** A sync or import that brought rows. */
export interface Cause {
  /** Id of the sync log or import. */
  id: string;
  kind: 'sync' | 'import';
  happenedAt: Instant;
}

/**
 * Stores that workflows may have to be started, in the transaction of the write that brought the rows, so that a crash
 * loses nothing. Noting a cause again changes nothing. Without a workflow to start there is nothing to note.
 */
export async function noteCause(tx: BareWriteTx, instance: Instance, cause: Cause): Promise<void> {
  const listener = await tx.q
    .selectFrom('workflows')
    .select('id')
    .where('is_enabled', '=', 1)
    .where('is_started_by_syncs', '=', 1)
    .limit(1)
    .executeTakeFirst();
  if (!listener) return;
  await tx.q
    .insertInto('workflow_causes')
    .values({ id: cause.id, kind: cause.kind, happened_at: cause.happenedAt })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  tx.afterCommit(() => instance.wakeRuns());
}
