import { isUnavailable } from '../../../db/unavailable.ts';
import { AppError } from '../../../kernel/errors.ts';
import { LIMITS } from '../../../kernel/limits.ts';
import { Reply, actorOf, type BackgroundContext } from '../../handler.ts';
import { acceptJob, findJob, takeTurn, toJob, type JobRecord } from '../../jobs/index.ts';
import { namesOf, type ApplyRequest } from './apply-request.ts';
import { runInOnePiece } from './run-in-one-piece.ts';
import { endedHeaders, giveUpRun, runJob, type Preference } from '../run-job.ts';

type Body = Record<string, unknown>;
const LATE = Symbol('late');

/** Runs rules. Answers 200 at the end, or 202 with the job if the run takes longer than the caller waits. */
export async function answerApply(context: BackgroundContext, request: ApplyRequest): Promise<Reply<Body>> {
  if (context.tx) return new Reply(await runInOnePiece(context.tx, request));
  const { instance, principal } = context;
  const actor = actorOf(principal);
  const { ruleId, overwriteManual, isDryRun } = request;
  const options = { rule_id: ruleId, overwrite_manual: overwriteManual, dry_run: isDryRun };
  const jobId = await acceptJob(instance, { kind: namesOf(request).kind, options, actor });
  const preference = preferenceOf(context.request.prefer);
  const work = workOn(context, request, jobId, preference);
  // The failure is seen where the run is awaited; until then it must not count as unhandled.
  work.catch(() => undefined);
  const waitMs = preference === 'wait' ? LIMITS.preferWaitMs : LIMITS.ruleRunWaitMs;
  const outcome = preference === 'respond-async' ? LATE : await within(work, waitMs);
  if (outcome === LATE) return later(context, jobId, preference, work);
  return ended(context, jobId, preference);
}

/** Waits for the job's turn and runs it in a thread. @throws what stopped it */
async function workOn(
  context: BackgroundContext,
  request: ApplyRequest,
  jobId: string,
  preference: Preference,
): Promise<void> {
  const { instance } = context;
  // A request that does not wait was answered with the job, so the result is not the answer to keep.
  const claim = preference === 'respond-async' ? null : context.claim;
  try {
    if (!(await takeTurn(instance, jobId))) return;
    await instance.runTask(runJob, { jobId, request, preference }, { ...context, claim });
  } catch (error) {
    const known = stoppedBy(error, jobId);
    await giveUpRun(instance, jobId, known);
    throw known;
  }
}

/** The error for a run that was stopped. What the run did before stays done. */
function stoppedBy(error: unknown, jobId: string): AppError {
  if (isUnavailable(error)) {
    const message =
      'The run was interrupted. What it has changed so far stays changed. Start it again for the rest; ' +
      `the job ${jobId} shows how far it got.`;
    return new AppError('UNAVAILABLE', message, { headers: { 'retry-after': '5' } });
  }
  if (error instanceof AppError) return error;
  const ours =
    'A rule failed because of an error in Homeledger. Transactions changed before it stay changed; the rest are untouched.';
  const known = new AppError('INTERNAL_ERROR', ours);
  known.cause = error;
  return known;
}

async function within(work: Promise<unknown>, ms: number): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<typeof LATE>((resolve) => {
    timer = setTimeout(() => resolve(LATE), ms);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

async function later(
  { instance }: BackgroundContext,
  jobId: string,
  preference: Preference,
  work: Promise<unknown>,
): Promise<Reply<Body>> {
  const { job } = await jobOf(instance, jobId);
  return new Reply<Body>(job, {
    status: 202,
    headers: {
      location: `/api/v1/jobs/${jobId}`,
      'retry-after': '1',
      ...(preference === 'respond-async' ? { 'preference-applied': preference } : {}),
    },
    continuation: async () => {
      await work.catch((error: unknown) => {
        instance.logger.error({ err: error, job_id: jobId }, 'A run of rules failed.');
      });
    },
  });
}

/** 200, or 202 with the job if it was cancelled while the request waited. */
async function ended({ instance }: BackgroundContext, jobId: string, preference: Preference): Promise<Reply<Body>> {
  const { job, changeSetId } = await jobOf(instance, jobId);
  if (job.status !== 'succeeded') {
    const headers = { location: `/api/v1/jobs/${jobId}`, ...endedHeaders(preference, null) };
    return new Reply<Body>(job, { status: 202, headers });
  }
  return new Reply(job.result ?? {}, { headers: endedHeaders(preference, changeSetId) });
}

async function jobOf(
  { database }: BackgroundContext['instance'],
  jobId: string,
): Promise<{ job: JobRecord; changeSetId: string | null }> {
  const row = await database
    .read((tx) => findJob(tx, jobId))
    .catch((error: unknown) => {
      throw isUnavailable(error) ? stoppedBy(error, jobId) : error;
    });
  if (!row) throw new AppError('NOT_FOUND', 'The job no longer exists.');
  return { job: toJob(row), changeSetId: row.change_set_id };
}

/** The first preference in the header that applies to runs. */
function preferenceOf(header: string | null): Preference {
  const words = (header ?? '').split(',').map((part) => part.trim().toLowerCase().split(/[;=]/)[0]);
  return words.find((word) => word === 'respond-async' || word === 'wait') ?? null;
}
