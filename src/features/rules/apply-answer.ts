import { AppError } from '../../kernel/errors.ts';
import { instantNow } from '../../kernel/clock.ts';
import { LIMITS } from '../../kernel/limits.ts';
import type { Origin } from '../../journal/write.ts';
import { bookkeep } from '../../journal/write.ts';
import type { ReadTx } from '../../db/unit-of-work.ts';
import { Reply, type BackgroundContext } from '../handler.ts';
import { acceptJob, endJob, findJob, takeTurn, toJob, type JobRecord } from '../jobs/index.ts';
import { rehearseRun, type Rehearsal } from './rehearse-run.ts';
import { runOverLedger, type LedgerRunResult } from './run-over-ledger.ts';
import type { LoadedRules } from './rule-set.ts';
import { scanLedger } from './scan-ledger.ts';
import type { RunTally } from './run-tally.ts';

/** A request to run rules over the whole ledger: one rule, or all of them. */
export interface ApplyRequest {
  kind: 'rules_apply' | 'rules_apply_all';
  action: 'rule.apply' | 'rules.apply_all';
  appliedBy: 'apply' | 'apply_all';
  ruleId: string | null;
  overwriteManual: boolean;
  isDryRun: boolean;
  load: (tx: ReadTx, now: string) => Promise<LoadedRules>;
  /** The members of the answer besides the counts. */
  describe: (tally: RunTally, loaded: LoadedRules) => Record<string, unknown>;
}

type Preference = 'respond-async' | 'wait' | null;
const LATE = Symbol('late');

/** Runs rules and answers 200 at the end, or 202 with the job when that takes longer than the caller waits. */
export async function answerApply(
  context: BackgroundContext,
  request: ApplyRequest,
): Promise<Reply<Record<string, unknown>>> {
  const { instance } = context;
  const now = instantNow(instance.clock);
  if (request.isDryRun) {
    const { rehearsal, loaded } = await instance.database.read(async (tx) => {
      const loaded = await request.load(tx, now);
      const options = { overwriteManual: request.overwriteManual, sampleSize: LIMITS.ruleSamplesDefault };
      return { rehearsal: await rehearseRun(tx, loaded, scanLedger(tx, loaded.world), options), loaded };
    });
    return new Reply(resultOf(request, rehearsal.tally, loaded, null, rehearsal.samples));
  }
  const actor = context.principal?.actor ?? { type: 'system' as const, id: null, userId: null, name: 'system' };
  const options = { rule_id: request.ruleId, overwrite_manual: request.overwriteManual };
  const jobId = await acceptJob(instance, { kind: request.kind, options, actor });
  const preference = preferenceOf(context.request.prefer);
  const work = workOn(context, request, jobId, { ...originOf(context, request), actor });
  const waitMs = preference === 'wait' ? LIMITS.preferWaitMs : LIMITS.ruleRunWaitMs;
  const outcome = preference === 'respond-async' ? LATE : await within(work, waitMs);
  if (outcome === LATE) return later(context, jobId, preference, work);
  return ended(context, jobId, outcome, preference);
}

function originOf({ request: info }: BackgroundContext, request: ApplyRequest): Omit<Origin, 'actor'> {
  return {
    surface: info.surface,
    source: 'rule',
    action: request.action,
    reason: info.reason,
    requestId: info.id,
    ruleId: request.ruleId,
  };
}

/** The result that the job keeps; null when it was cancelled or given up before it began. */
async function workOn(
  { instance }: BackgroundContext,
  request: ApplyRequest,
  jobId: string,
  origin: Origin,
): Promise<LedgerRunResult | null> {
  if (!(await takeTurn(instance, jobId))) return null;
  const { database } = instance;
  const run = {
    jobId,
    appliedBy: request.appliedBy,
    overwriteManual: request.overwriteManual,
    origin,
    load: request.load,
    isCancelled: async () => database.read(async (tx) => (await findJob(tx, jobId))?.is_cancel_requested === 1),
  };
  const done = await runOverLedger(instance, run, instantNow(instance.clock)).catch((error: unknown) => ({ error }));
  if ('error' in done) {
    await bookkeep(database, (tx) => endJob(tx, jobId, { status: 'failed', error: failureText() }));
    throw done.error;
  }
  const result = resultOf(request, done.tally, done.loaded, done.changeSetId, []);
  await bookkeep(database, (tx) =>
    endJob(tx, jobId, {
      status: done.failure !== null ? 'failed' : done.isCancelled ? 'cancelled' : 'succeeded',
      result: JSON.stringify(result),
      error: done.failure === null ? null : failureText(),
      change_set_id: done.changeSetId,
    }),
  );
  if (done.failure !== null) throw done.failure;
  return done;
}

function failureText(): string {
  const message = 'A rule failed on our side. The transactions done before stay changed; the rest is untouched.';
  return JSON.stringify({ code: 'INTERNAL_ERROR', message });
}

function resultOf(
  request: ApplyRequest,
  tally: RunTally,
  loaded: LoadedRules,
  changeSetId: string | null,
  samples: Rehearsal['samples'],
): Record<string, unknown> {
  return {
    affected_count: tally.affectedCount,
    matched_count: tally.matchedCount,
    skipped_count: tally.skippedCount,
    total_scanned: tally.totalScanned,
    dry_run: request.isDryRun,
    change_set_id: changeSetId,
    sample_matches: samples,
    ...request.describe(tally, loaded),
  };
}

async function within<T>(work: Promise<T>, ms: number): Promise<T | typeof LATE> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<typeof LATE>((resolve) => {
    timer = setTimeout(() => resolve(LATE), ms);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

async function jobRecord({ instance }: BackgroundContext, jobId: string): Promise<JobRecord> {
  const job = await instance.database.read((tx) => findJob(tx, jobId));
  if (!job) throw new AppError('NOT_FOUND', 'The job is gone.');
  return toJob(job);
}

async function later(
  context: BackgroundContext,
  jobId: string,
  preference: Preference,
  work: Promise<unknown>,
): Promise<Reply<Record<string, unknown>>> {
  const { logger } = context.instance;
  return new Reply<Record<string, unknown>>(await jobRecord(context, jobId), {
    status: 202,
    headers: {
      location: `/api/v1/jobs/${jobId}`,
      'retry-after': '1',
      ...(preference === 'respond-async' ? { 'preference-applied': preference } : {}),
    },
    continuation: async () => {
      await work.catch((error: unknown) => logger.error({ err: error, job_id: jobId }, 'A run of rules failed.'));
    },
  });
}

/** 200, or the job when it was cancelled while the request waited. */
async function ended(
  context: BackgroundContext,
  jobId: string,
  outcome: LedgerRunResult | null,
  preference: Preference,
): Promise<Reply<Record<string, unknown>>> {
  const job = await jobRecord(context, jobId);
  const applied: Record<string, string> = preference === null ? {} : { 'preference-applied': preference };
  if (outcome === null || job.status !== 'succeeded') {
    const headers = { location: `/api/v1/jobs/${jobId}`, ...applied };
    return new Reply<Record<string, unknown>>(job, { status: 202, headers });
  }
  const { changeSetId } = outcome;
  const headers = { ...applied, ...(changeSetId === null ? {} : { 'x-change-set-id': changeSetId }) };
  return new Reply(job.result ?? {}, { headers });
}

/** The first preference of the header that means something here. */
function preferenceOf(header: string | null): Preference {
  const words = (header ?? '').split(',').map((part) => part.trim().toLowerCase().split(/[;=]/)[0]);
  return words.find((word) => word === 'respond-async' || word === 'wait') ?? null;
}
