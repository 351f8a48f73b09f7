import { bookkeep } from '../../journal/write.ts';
import { instantNow } from '../../kernel/clock.ts';
import { actorOf, defineTask, runIdOf, type Instance } from '../handler.ts';
import { keepAnswer } from '../idempotent-answer.ts';
import { endJob, failJob, findJob } from '../jobs/index.ts';
import { loadRulesOf, namesOf, resultOf, type ApplyRequest } from './runs/apply-request.ts';
import { rehearseOverLedger } from './runs/rehearse-over-ledger.ts';
import { runOverLedger } from './runs/run-over-ledger.ts';

/** Runs the rules of a job whose turn has come, and ends the job. @throws what stopped it */
export const runJob = defineTask<{ jobId: string; request: ApplyRequest; preference: Preference }>(
  { name: 'runJob', group: 'rules' },
  async ({ instance, principal, request: info, claim }, { jobId, request, preference }) => {
    const { database } = instance;
    const { action, appliedBy } = namesOf(request);
    const run = {
      jobId,
      request,
      appliedBy,
      origin: {
        actor: actorOf(principal),
        surface: info.surface,
        source: 'rule' as const,
        action,
        reason: info.reason,
        requestId: info.id,
        ruleId: request.ruleId,
        workflowRunId: runIdOf(principal),
      },
      progressId: info.progressId,
      isCancelled: async () => database.read(async (tx) => (await findJob(tx, jobId))?.is_cancel_requested === 1),
    };
    const now = instantNow(instance.clock);
    const loaded = await database.read((tx) => loadRulesOf(tx, request, now));
    const done = await (request.isDryRun ? rehearseOverLedger : runOverLedger)(instance, run, loaded);
    if (!done) return;
    const result = JSON.stringify(resultOf(request, done.tally, loaded, done.changeSetId, done.samples));
    const status = done.isCancelled ? 'cancelled' : 'succeeded';
    await bookkeep(database, async (tx) => {
      await endJob(tx, jobId, { status, result, done: done.tally.totalScanned, change_set_id: done.changeSetId });
      if (!claim || status !== 'succeeded') return;
      await keepAnswer(tx, claim, { status: 200, headers: endedHeaders(preference, done.changeSetId), body: result });
    });
    instance.failpoint('rules:ended');
  },
);

/** Ends a job that failed. What its chunks committed stays, and is its result. */
export async function giveUpRun(
  { database, untilDone }: Instance,
  jobId: string,
  reason: { code: string; message: string },
): Promise<void> {
  await untilDone(() => bookkeep(database, (tx) => failJob(tx, jobId, reason)));
}

/** The preference that the caller stated for slow answers. */
export type Preference = 'respond-async' | 'wait' | null;

/** The headers of the answer of a run that has ended. */
export function endedHeaders(preference: Preference, changeSetId: string | null): Record<string, string> {
  return {
    ...(preference === null ? {} : { 'preference-applied': preference }),
    ...(changeSetId === null ? {} : { 'x-change-set-id': changeSetId }),
  };
}
