import type { BareWriteTx } from '../../db/unit-of-work.ts';
import { bookkeep } from '../../journal/write.ts';
import { instantNow } from '../../kernel/clock.ts';
import { DAY_MS, instantAfter } from '../../kernel/dates.ts';
import { LIMITS } from '../../kernel/limits.ts';
import type { Instance } from '../handler.ts';
import { deleteInParts } from '../old-rows.ts';
import { readModelSettings } from '../workflow-settings/index.ts';
import { deleteRunsBefore, runsBefore } from './workflow-runs.queries.ts';

/** What a cleanup deleted, as it is answered. */
interface Deleted {
  runs_deleted: number;
  transcripts_deleted: number;
  retention_days: number;
}

/** Deletes runs that are older than the household keeps them; 0 days keeps everything (contract 60.7). */
export async function deleteOldRuns(tx: BareWriteTx, instance: Instance): Promise<Deleted> {
  const { runRetentionDays: days } = await readModelSettings(tx, instance);
  const none = { runs: 0, transcripts: 0 };
  const { runs, transcripts } = days === 0 ? none : await deleteRunsBefore(tx, instantAfter(tx.now, -days * DAY_MS));
  return { runs_deleted: runs, transcripts_deleted: transcripts, retention_days: days };
}

/** The nightly cleanup, few runs at once: a transcript is large. What no ceiling looks back to is forgotten too. */
export async function cleanUpNightly(instance: Instance): Promise<void> {
  const { database, clock } = instance;
  const now = instantNow(clock);
  const { runRetentionDays: days } = await database.read((tx) => readModelSettings(tx, instance));
  if (days > 0) {
    await deleteInParts(database, runsBefore(instantAfter(now, -days * DAY_MS)), LIMITS.oldRunsAtOnce);
  }
  const before = instantAfter(now, -LIMITS.workflowCostMs);
  await bookkeep(database, (tx) => tx.q.deleteFrom('workflow_spending').where('started_at', '<', before).execute());
}
