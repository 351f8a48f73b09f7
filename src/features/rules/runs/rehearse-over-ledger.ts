import { bookkeep } from '../../../journal/write.ts';
import { LIMITS } from '../../../kernel/limits.ts';
import type { Instance } from '../../handler.ts';
import { findJob, keepJob, startJob, updateJob } from '../../jobs/index.ts';
import { countLiveRows, type ContextRow } from '../rule-rows.queries.ts';
import type { LoadedRules } from '../rule-set.ts';
import { resultOf } from './apply-request.ts';
import { rehearseRun } from './rehearse-run.ts';
import { tellCaller, type LedgerRun, type LedgerRunResult } from './run-over-ledger.ts';
import { newTally } from './run-tally.ts';
import { scanLedger, type LedgerScan } from './scan-ledger.ts';

/**
 * A dry run over every live transaction, as they are at one moment. Its job shows progress and can be cancelled like that
 * of a run, and is all that is written (contract 40.8.4). Returns null if the job was cancelled before it began.
 */
export async function rehearseOverLedger(
  instance: Instance,
  run: LedgerRun,
  loaded: LoadedRules,
): Promise<LedgerRunResult | null> {
  const { database } = instance;
  const { jobId, request } = run;
  const total = await database.read((tx) => countLiveRows(tx));
  const isStarted = await bookkeep(database, async (tx) => {
    if (!(await startJob(tx, jobId))) return false;
    const result = JSON.stringify(resultOf(request, newTally(), loaded, null, []));
    await updateJob(tx, jobId, { done: 0, total, result });
    return true;
  });
  if (!isStarted) return null;
  let isCancelled = false;
  try {
    const options = { overwriteManual: request.overwriteManual, sampleSize: LIMITS.ruleSamplesDefault };
    const rehearsal = await database.read(async (tx) => {
      const scan = scanLedger(tx, loaded.household, loaded.parts);
      return rehearseRun(tx, loaded, { ...scan, chunks: whileWanted(scan) }, options);
    });
    return { ...rehearsal, changeSetId: null, isCancelled };
  } finally {
    tellCaller(instance, run, null);
  }

  /** Ends early when somebody cancels the job. Read where it is kept: a thread has one connection that reads. */
  async function* whileWanted(scan: LedgerScan): AsyncGenerator<readonly ContextRow[]> {
    let done = 0;
    for await (const rows of scan.chunks) {
      isCancelled = await bookkeep(database, async (tx) => {
        await keepJob(tx, jobId);
        await updateJob(tx, jobId, { done });
        return (await findJob(tx, jobId))?.is_cancel_requested === 1;
      });
      if (isCancelled) return;
      yield rows;
      done = scan.scannedCount();
      tellCaller(instance, run, { done, total });
      instance.failpoint('rules:chunk-rehearsed');
    }
  }
}
