import { z } from 'zod';

import { clearableText, Code, Icon, Sentence, Slug } from '../../contract/common.ts';
import { defineOperation } from '../../contract/operation.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { MODEL_TIERS, TOOL_SCOPES, Workflow, exampleWorkflow } from '../workflows/workflow-record.contract.ts';

const Dollars = z.number().meta({ description: 'US dollars' });

const PromptBlock = z
  .object({
    id: z.string(),
    title: z.string(),
    description: z.string(),
    icon: Icon.meta({ description: 'Name of a Lucide icon' }),
    group: z.enum(['strategy', 'depth', 'knowledge']),
    content: z.string().meta({ description: 'Markdown' }),
  })
  .meta({ id: 'PromptBlock' });

export const WorkflowPreset = z
  .object({
    slug: Slug,
    name: Sentence,
    category: Sentence,
    icon: Icon.meta({ description: 'Name of a Lucide icon' }),
    description: Sentence,
    prompt_blocks: z.array(Slug),
    tool_scope: z.enum(TOOL_SCOPES),
    model_tier: z.enum(MODEL_TIERS),
    allowed_tools: z.array(Code).meta({ description: 'The tools that its prompt names' }),
    max_turns: z.int(),
    max_tokens: z.int(),
    max_duration_seconds: z.int(),
    max_budget_usd: Dollars,
    est_cost_per_run_usd: Dollars.meta({ description: 'An estimate, in US dollars' }),
    schedule_cron: Code.nullable(),
    trigger_on_sync_complete: z.boolean(),
    one_off: z.boolean().meta({ description: 'Meant to be run once, by hand' }),
    options: z.array(
      z.object({
        key: Code,
        label: Sentence,
        help: Sentence,
        default: Code,
        choices: z.array(z.object({ value: Code, label: Sentence, directive: Sentence })),
      }),
    ),
    enabled: z.boolean().meta({ description: 'A workflow made from this preset exists' }),
    workflow_id: Code.nullable(),
    workflow_slug: Slug.nullable(),
    workflow_enabled: z.boolean().nullable().meta({ description: 'false: that workflow is paused' }),
  })
  .meta({ id: 'WorkflowPreset' });

const examplePreset: z.input<typeof WorkflowPreset> = {
  slug: 'routine-reviewer',
  name: 'Routine Reviewer',
  category: 'Categorization & Review',
  icon: 'sparkles',
  description: 'After each sync, categorizes what is new and flags what is doubtful.',
  prompt_blocks: ['strategy-routine-review', 'review-depth-efficient', 'category-system'],
  tool_scope: 'propose',
  model_tier: 'fast',
  allowed_tools: ['get_overview', 'query_transactions', 'list_categories', 'update_transactions'],
  max_turns: 40,
  max_tokens: 600_000,
  max_duration_seconds: 600,
  max_budget_usd: 1,
  est_cost_per_run_usd: 0.02,
  schedule_cron: null,
  trigger_on_sync_complete: true,
  one_off: false,
  options: [
    {
      key: 'apply_mode',
      label: 'How to apply',
      help: 'Whether rows are filed, or only flagged for a person',
      default: 'auto',
      choices: [
        { value: 'auto', label: 'Categorize', directive: '' },
        {
          value: 'flag_only',
          label: 'Only flag',
          directive: 'Set no category, remove no tag and write no rule in this run. …',
        },
      ],
    },
  ],
  enabled: false,
  workflow_id: null,
  workflow_slug: null,
  workflow_enabled: null,
};

const group = 'workflow-presets';
const path = '/api/v1/workflow-presets';
const params = z.object({ slug: Slug });
const read = {
  group,
  method: 'GET',
  scope: 'read_only',
  status: 200,
  effect: 'read',
  weight: 'light',
  etag: true,
} as const;

export const listPromptBlocks = defineOperation({
  ...read,
  name: 'listPromptBlocks',
  path: '/api/v1/workflows/prompt-blocks',
  summary: 'List the texts that prompts are composed of',
  response: z.array(PromptBlock),
  errors: [],
  cli: { command: 'workflows blocks' },
  example: {
    response: [
      {
        id: 'review-depth-efficient',
        title: 'Efficient',
        description: 'One decision and at most one look-up for each merchant',
        icon: 'rabbit',
        group: 'depth',
        content: '## How deep to go\n\nBe quick.',
      },
    ],
  },
});

export const listPresets = defineOperation({
  ...read,
  name: 'listPresets',
  path,
  summary: 'List the ready-made workflows',
  response: z.array(WorkflowPreset),
  errors: [],
  cli: { command: 'workflows presets' },
  example: { response: [examplePreset] },
});

export const getPreset = defineOperation({
  ...read,
  name: 'getPreset',
  path: `${path}/{slug}`,
  summary: 'Get a ready-made workflow',
  params,
  response: WorkflowPreset,
  errors: ['NOT_FOUND'],
  example: { params: { slug: examplePreset.slug }, response: examplePreset },
});

export const enablePreset = defineOperation({
  name: 'enablePreset',
  group,
  method: 'POST',
  path: `${path}/{slug}/enable`,
  scope: 'full_access',
  closedToAgents: true,
  summary: 'Create a workflow from a preset',
  description: 'It is created paused, so that you can look at it first, unless `enabled` is true.',
  params,
  body: z.strictObject({
    enabled: z.boolean().default(false),
    options: z.record(z.string().max(LIMITS.nameChars), z.string().max(LIMITS.nameChars)).default({}),
    extra_instructions: clearableText(LIMITS.workflowInstructionsChars).default(null),
  }),
  bodyOptional: true,
  response: Workflow,
  status: 201,
  errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'PRESET_ALREADY_ENABLED'],
  effect: 'write',
  weight: 'light',
  cli: { command: 'workflows preset-enable' },
  example: {
    params: { slug: examplePreset.slug },
    body: { options: { apply_mode: 'flag_only' } },
    response: {
      ...exampleWorkflow,
      name: examplePreset.name,
      slug: examplePreset.slug,
      prompt: '## Routine review\n\nYou file what recent syncs and imports brought in. …',
      prompt_edited: false,
      prompt_blocks: examplePreset.prompt_blocks,
      preset_options: { apply_mode: 'flag_only' },
      tool_scope: 'propose',
      allowed_tools: examplePreset.allowed_tools,
      max_budget_usd: 1,
      enabled: false,
      schedule_cron: null,
      trigger_on_sync_complete: true,
      source_template: examplePreset.slug,
      next_fire_at: null,
      last_run: null,
      cost_stats_30d: { run_count: 0, total_cost_usd: 0 },
      recent_error_stats: { error_count: 0, run_count: 0 },
      recent_cap_stats: { cap_count: 0, run_count: 0 },
    },
  },
});

export const operations = [listPromptBlocks, listPresets, getPreset, enablePreset];
