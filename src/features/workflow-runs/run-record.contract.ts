import { z } from 'zod';

import { Body, Code, Id, Instant, oneOf, ShortId, Slug } from '../../contract/common.ts';
import { ChangeSetStatus } from '../change-sets/change-sets.contract.ts';
import {
  CAPS,
  RUN_STATUSES,
  RUN_TRIGGERS,
  TOOL_SCOPES,
  exampleWorkflow,
} from '../workflows/workflow-record.contract.ts';

const SKIP_REASONS = [
  'quiet_hours',
  'already_running',
  'concurrency',
  'budget_ceiling',
  'model_not_configured',
  'disabled',
] as const;
const RUN_ERRORS = [
  'auth_error',
  'api_error',
  'network_error',
  'context_too_long',
  'tool_error',
  'unusable_answer',
  'interrupted',
  'unknown',
] as const;

export const RunStatus = oneOf(RUN_STATUSES).meta({ id: 'RunStatus' });
export const RunTrigger = oneOf(RUN_TRIGGERS).meta({ id: 'RunTrigger' });
export const SkipReason = oneOf(SKIP_REASONS).meta({ id: 'SkipReason' });
export const Cap = oneOf(CAPS).meta({ id: 'RunCap' });
export const RunError = oneOf(RUN_ERRORS).meta({ id: 'RunError' });
export const count = z.int();

export const WorkflowRun = z
  .object({
    id: Id,
    short_id: ShortId,
    workflow_id: Id.nullable().meta({ description: 'null once the workflow is deleted' }),
    workflow_slug: Slug.meta({ description: 'As it was when the run began' }),
    workflow_name: z.string(),
    trigger: RunTrigger,
    status: RunStatus,
    skip_reason: SkipReason.nullable(),
    cancel_requested: z.boolean(),
    tool_scope: z.enum(TOOL_SCOPES),
    started_at: Instant,
    completed_at: Instant.nullable(),
    duration_ms: count.nullable(),
    model_provider: Code.nullable(),
    model: z.string().nullable(),
    total_cost_usd: z
      .number()
      .nullable()
      .meta({ description: 'US dollars spent so far; null if the price of the model is not known' }),
    input_tokens: count,
    output_tokens: count,
    cache_read_tokens: count,
    cache_creation_tokens: count,
    turn_count: count,
    num_tool_calls: count,
    max_turns_used: count.nullable().meta({ description: 'The cap in force; null: none of its own' }),
    hit_cap: Cap.nullable().meta({ description: 'The cap that stopped it' }),
    error_code: RunError.nullable(),
    error_message: z.string().nullable(),
    result_text: Body.nullable().meta({ description: 'The last text of the model' }),
    operator_note: z.string().nullable().meta({ description: 'A note by a person, for people' }),
    prompt_prefix: Body.nullable().meta({ description: 'What was put before the prompt of this run' }),
    started_by: z.object({ type: z.string(), id: z.string().nullable(), name: z.string() }),
    report_ids: z.array(Id).meta({ description: 'Reports that it submitted' }),
    proposal_id: Id.nullable(),
    change_set_count: count.meta({ description: 'Change sets that it wrote' }),
    change_set_status: ChangeSetStatus.nullable().meta({
      description: 'Whether what it wrote is still in force, over all its change sets; null if it wrote none',
    }),
    has_transcript: z.boolean(),
    created_at: Instant,
  })
  .meta({ id: 'WorkflowRun' });

export const exampleRun: z.input<typeof WorkflowRun> = {
  id: '0197a0c2-0000-7000-8000-0000000000ab',
  short_id: 'Zb81Qw0e',
  workflow_id: exampleWorkflow.id,
  workflow_slug: exampleWorkflow.slug,
  workflow_name: exampleWorkflow.name,
  trigger: 'manual',
  status: 'success',
  skip_reason: null,
  cancel_requested: false,
  tool_scope: 'propose',
  started_at: '2026-07-01T09:10:00.000Z',
  completed_at: '2026-07-01T09:10:41.220Z',
  duration_ms: 41_220,
  model_provider: 'anthropic',
  model: 'claude-haiku-4-5',
  total_cost_usd: 0.01842,
  input_tokens: 14_210,
  output_tokens: 806,
  cache_read_tokens: 9_000,
  cache_creation_tokens: 0,
  turn_count: 6,
  num_tool_calls: 9,
  max_turns_used: 40,
  hit_cap: null,
  error_code: null,
  error_message: null,
  result_text: 'Reviewed 12 rows.',
  operator_note: null,
  prompt_prefix: null,
  started_by: { type: 'user', id: 'aB3dE6fG', name: 'Ada' },
  report_ids: ['0197a100-0000-7000-8000-0000000000ac'],
  proposal_id: '0197a200-0000-7000-8000-0000000000ad',
  change_set_count: 0,
  change_set_status: null,
  has_transcript: true,
  created_at: '2026-07-01T09:10:00.000Z',
};

export const exampleStarted: z.input<typeof WorkflowRun> = {
  ...exampleRun,
  status: 'in_progress',
  completed_at: null,
  duration_ms: null,
  total_cost_usd: 0,
  input_tokens: 0,
  output_tokens: 0,
  cache_read_tokens: 0,
  turn_count: 0,
  num_tool_calls: 0,
  result_text: null,
  report_ids: [],
  proposal_id: null,
  has_transcript: false,
};

export const FailedRun = z
  .object({
    workflow_slug: Slug,
    workflow_name: z.string(),
    run_id: Id,
    run_short_id: ShortId,
    status: RunStatus,
    started_at: Instant,
    error_code: RunError.nullable(),
    error_message: z.string().nullable(),
    duration_ms: count.nullable(),
    hit_cap: Cap.nullable(),
  })
  .meta({ id: 'FailedRun' });
