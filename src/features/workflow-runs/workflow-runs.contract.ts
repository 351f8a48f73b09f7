import { z } from 'zod';

import { AnyId, Id, clearableText, oneOf, page, queryInteger, queryList, text } from '../../contract/common.ts';
import { describedAs } from '../../contract/described-as.ts';
import { defineOperation } from '../../contract/operation.ts';
import { isDateOnly, parseInstant } from '../../kernel/dates.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { CAPS, exampleWorkflow } from '../workflows/workflow-record.contract.ts';
import {
  FailedRun,
  RunStatus,
  RunTrigger,
  SkipReason,
  WorkflowRun,
  count,
  exampleRun,
  exampleStarted,
} from './run-record.contract.ts';

const group = 'workflow-runs';
const runs = '/api/v1/workflows/runs';
const ofRun = z.object({ id: AnyId });
const ofWorkflow = z.object({ slug: AnyId });
const exampleOfRun = { id: exampleRun.short_id };
const exampleOfWorkflow = { slug: exampleWorkflow.slug };

// The lengths have codes of their own, so the handler checks them.
const RunInput = z.strictObject({
  prompt_prefix: describedAs(text(LIMITS.jsonBodyBytes), z.string().max(LIMITS.workflowPrefixChars))
    .optional()
    .meta({ description: 'Put before the prompt, for this run only' }),
  prompt: describedAs(text(LIMITS.jsonBodyBytes), z.string().min(1).max(LIMITS.workflowPromptChars))
    .optional()
    .meta({ description: 'Replaces the prompt for this run; prompt_prefix is then ignored' }),
});

export const runWorkflow = defineOperation({
  name: 'runWorkflow',
  group,
  method: 'POST',
  path: '/api/v1/workflows/{slug}/run',
  scope: 'full_access',
  summary: 'Run a workflow now, even if it is paused',
  description: 'It works in the background; follow it with GET /workflows/runs/{id} or its transcript.',
  params: ofWorkflow,
  body: RunInput,
  bodyOptional: true,
  response: WorkflowRun,
  status: 201,
  errors: [
    'VALIDATION_ERROR',
    'PROMPT_TOO_LONG',
    'PROMPT_PREFIX_TOO_LONG',
    'NOT_FOUND',
    'RUN_IN_PROGRESS',
    'MODEL_NOT_CONFIGURED',
    'AUTH_NOT_CONFIGURED',
    'BUDGET_CEILING_REACHED',
    'AGENTS_DISABLED',
    'CONCURRENCY_LOCKED',
  ],
  effect: 'write',
  unjournaled: true,
  weight: 'light',
  cli: { command: 'workflows run' },
  example: {
    params: exampleOfWorkflow,
    body: { prompt_prefix: 'Look at the new card first.' },
    response: { ...exampleStarted, prompt_prefix: 'Look at the new card first.' },
  },
});

/** A day of the household's time zone, or an instant. */
const Moment = describedAs(
  z.string().transform((text, context) => {
    const moment = isDateOnly(text) ? text : parseInstant(text);
    if (moment !== undefined) return moment;
    context.addIssue('must be a date as YYYY-MM-DD, or an instant such as 2026-04-26T06:00:00Z');
    return z.NEVER;
  }),
  z.string(),
);

const filters = {
  status: queryList(RunStatus).optional(),
  trigger: queryList(RunTrigger).optional(),
  skip_reason: queryList(SkipReason).optional(),
  hit_cap: queryList(oneOf([...CAPS, 'any']))
    .optional()
    .meta({ description: 'any: every run that a cap stopped' }),
  start: Moment.optional().meta({ description: 'Date or instant, inclusive' }),
  end: Moment.optional().meta({ description: 'A date includes its day; an instant is exclusive' }),
  limit: queryInteger(1, LIMITS.pageMax).default(LIMITS.pageDefault),
  cursor: z.string().optional(),
};

const list = {
  group,
  method: 'GET',
  scope: 'read_only',
  response: page('runs', WorkflowRun),
  status: 200,
  effect: 'read',
  weight: 'light',
  etag: true,
} as const;
const exampleList = { runs: [exampleRun], next_cursor: '', has_more: false, limit: 50 };

export const listRuns = defineOperation({
  ...list,
  name: 'listRuns',
  path: runs,
  summary: 'List runs of all workflows, newest first',
  query: z.object({
    workflow: AnyId.optional().meta({ description: 'Slug or id; also the slug that runs of a deleted workflow keep' }),
    ...filters,
  }),
  errors: ['INVALID_PARAMETER', 'INVALID_CURSOR'],
  cli: { command: 'workflows runs' },
  example: { query: { status: 'success' }, response: exampleList },
});

export const listWorkflowRuns = defineOperation({
  ...list,
  name: 'listWorkflowRuns',
  path: '/api/v1/workflows/{slug}/runs',
  summary: 'List the runs of a workflow, newest first',
  params: ofWorkflow,
  query: z.object(filters),
  errors: ['NOT_FOUND', 'INVALID_PARAMETER', 'INVALID_CURSOR'],
  example: { params: exampleOfWorkflow, response: exampleList },
});

export const listFailedRuns = defineOperation({
  name: 'listFailedRuns',
  group,
  method: 'GET',
  path: `${runs}/recent-errors`,
  scope: 'read_only',
  summary: 'List recent runs that failed or ran out of time, newest first',
  query: z.object({ hours: queryInteger(1, 168).default(24), limit: queryInteger(1, 50).default(5) }),
  response: z.array(FailedRun),
  status: 200,
  errors: ['INVALID_PARAMETER'],
  effect: 'read',
  weight: 'light',
  cli: { command: 'workflows recent-errors' },
  example: {
    query: { hours: '168' },
    response: [
      {
        workflow_slug: exampleRun.workflow_slug,
        workflow_name: exampleRun.workflow_name,
        run_id: exampleRun.id,
        run_short_id: exampleRun.short_id,
        status: 'error',
        started_at: exampleRun.started_at,
        error_code: 'auth_error',
        error_message: 'The model provider refused the API key.',
        duration_ms: 812,
        hit_cap: null,
      },
    ],
  },
});

export const getRun = defineOperation({
  name: 'getRun',
  group,
  method: 'GET',
  path: `${runs}/{id}`,
  scope: 'read_only',
  summary: 'Get a run',
  params: ofRun,
  response: WorkflowRun,
  status: 200,
  errors: ['NOT_FOUND'],
  effect: 'read',
  weight: 'light',
  etag: true,
  beside: [
    'workflow_slug',
    'workflow_name',
    'duration_ms',
    'total_cost_usd',
    'input_tokens',
    'output_tokens',
    'cache_read_tokens',
    'cache_creation_tokens',
    'turn_count',
    'num_tool_calls',
    'change_set_count',
    'change_set_status',
  ],
  cli: { command: 'workflows run-get' },
  example: { params: exampleOfRun, response: exampleRun },
});

export const updateRun = defineOperation({
  name: 'updateRun',
  group,
  method: 'PATCH',
  path: `${runs}/{id}`,
  scope: 'full_access',
  summary: 'Set the note of a run',
  params: ofRun,
  body: z.strictObject({ note: clearableText(LIMITS.runNoteChars).meta({ description: '"" or null removes it' }) }),
  response: WorkflowRun,
  status: 200,
  errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
  effect: 'write',
  unjournaled: true,
  weight: 'light',
  cli: { command: 'workflows note' },
  example: {
    params: exampleOfRun,
    body: { note: 'Categories were fine.' },
    response: { ...exampleRun, operator_note: 'Categories were fine.' },
  },
});

export const cancelRun = defineOperation({
  name: 'cancelRun',
  group,
  method: 'POST',
  path: `${runs}/{id}/cancel`,
  scope: 'full_access',
  summary: 'Cancel a run in progress',
  description: 'It ends within ten seconds. What it has done by then is kept.',
  params: ofRun,
  response: z.object({ status: z.literal('cancelling'), run_id: Id }),
  status: 202,
  errors: ['NOT_FOUND', 'INVALID_STATE'],
  effect: 'write',
  unjournaled: true,
  weight: 'light',
  cli: { command: 'workflows cancel' },
  example: { params: exampleOfRun, response: { status: 'cancelling', run_id: exampleRun.id } },
});

export const getTranscript = defineOperation({
  name: 'getTranscript',
  group,
  method: 'GET',
  path: `${runs}/{id}/transcript`,
  scope: 'read_only',
  summary: 'Get the transcript of a run, even while it is in progress',
  description:
    'One JSON object per line: `seq`, `type`, `ts` and `data`. The last line of a finished run is its `result`.',
  params: ofRun,
  query: z.object({
    after: queryInteger(0, LIMITS.transcriptSeqMax).default(0).meta({ description: 'Only lines with a greater seq' }),
  }),
  response: z.string(),
  produces: ['application/x-ndjson'],
  status: 200,
  errors: ['NOT_FOUND', 'INVALID_PARAMETER'],
  effect: 'read',
  weight: 'heavy',
  noStore: true,
  cli: { command: 'workflows transcript' },
  example: {
    params: exampleOfRun,
    response:
      '{"seq":7,"type":"assistant_message","ts":"2026-07-01T09:10:39.000Z","data":{"text":"Reviewed 12 rows."}}\n',
  },
});

export const cleanUpRuns = defineOperation({
  name: 'cleanUpRuns',
  group,
  method: 'POST',
  path: '/api/v1/workflows/cleanup',
  scope: 'full_access',
  adminOnly: true,
  summary: 'Delete old runs and their transcripts now',
  description: [
    'Deletes what `run_retention_days` no longer covers, as happens every night. Runs in progress and runs whose proposal',
    'waits for a decision stay. What was spent still counts.',
  ].join(' '),
  response: z.object({ runs_deleted: count, transcripts_deleted: count, retention_days: count }),
  status: 200,
  errors: [],
  effect: 'write',
  unjournaled: true,
  weight: 'light',
  cli: { command: 'workflows cleanup' },
  example: { response: { runs_deleted: 12, transcripts_deleted: 11, retention_days: 30 } },
});

export const operations = [
  runWorkflow,
  listRuns,
  listFailedRuns,
  getRun,
  updateRun,
  cancelRun,
  getTranscript,
  cleanUpRuns,
  listWorkflowRuns,
];
