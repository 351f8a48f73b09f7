import { z } from 'zod';

import { validationError } from '../../../kernel/errors.ts';
import type { ReadTx } from '../../../db/unit-of-work.ts';
import { bookkeep } from '../../../journal/write.ts';
import { noteChangeSet } from '../../agent-calls/index.ts';
import { Reply, type BackgroundContext } from '../../handler.ts';
import { findJob } from '../../jobs/index.ts';
import { getJob, Job } from '../../jobs/jobs.contract.ts';
import { ApplyAllResult, applyAllRules, ApplyResult, applyRule } from '../../rules/rule-runs.contract.ts';
import { fieldsOf } from '../results/result-schema.ts';
import { Sentence } from '../../../contract/common.ts';
import { callOperation, pick, replyOf } from '../call-operation.ts';
import { defineBackgroundTool } from '../tool.ts';

const DRY = 'Nothing was changed. To run the rules, send the same arguments with dry_run false.';

const JOB = ['id', 'status', 'progress', 'error'] as const;

export const applyRules = defineBackgroundTool({
  name: 'apply_rules',
  title: 'Run rules over all transactions',
  description:
    'Runs one rule over the whole ledger or, without rule_id, all retroactive rules in order. dry_run defaults to ' +
    'true: check affected_count and sample_matches first. A run longer than 30 seconds continues in the background ' +
    'and returns {job}: call again with job_id alone, without the rule.',
  scope: 'full_access',
  effect: 'write',
  isProposable: true,
  isIdempotent: true,
  weight: 'light',
  input: {
    rule_id: z.string().optional(),
    overwrite_manual: z.boolean().default(false),
    dry_run: z.boolean().default(true),
    job_id: z.string().optional(),
  },
  output: {
    ...ApplyResult.partial().shape,
    ...ApplyAllResult.partial().shape,
    job: fieldsOf(Job, JOB).extend({ result: Job.shape.result.nullable() }).optional(),
    message: Sentence.nullable().optional(),
  },
  errors: ['RULE_NOT_APPLICABLE', 'PLAN_TOO_LARGE'],
  operations: ['applyRule', 'applyAllRules', 'getJob'],
  examples: [{ arguments: { rule_id: 'k3Xq90Zb' }, says: 'What would this rule change?' }],
  run: async (context, { job_id: jobId, ...run }) => {
    if (jobId !== undefined) {
      // Models that must send every argument send the defaults.
      const other =
        run.rule_id !== undefined
          ? 'rule_id'
          : run.overwrite_manual
            ? 'overwrite_manual'
            : run.dry_run
              ? undefined
              : 'dry_run';
      if (other !== undefined) throw validationError(other, `${other}: cannot be sent with job_id. Send job_id alone.`);
      return askJob(context, jobId);
    }
    const { rule_id: ruleId, dry_run: isDryRun, overwrite_manual: overwriteManual } = run;
    return apply(context, { ruleId, isDryRun, overwriteManual });
  },
});

interface Wanted {
  ruleId: string | undefined;
  isDryRun: boolean;
  overwriteManual: boolean;
}

async function apply(context: BackgroundContext, { ruleId, isDryRun, overwriteManual }: Wanted): Promise<object> {
  const body = { dry_run: isDryRun, overwrite_manual: overwriteManual };
  const {
    status,
    headers,
    continuation,
    body: done,
  } = await replyOf(context, ruleId === undefined ? applyAllRules : applyRule, {
    ...(ruleId === undefined ? {} : { params: { id: ruleId } }),
    body,
  });
  if (status === 202) {
    const job = done as JobRecord;
    const goOn = async (): Promise<void> => {
      await continuation?.();
      await noteWritten(context, job.id);
    };
    return new Reply(answerOf(job), continuation ? { continuation: goOn } : {});
  }
  const changeSetId = headers['x-change-set-id'];
  return new Reply(
    { ...(done as object), message: isDryRun ? DRY : null },
    changeSetId === undefined ? {} : { headers: { 'x-change-set-id': changeSetId } },
  );
}

/** The record of the call names what the run has written, as it does where the caller waited for it. */
async function noteWritten({ instance: { database }, agent }: BackgroundContext, jobId: string): Promise<void> {
  const changeSetId = (await database.read((tx) => findJob(tx, jobId)))?.change_set_id ?? null;
  if (!agent || changeSetId === null) return;
  agent.lateChangeSetId = changeSetId;
  await bookkeep(database, (tx) => noteChangeSet(tx, agent.record.id, changeSetId));
}

type JobRecord = z.output<typeof Job>;

async function askJob(context: BackgroundContext, id: string): Promise<object> {
  const ask = (tx: ReadTx) => callOperation<typeof getJob>({ ...context, tx }, getJob, { params: { id } });
  const job = await (context.tx ? ask(context.tx) : context.instance.database.read(ask));
  return answerOf(job);
}

/** A run may have ended at the very moment at which nobody waited for it any longer. */
function answerOf(job: JobRecord): object {
  if (job.status !== 'succeeded' || job.result === null) return stateOf(job);
  return isDry(job) ? { ...job.result, message: DRY } : job.result;
}

function isDry({ result }: JobRecord): boolean {
  return result?.['dry_run'] === true;
}

/** A run that is still going, or that failed. */
function stateOf(job: JobRecord): object {
  const isOver = job.finished_at !== null;
  const message = isOver
    ? isDry(job)
      ? 'The dry run stopped before it finished. Nothing was changed.'
      : 'The run stopped before it finished. What it changed stays changed; run the rules again to do the rest.'
    : `The run continues in the background. To check on it, send job_id ${job.short_id} alone.`;
  return { job: { ...pick(job, JOB), result: isOver ? job.result : null }, message };
}
