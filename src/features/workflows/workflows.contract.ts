import { z } from 'zod';

import { AnyId, Body, Code, Instant, name, queryInteger, text } from '../../contract/common.ts';
import { exactlyOne } from '../../contract/described-as.ts';
import { defineOperation } from '../../contract/operation.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { Workflow, exampleWorkflow, workflowFields } from './workflow-record.contract.ts';

export const WORKFLOW_DEFAULTS = {
  tool_scope: 'propose',
  allowed_tools: [],
  model_tier: 'balanced',
  max_turns: 0,
  max_budget_usd: 1,
  max_tokens: 2_000_000,
  max_duration_seconds: 1_800,
} as const;

const { slug, prompt, prompt_blocks, ...settings } = workflowFields;

const NewWorkflowFields = z.strictObject({
  name: name(),
  slug: slug.optional().meta({ description: 'Derived from the name if omitted' }),
  prompt: prompt.optional(),
  prompt_blocks: prompt_blocks.optional(),
  extra_instructions: settings.extra_instructions
    .default(null)
    .meta({ description: 'Added to a composed prompt; put them into the prompt if you write it yourself' }),
  system_prompt: settings.system_prompt.default(null),
  tool_scope: settings.tool_scope.default(WORKFLOW_DEFAULTS.tool_scope),
  allowed_tools: settings.allowed_tools.default([]),
  model_tier: settings.model_tier.default(WORKFLOW_DEFAULTS.model_tier),
  model: settings.model.default(null),
  max_turns: settings.max_turns.default(WORKFLOW_DEFAULTS.max_turns),
  max_budget_usd: settings.max_budget_usd.default(WORKFLOW_DEFAULTS.max_budget_usd),
  max_tokens: settings.max_tokens.default(WORKFLOW_DEFAULTS.max_tokens),
  max_duration_seconds: settings.max_duration_seconds.default(WORKFLOW_DEFAULTS.max_duration_seconds),
  enabled: settings.enabled.default(false),
  schedule_cron: settings.schedule_cron.default(null),
  trigger_on_sync_complete: settings.trigger_on_sync_complete
    .default(false)
    .meta({ description: 'Not together with schedule_cron' }),
  quiet_hours_start: settings.quiet_hours_start.default(null),
  quiet_hours_end: settings.quiet_hours_end.default(null),
});

export const NewWorkflow = exactlyOne(
  NewWorkflowFields.refine(
    (body) => (body.prompt === undefined) !== (body.prompt_blocks === undefined),
    'Send exactly one of prompt and prompt_blocks.',
  ),
  NewWorkflowFields,
  ['prompt', 'prompt_blocks'],
  'NewWorkflow',
);

export const WorkflowUpdate = z.strictObject({
  name: name().optional(),
  slug: slug.optional(),
  prompt: prompt.optional().meta({ description: 'Replaces the composed prompt, and empties prompt_blocks' }),
  prompt_blocks: prompt_blocks.optional().meta({ description: 'Replaces a prompt that was written by hand' }),
  preset_options: z
    .record(text(LIMITS.nameChars), text(LIMITS.nameChars))
    .optional()
    .meta({ description: 'Options that are left out keep their values. Only for a workflow made from a preset' }),
  extra_instructions: settings.extra_instructions.optional(),
  recompose: z.boolean().optional().meta({
    description: 'true: discard the prompt that was written by hand, and compose it from the preset again',
  }),
  system_prompt: settings.system_prompt.optional(),
  tool_scope: settings.tool_scope.optional(),
  allowed_tools: settings.allowed_tools.optional(),
  model_tier: settings.model_tier.optional(),
  model: settings.model.optional(),
  max_turns: settings.max_turns.optional(),
  max_budget_usd: settings.max_budget_usd.optional(),
  max_tokens: settings.max_tokens.optional(),
  max_duration_seconds: settings.max_duration_seconds.optional(),
  enabled: settings.enabled.optional(),
  schedule_cron: settings.schedule_cron.optional(),
  trigger_on_sync_complete: settings.trigger_on_sync_complete.optional(),
  quiet_hours_start: settings.quiet_hours_start.optional(),
  quiet_hours_end: settings.quiet_hours_end.optional(),
});

const group = 'workflows';
const path = '/api/v1/workflows';
const params = z.object({ slug: AnyId });
const exampleParams = { slug: exampleWorkflow.slug };
const exampleBody = {
  name: 'Weekend spending',
  prompt: exampleWorkflow.prompt,
  tool_scope: 'read_only',
  allowed_tools: ['get_overview', 'query_transactions'],
  model_tier: 'fast',
  max_budget_usd: 0.5,
  schedule_cron: '0 7 * * MON',
} as const;
const exampleNew = {
  ...exampleWorkflow,
  max_turns: 0,
  max_tokens: 2_000_000,
  max_duration_seconds: 1_800,
  enabled: false,
  next_fire_at: null,
  last_run: null,
  cost_stats_30d: { run_count: 0, total_cost_usd: 0 },
  recent_error_stats: { error_count: 0, run_count: 0 },
  recent_cap_stats: { cap_count: 0, run_count: 0 },
};

export const listWorkflows = defineOperation({
  name: 'listWorkflows',
  group,
  method: 'GET',
  path,
  scope: 'read_only',
  summary: 'List workflows, newest first',
  response: z.array(Workflow),
  status: 200,
  errors: [],
  effect: 'read',
  // Each has its whole prompt.
  weight: 'heavy',
  etag: true,
  cli: { command: 'workflows list' },
  example: { response: [exampleWorkflow] },
});

export const getWorkflow = defineOperation({
  name: 'getWorkflow',
  group,
  method: 'GET',
  path: `${path}/{slug}`,
  scope: 'read_only',
  summary: 'Get a workflow',
  params,
  response: Workflow,
  status: 200,
  errors: ['NOT_FOUND'],
  effect: 'read',
  weight: 'light',
  etag: true,
  beside: [
    'next_fire_at',
    'last_run',
    'cost_stats_30d',
    'recent_error_stats',
    'recent_cap_stats',
    'last_prompt_prefix',
  ],
  cli: { command: 'workflows get' },
  example: { params: exampleParams, response: exampleWorkflow },
});

const create = {
  group,
  method: 'POST',
  scope: 'full_access',
  closedToAgents: true,
  body: NewWorkflow,
  response: Workflow,
  status: 201,
  errors: ['VALIDATION_ERROR', 'CONFLICT'],
  effect: 'write',
  weight: 'light',
  example: { body: exampleBody, response: exampleNew },
} as const;

export const createWorkflow = defineOperation({
  ...create,
  name: 'createWorkflow',
  path,
  summary: 'Create a workflow',
  description: 'It starts by itself only once it is enabled.',
  cli: { command: 'workflows create' },
});

export const createAgent = defineOperation({
  ...create,
  name: 'createAgent',
  path: '/api/v1/agents',
  summary: 'Create a workflow, just as POST /workflows does',
});

export const updateWorkflow = defineOperation({
  name: 'updateWorkflow',
  group,
  method: 'PATCH',
  path: `${path}/{slug}`,
  scope: 'full_access',
  closedToAgents: true,
  summary: 'Change a workflow',
  description: 'Fields that are left out keep their values. A run in progress keeps what it began with.',
  params,
  body: WorkflowUpdate,
  response: Workflow,
  status: 200,
  errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'CONFLICT', 'PROMPT_EDITED'],
  effect: 'write',
  weight: 'light',
  cli: { command: 'workflows update' },
  example: {
    params: exampleParams,
    body: { max_budget_usd: 0.25, quiet_hours_start: '22:00', quiet_hours_end: '06:30' },
    response: { ...exampleWorkflow, max_budget_usd: 0.25, quiet_hours_start: '22:00', quiet_hours_end: '06:30' },
  },
});

export const deleteWorkflow = defineOperation({
  name: 'deleteWorkflow',
  group,
  method: 'DELETE',
  path: `${path}/{slug}`,
  scope: 'full_access',
  closedToAgents: true,
  summary: 'Delete a workflow',
  description: 'A run in progress is cancelled. Its runs, reports and proposals stay.',
  params,
  response: null,
  status: 204,
  errors: ['NOT_FOUND'],
  effect: 'write',
  weight: 'light',
  cli: { command: 'workflows delete', confirm: true },
  example: { params: exampleParams, response: null },
});

const switching = {
  group,
  method: 'POST',
  scope: 'full_access',
  closedToAgents: true,
  params,
  body: z.strictObject({}),
  bodyOptional: true,
  response: Workflow,
  status: 200,
  errors: ['NOT_FOUND'],
  effect: 'write',
  weight: 'light',
} as const;

export const enableWorkflow = defineOperation({
  ...switching,
  name: 'enableWorkflow',
  path: `${path}/{slug}/enable`,
  summary: 'Let a workflow start by itself',
  description: 'Occurrences of its schedule that have passed are not made up for.',
  cli: { command: 'workflows enable' },
  example: { params: exampleParams, response: exampleWorkflow },
});

export const disableWorkflow = defineOperation({
  ...switching,
  name: 'disableWorkflow',
  path: `${path}/{slug}/disable`,
  summary: 'Pause a workflow',
  description: 'A run in progress goes on, and it can still be run by hand.',
  cli: { command: 'workflows disable' },
  example: { params: exampleParams, response: { ...exampleWorkflow, enabled: false, next_fire_at: null } },
});

export const PromptParts = z.strictObject({
  preset: text(LIMITS.nameChars, 1).optional().meta({ description: 'Slug of a preset' }),
  options: z
    .record(text(LIMITS.nameChars), text(LIMITS.nameChars))
    .optional()
    .meta({ description: 'Options of the preset; those left out take its defaults' }),
  prompt_blocks: prompt_blocks.optional(),
  extra_instructions: settings.extra_instructions.optional(),
});

export const composeWorkflowPrompt = defineOperation({
  name: 'composeWorkflowPrompt',
  group,
  method: 'POST',
  path: `${path}/compose`,
  scope: 'full_access',
  summary: 'Compose a prompt without storing it',
  description: 'Send a preset with options, or prompt_blocks.',
  body: exactlyOne(
    PromptParts.refine(
      (body) => (body.preset === undefined) !== (body.prompt_blocks === undefined),
      'Send exactly one of preset and prompt_blocks.',
    ).refine(
      (body) => body.options === undefined || body.preset !== undefined,
      'options: only a preset has options. Send preset too, or leave out options.',
    ),
    PromptParts,
    ['preset', 'prompt_blocks'],
    'PromptParts',
  ),
  response: z
    .object({
      prompt: Body,
      characters: z.int(),
      token_estimate: z.int().meta({ description: 'An estimate: one token per four characters' }),
    })
    .meta({ id: 'ComposedPrompt' }),
  status: 200,
  errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
  effect: 'read',
  weight: 'light',
  cli: { command: 'workflows compose' },
  example: {
    body: { preset: 'routine-reviewer', options: { apply_mode: 'flag_only' } },
    response: { prompt: '## Routine review\n…', characters: 4_812, token_estimate: 1_203 },
  },
});

export const previewCron = defineOperation({
  name: 'previewCron',
  group,
  method: 'GET',
  path: `${path}/cron-preview`,
  scope: 'read_only',
  summary: 'Show when a schedule would start a workflow',
  query: z.object({
    expression: text(LIMITS.nameChars, 1).meta({ description: 'Minute, hour, day, month and weekday' }),
    count: queryInteger(1, 20).default(5),
  }),
  response: z.object({ expression: z.string(), timezone: Code, next: z.array(Instant) }).meta({ id: 'CronPreview' }),
  status: 200,
  errors: ['INVALID_PARAMETER'],
  effect: 'read',
  weight: 'light',
  cli: { command: 'workflows cron-preview' },
  example: {
    query: { expression: '0 7 * * MON', count: '2' },
    response: {
      expression: '0 7 * * MON',
      timezone: 'Europe/Amsterdam',
      next: ['2026-07-06T05:00:00.000Z', '2026-07-13T05:00:00.000Z'],
    },
  },
});

export const operations = [
  listWorkflows,
  createWorkflow,
  createAgent,
  composeWorkflowPrompt,
  previewCron,
  getWorkflow,
  updateWorkflow,
  deleteWorkflow,
  enableWorkflow,
  disableWorkflow,
];
