import type { ReadTx } from '../../db/unit-of-work.ts';
import { writeInChunks, type Origin } from '../../journal/write.ts';
import { LIMITS } from '../../kernel/limits.ts';
import type { Instance } from '../handler.ts';
import { updateJob } from '../jobs/index.ts';
import { recordHits, endRun } from './rule-hits.queries.ts';
import { countLiveRows, selectContextAfter } from './rule-rows.queries.ts';
import type { LoadedRules } from './rule-set.ts';
import { runChunk } from './run-chunk.ts';
import { newTally, type RunTally } from './run-tally.ts';
import { bookkeep } from '../../journal/write.ts';

export interface LedgerRun {
  jobId: string;
  /** `apply` or `apply_all`. */
  appliedBy: 'apply' | 'apply_all';
  overwriteManual: boolean;
  origin: Origin;
  /** Reads the rules of the run, at its start. */
  load: (tx: ReadTx, now: string) => Promise<LoadedRules>;
  isCancelled: () => Promise<boolean>;
}

export interface LedgerRunResult {
  tally: RunTally;
  loaded: LoadedRules;
  changeSetId: string | null;
  isCancelled: boolean;
  /** What stopped it; chunks committed before stay. */
  failure: unknown;
}

/**
 * Runs rules over every live transaction in chunks, each read, evaluated, written and counted in one transaction, so
 * that no other writer waits long and no row is judged on stale data (contract 40.8.4).
 */
export async function runOverLedger(instance: Instance, run: LedgerRun, now: string): Promise<LedgerRunResult> {
  const { database } = instance;
  const { loaded, total } = await database.read(async (tx) => ({
    loaded: await run.load(tx, now),
    total: await countLiveRows(tx),
  }));
  const writing = writeInChunks(database, run.origin);
  const tally = newTally();
  let isCancelled = false;
  let failure: unknown = null;
  let after = '';
  try {
    while (loaded.rules.length > 0) {
      const last = await writing.chunk(async (tx) => {
        const rows = await selectContextAfter(tx, loaded.world, after, LIMITS.ruleChunkRows);
        const part = newTally();
        await runChunk(tx, loaded, rows, { ...run, onFailure: 'stop' }, part);
        const changeSetId = tx.journal.isEmpty() ? null : tx.journal.changeSetId;
        await recordHits(tx, historyOf(run, changeSetId, now), part);
        tally.add(part);
        await updateJob(tx, run.jobId, { done: tally.totalScanned, total, change_set_id: changeSetId });
        return rows.length < LIMITS.ruleChunkRows ? null : (rows.at(-1)?.facets.id ?? null);
      });
      instance.onPoint('rules:chunk');
      if (last === null) break;
      after = last;
      isCancelled = await run.isCancelled();
      if (isCancelled) break;
    }
  } catch (error) {
    failure = error ?? new Error('A run of rules failed.');
  }
  await writing.close(sentence(tally));
  await bookkeep(database, (tx) => endRun(tx, run.jobId, failure === null ? 'success' : 'error'));
  return { tally, loaded, changeSetId: writing.changeSetId(), isCancelled, failure };
}

function historyOf(run: LedgerRun, changeSetId: string | null, startedAt: string) {
  return {
    run_id: run.jobId,
    run_type: run.appliedBy,
    import_id: null,
    sync_log_id: null,
    change_set_id: changeSetId,
    institution_name: null,
    status: 'in_progress',
    started_at: startedAt,
  };
}

function sentence({ affectedCount }: RunTally): string {
  return `Rules changed ${affectedCount} transaction${affectedCount === 1 ? '' : 's'}`;
}
