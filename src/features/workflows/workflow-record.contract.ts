import { z } from 'zod';

import { Body, clearableText, Code, Id, Instant, oneOf, ShortId, Slug, text } from '../../contract/common.ts';
import { describedAs } from '../../contract/described-as.ts';
import { dollarsOf, isWholeMicros } from '../../kernel/dollars.ts';
import { LIMITS } from '../../kernel/limits.ts';

export const TOOL_SCOPES = ['read_only', 'propose', 'read_write'] as const;
export const MODEL_TIERS = ['fast', 'balanced', 'deep'] as const;
export const RUN_TRIGGERS = ['manual', 'cron', 'after_sync'] as const;
export const RUN_STATUSES = ['in_progress', 'success', 'error', 'timeout', 'skipped', 'cancelled'] as const;
export const CAPS = ['max_turns', 'max_budget', 'max_tokens', 'max_duration', 'household_budget'] as const;

/** What the paths under /workflows mean before any slug (contract 60.1). */
export const RESERVED_SLUGS: readonly string[] = [
  'runs',
  'settings',
  'status',
  'test',
  'cleanup',
  'prompt-blocks',
  'compose',
  'cron-preview',
];

const ToolScope = oneOf(TOOL_SCOPES).meta({ id: 'ToolScope' });
export const ModelTier = oneOf(MODEL_TIERS).meta({ id: 'ModelTier' });
const Dollars = z.number().meta({ description: 'US dollars with at most six decimals' });
const count = z.int();

export const Workflow = z
  .object({
    id: Id,
    short_id: ShortId,
    name: z.string(),
    slug: Slug,
    prompt: Body.meta({ description: 'The prompt that a run gets' }),
    prompt_edited: z.boolean().meta({ description: 'Written by hand, instead of composed from blocks' }),
    prompt_blocks: z.array(Slug).meta({ description: 'Blocks that the prompt is composed from, in this order' }),
    preset_options: z.record(z.string(), z.string()).meta({ description: 'Chosen options of the preset' }),
    extra_instructions: Body.nullable(),
    system_prompt: Body.nullable().meta({ description: 'null: the built-in one' }),
    tool_scope: ToolScope,
    allowed_tools: z.array(Code).meta({ description: 'Empty: every tool that the scope permits' }),
    model_tier: ModelTier,
    model: z.string().nullable().meta({ description: 'The exact name of a model, instead of the one of the tier' }),
    max_turns: count.meta({ description: `0: no cap of its own; ${LIMITS.workflowTurns} always holds` }),
    max_budget_usd: Dollars.meta({ description: 'US dollars; 0: no cap of its own' }),
    max_tokens: count.meta({
      description: `0: no cap of its own, or ${LIMITS.workflowUnpricedTokens} if the price of the model is not known`,
    }),
    max_duration_seconds: count,
    enabled: z.boolean().meta({ description: 'false: it does not start by itself; it can still be run by hand' }),
    schedule_cron: Code.nullable().meta({ description: 'Five fields, in the time zone of the household' }),
    trigger_on_sync_complete: z.boolean().meta({ description: 'A sync or import that changed something starts it' }),
    quiet_hours_start: Code.nullable().meta({ description: 'HH:MM in the time zone of the household' }),
    quiet_hours_end: Code.nullable(),
    source_template: Slug.nullable().meta({ description: 'The preset that it was made from' }),
    next_fire_at: Instant.nullable().meta({ description: 'null unless it is enabled and has a schedule' }),
    last_run: z
      .object({
        id: Id,
        short_id: ShortId,
        status: z.enum(RUN_STATUSES),
        trigger: z.enum(RUN_TRIGGERS),
        started_at: Instant,
        completed_at: Instant.nullable(),
        duration_ms: count.nullable(),
        total_cost_usd: Dollars.nullable(),
        hit_cap: z.enum(CAPS).nullable(),
      })
      .nullable()
      .meta({ description: 'The newest run that was not skipped' }),
    cost_stats_30d: z
      .object({ run_count: count, total_cost_usd: Dollars })
      .meta({ description: 'Runs of the last 30 days that were not skipped; an unknown cost counts as 0' }),
    recent_error_stats: z
      .object({ error_count: count, run_count: count })
      .meta({ description: 'How many of the last five finished runs failed or ran out of time' }),
    recent_cap_stats: z
      .object({ cap_count: count, run_count: count })
      .meta({ description: 'How many of the same five a cap stopped' }),
    last_prompt_prefix: Body.nullable().meta({ description: 'The note of the newest run by hand that had one' }),
    created_at: Instant,
    updated_at: Instant,
  })
  .meta({ id: 'Workflow' });

const SLUG = /^[a-z0-9]([a-z0-9-]{0,62}[a-z0-9])?$/;
const TIME = /^([01]\d|2[0-3]):[0-5]\d$/;

const time = describedAs(
  z
    .string()
    .nullable()
    .transform((value) => (value === null || value.trim() === '' ? null : value.trim()))
    .refine((value) => value === null || TIME.test(value), 'must be a time of day as HH:MM'),
  z.string().regex(TIME).nullable(),
).meta({ description: 'In the household’s time zone; null or "" clears it. Send both or neither' });

function whole(min: number, max: number): z.ZodInt {
  const message = `must be a whole number from ${min} to ${max}`;
  return z.int(message).min(min, message).max(max, message);
}

const BUDGET = `must be a number of US dollars from 0 to ${dollarsOf(LIMITS.workflowBudgetMicros)} with at most six decimals`;
const budget = z
  .number(BUDGET)
  .min(0, BUDGET)
  .max(dollarsOf(LIMITS.workflowBudgetMicros), BUDGET)
  .refine(isWholeMicros, BUDGET);

/** Every writable field, as POST and PATCH take it. */
export const workflowFields = {
  slug: Slug.regex(SLUG, 'must be a-z and 0-9, with - between them, at most 64 characters').refine(
    (value) => !RESERVED_SLUGS.includes(value),
    `must not be one of ${RESERVED_SLUGS.join(', ')}`,
  ),
  prompt: text(LIMITS.workflowPromptChars, 1).refine((value) => value.trim() !== '', 'must not be blank'),
  prompt_blocks: z
    .array(z.string().max(LIMITS.nameChars))
    .max(LIMITS.listFilterValues, `must have at most ${LIMITS.listFilterValues} values`)
    .meta({ description: 'Exactly one strategy, at most one depth, and any knowledge blocks, in this order' }),
  extra_instructions: clearableText(LIMITS.workflowInstructionsChars),
  system_prompt: clearableText(LIMITS.workflowSystemPromptChars),
  tool_scope: ToolScope,
  allowed_tools: describedAs(
    z
      .array(z.string())
      .transform((tools) => [...new Set(tools)])
      .refine((tools) => tools.length <= LIMITS.workflowTools, `must have at most ${LIMITS.workflowTools} tools`),
    z.array(z.string()).max(LIMITS.workflowTools),
  ),
  model_tier: ModelTier,
  model: clearableText(LIMITS.nameChars),
  max_turns: whole(0, LIMITS.workflowTurns),
  max_budget_usd: budget,
  max_tokens: whole(0, LIMITS.workflowTokens),
  max_duration_seconds: whole(LIMITS.workflowMinSeconds, LIMITS.workflowMaxSeconds),
  enabled: z.boolean(),
  schedule_cron: clearableText(LIMITS.nameChars),
  trigger_on_sync_complete: z.boolean(),
  quiet_hours_start: time,
  quiet_hours_end: time,
} as const;

export const exampleWorkflow: z.input<typeof Workflow> = {
  id: '01979f3a-0000-7000-8000-0000000000aa',
  short_id: 'k3J9aQ2z',
  name: 'Weekend spending',
  slug: 'weekend-spending',
  prompt: 'Report what we spent last weekend, by person.',
  prompt_edited: true,
  prompt_blocks: [],
  preset_options: {},
  extra_instructions: null,
  system_prompt: null,
  tool_scope: 'read_only',
  allowed_tools: ['get_overview', 'query_transactions'],
  model_tier: 'fast',
  model: null,
  max_turns: 40,
  max_budget_usd: 0.5,
  max_tokens: 600_000,
  max_duration_seconds: 600,
  enabled: true,
  schedule_cron: '0 7 * * MON',
  trigger_on_sync_complete: false,
  quiet_hours_start: null,
  quiet_hours_end: null,
  source_template: null,
  next_fire_at: '2026-07-06T05:00:00.000Z',
  last_run: {
    id: '0197a0c2-0000-7000-8000-0000000000ab',
    short_id: 'Zb81Qw0e',
    status: 'success',
    trigger: 'cron',
    started_at: '2026-06-29T05:00:00.000Z',
    completed_at: '2026-06-29T05:00:41.220Z',
    duration_ms: 41_220,
    total_cost_usd: 0.01842,
    hit_cap: null,
  },
  cost_stats_30d: { run_count: 4, total_cost_usd: 0.0714 },
  recent_error_stats: { error_count: 0, run_count: 4 },
  recent_cap_stats: { cap_count: 0, run_count: 4 },
  last_prompt_prefix: null,
  created_at: '2026-06-01T09:00:00.000Z',
  updated_at: '2026-06-01T09:00:00.000Z',
};
