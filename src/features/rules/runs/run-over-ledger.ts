import type { BareWriteTx } from '../../../db/unit-of-work.ts';
import { bookkeep, writeInChunks, type Origin } from '../../../journal/write.ts';
import { LIMITS } from '../../../kernel/limits.ts';
import type { Instance } from '../../handler.ts';
import { keepJob, startJob, updateJob } from '../../jobs/index.ts';
import { resultOf, type ApplyRequest } from './apply-request.ts';
import type { Rehearsal } from './rehearse-run.ts';
import { recordHits, endRun } from './rule-outcomes.queries.ts';
import { countLiveRows, selectContextAfter } from '../rule-rows.queries.ts';
import { rulesStillActive, type LoadedRules } from '../rule-set.ts';
import { runChunk } from './run-chunk.ts';
import { newTally, sumOf, type RunTally } from './run-tally.ts';

export interface LedgerRun {
  jobId: string;
  request: ApplyRequest;
  appliedBy: 'apply' | 'apply_all';
  origin: Origin;
  progressId: string | undefined;
  isCancelled: () => Promise<boolean>;
}

export interface LedgerRunResult {
  tally: RunTally;
  changeSetId: string | null;
  /** null if this was no dry run. */
  samples: Rehearsal['samples'] | null;
  isCancelled: boolean;
}

/**
 * Runs rules over every live transaction in chunks. Each chunk is read, evaluated, written and counted in one database
 * transaction, so that other writers wait briefly and no row is judged on stale data (contract 40.8.4). Returns null if
 * the job was cancelled before it began. If it throws, committed chunks stay, and the job has their counts.
 */
export async function runOverLedger(
  instance: Instance,
  run: LedgerRun,
  loaded: LoadedRules,
): Promise<LedgerRunResult | null> {
  const { database } = instance;
  const { jobId, request, appliedBy } = run;
  const options = { appliedBy, overwriteManual: request.overwriteManual, onFailure: 'stop' as const };
  const chunks = writeInChunks(database, run.origin);
  let active = loaded;
  let tally = newTally();
  let isCancelled = false;
  const total = await database.read((tx) => countLiveRows(tx));
  const isStarted = await bookkeep(database, async (tx) => {
    const isOurs = await startJob(tx, jobId);
    if (isOurs) await saveProgress(tx, tally, null);
    return isOurs;
  });
  if (!isStarted) return null;
  try {
    for (let after: string | null = ''; after !== null && !isCancelled && loaded.rules.length > 0;) {
      const start: string = after;
      const done = await chunks.chunk(async (tx) => {
        await keepJob(tx, jobId);
        const rules = await rulesStillActive(tx, active);
        const rows = await selectContextAfter(tx, rules.household, rules.parts, start, LIMITS.ruleChunkRows);
        const part = newTally();
        await runChunk(tx, rules, rows, options, part);
        const changeSetId = tx.journal.isEmpty() ? null : tx.journal.changeSetId;
        await recordHits(tx, ruleRunOf(run, changeSetId, loaded.startedAt), part);
        const sum = sumOf(tally, part);
        await saveProgress(tx, sum, changeSetId);
        instance.failpoint('rules:chunk-written');
        return { sum, rules, last: rows.length < LIMITS.ruleChunkRows ? null : (rows.at(-1)?.id ?? null) };
      });
      tally = done.sum;
      active = done.rules;
      tellCaller(instance, run, { done: tally.totalScanned, total });
      after = done.last;
      instance.failpoint('rules:chunk-committed');
      isCancelled = after !== null && (await run.isCancelled());
    }
  } finally {
    tellCaller(instance, run, null);
    await chunks.close(summaryOf(tally));
  }
  await bookkeep(database, (tx) => endRun(tx, jobId));
  return { tally, changeSetId: chunks.changeSetId(), samples: null, isCancelled };

  /** Writes the progress and result so far into the job. */
  async function saveProgress(tx: BareWriteTx, sum: RunTally, changeSetId: string | null): Promise<void> {
    const result = JSON.stringify(resultOf(request, sum, loaded, changeSetId));
    await updateJob(tx, jobId, { done: sum.totalScanned, total, change_set_id: changeSetId, result });
  }
}

/** Tells the request that waits for the run how far it has come. */
export function tellCaller({ progress }: Instance, { progressId }: LedgerRun, reached: object | null): void {
  if (progressId !== undefined) progress.note(progressId, reached && JSON.stringify(reached));
}

function ruleRunOf(run: LedgerRun, changeSetId: string | null, startedAt: string) {
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

function summaryOf({ affectedCount }: RunTally): string {
  return `Rules changed ${affectedCount} transaction${affectedCount === 1 ? '' : 's'}`;
}
