import { bookkeep } from '../../journal/write.ts';
import { instantNow } from '../../kernel/clock.ts';
import { AppError } from '../../kernel/errors.ts';
import { defineWork, type Instance } from '../handler.ts';
import { endJob, failJob, findJob } from '../jobs/index.ts';
import { loadRulesOf, namesOf, resultOf, type ApplyRequest } from './apply-request.ts';
import { runOverLedger } from './run-over-ledger.ts';

/** A job whose turn has come: runs its rules over the ledger, and ends it. @throws what stopped it */
export const runJob = defineWork<{ jobId: string; request: ApplyRequest }>(
  { name: 'runJob', group: 'rules' },
  async ({ instance, principal, request: info }, { jobId, request }) => {
    const { database } = instance;
    const { action, appliedBy } = namesOf(request);
    const run = {
      jobId,
      request,
      appliedBy,
      origin: {
        actor: principal?.actor ?? { type: 'system' as const, id: null, userId: null, name: 'system' },
        surface: info.surface,
        source: 'rule' as const,
        action,
        reason: info.reason,
        requestId: info.id,
        ruleId: request.ruleId,
      },
      isCancelled: async () => database.read(async (tx) => (await findJob(tx, jobId))?.is_cancel_requested === 1),
    };
    const now = instantNow(instance.clock);
    const loaded = await database.read((tx) => loadRulesOf(tx, request, now));
    const done = await runOverLedger(instance, run, loaded);
    if (!done) return;
    const result = JSON.stringify(resultOf(request, done.tally, loaded, done.changeSetId));
    const status = done.isCancelled ? 'cancelled' : 'succeeded';
    await bookkeep(database, (tx) => endJob(tx, jobId, { status, result, change_set_id: done.changeSetId }));
  },
);

/** Ends a job that could not be done, or not to its end; what its chunks had committed stays, and is its result. */
export async function giveUpRun({ database }: Instance, jobId: string, reason: unknown): Promise<void> {
  const ours = 'A rule failed on our side. The transactions done before stay changed; the rest is untouched.';
  const error = reason instanceof AppError ? reason : { code: 'INTERNAL_ERROR', message: ours };
  await bookkeep(database, (tx) => failJob(tx, jobId, error));
}
