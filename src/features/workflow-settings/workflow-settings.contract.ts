import { z } from 'zod';

import { clearableText, name, oneOf } from '../../contract/common.ts';
import { describedAs } from '../../contract/described-as.ts';
import { defineOperation } from '../../contract/operation.ts';
import { isWholeMicros } from '../../kernel/dollars.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { isModelKey, MODEL_PROVIDERS, readModelBaseUrl } from '../../kernel/model-address.ts';

export const ModelProvider = oneOf(MODEL_PROVIDERS).meta({ id: 'ModelProvider' });

const TIERS = ['fast', 'balanced', 'deep'] as const;

const Name = z.string().nullable();
export const ModelNames = z.object({ fast: Name, balanced: Name, deep: Name });

export const PriceOfModel = z.object({
  model: z.string(),
  input_per_mtok: z.number(),
  output_per_mtok: z.number(),
  cache_read_per_mtok: z.number().nullable(),
  cache_write_per_mtok: z.number().nullable(),
});

const EnvField = z.enum(['provider', 'model', 'base_url', 'api_key']);

export const WorkflowSettings = z
  .object({
    enabled: z.boolean().meta({ description: 'false: no workflow starts' }),
    provider: ModelProvider.nullable(),
    model: Name.meta({ description: 'Default model' }),
    models: ModelNames.meta({ description: 'Models of the tiers; null: the default model' }),
    context_tokens: z.int().nullable().meta({
      description: 'Tokens of context that the model server really provides; null: not known',
    }),
    base_url: z.string().nullable().meta({ description: 'null: the provider’s own address' }),
    api_key_set: z.boolean(),
    api_key_hint: z.string().nullable().meta({ description: 'Last 4 characters of a key that has at least 12' }),
    api_key_source: z.enum(['settings', 'env']).nullable(),
    from_env: z.array(EnvField).meta({ description: 'Fields that environment variables set' }),
    max_concurrent: z.int(),
    global_max_budget_usd: z.number().nullable().meta({
      description: 'What the household spends at most on models in 30 days, in US dollars; null: no ceiling',
    }),
    run_retention_days: z.int().meta({ description: 'Days that finished runs are kept; 0: forever' }),
    proposal_ttl_days: z.int().meta({ description: 'Days after which a proposal expires' }),
    prices: z.array(PriceOfModel).meta({ description: 'Your own prices, in US dollars per million tokens' }),
    effective_prices: z
      .array(
        PriceOfModel.extend({
          source: z.enum(['shipped', 'settings']),
          as_of: z.string().nullable().meta({ format: 'date', description: 'When a shipped price was checked' }),
        }),
      )
      .meta({ description: 'The prices that come with Homeledger, overridden by yours' }),
  })
  .meta({ id: 'WorkflowSettings' });

function integer(min: number, max: number): z.ZodType<number, number> {
  const form = `must be a whole number from ${min} to ${max}`;
  return z.int(form).min(min, form).max(max, form);
}

function dollars(max: number): z.ZodType<number, number> {
  const form = `must be a number from 0 to ${max} with at most six decimals`;
  return z.number(form).min(0, form).max(max, form).refine(isWholeMicros, form);
}

const NameInput = clearableText(LIMITS.modelNameChars).optional();
const Dollars = dollars(LIMITS.modelPriceUsd);
const CachePrice = Dollars.nullable().default(null).meta({ description: 'null: the input price' });

const PriceInput = z.strictObject({
  model: name(LIMITS.modelNameChars),
  input_per_mtok: Dollars,
  output_per_mtok: Dollars,
  cache_read_per_mtok: CachePrice,
  cache_write_per_mtok: CachePrice,
});

const BaseUrlInput = describedAs(
  clearableText(LIMITS.urlChars).transform((value, context) => {
    const read = value === null ? { url: null } : readModelBaseUrl(value);
    if ('url' in read) return read.url;
    context.addIssue(read.problem);
    return z.NEVER;
  }),
  z.string().max(LIMITS.urlChars).nullable(),
);

const KeyInput = clearableText(LIMITS.modelKeyChars).refine(
  (value) => value === null || isModelKey(value),
  'must be printable ASCII without spaces',
);

export const WorkflowSettingsInput = z.strictObject({
  enabled: z.boolean().optional(),
  provider: ModelProvider.nullable().optional(),
  model: NameInput,
  models: z.strictObject({ fast: NameInput, balanced: NameInput, deep: NameInput }).optional(),
  context_tokens: integer(LIMITS.modelMinContext, LIMITS.modelMaxContext).nullable().optional(),
  base_url: BaseUrlInput.optional(),
  api_key: KeyInput.optional(),
  max_concurrent: integer(1, LIMITS.workflowConcurrency).optional(),
  global_max_budget_usd: dollars(LIMITS.workflowCeilingUsd).nullable().optional(),
  run_retention_days: integer(0, LIMITS.runRetentionDays).optional(),
  proposal_ttl_days: integer(1, LIMITS.proposalTtlDays).optional(),
  prices: z
    .array(PriceInput)
    .max(LIMITS.modelPrices, `must have at most ${LIMITS.modelPrices} rows`)
    .refine(
      (rows) => new Set(rows.map(({ model }) => model)).size === rows.length,
      'must have at most one row for each model',
    )
    .optional(),
});

const example = {
  enabled: true,
  provider: 'openai_compatible',
  model: 'local-model',
  models: { fast: null, balanced: null, deep: null },
  context_tokens: null,
  base_url: 'http://127.0.0.1:11434/v1',
  api_key_set: false,
  api_key_hint: null,
  api_key_source: null,
  from_env: [],
  max_concurrent: 3,
  global_max_budget_usd: 20,
  run_retention_days: 30,
  proposal_ttl_days: 30,
  prices: [],
  effective_prices: [
    {
      model: 'claude-haiku-4-5',
      input_per_mtok: 1,
      output_per_mtok: 5,
      cache_read_per_mtok: 0.1,
      cache_write_per_mtok: 1.25,
      source: 'shipped',
      as_of: '2026-10-10',
    },
  ],
};

const shared = { group: 'workflow-settings', status: 200, weight: 'light', noStore: true } as const;
const settings = {
  ...shared,
  path: '/api/v1/workflows/settings',
  scope: 'full_access',
  adminOnly: true,
  response: WorkflowSettings,
} as const;

export const getWorkflowSettings = defineOperation({
  ...settings,
  name: 'getWorkflowSettings',
  method: 'GET',
  summary: 'Get the settings of workflows and their models',
  errors: [],
  etag: true,
  effect: 'read',
  cli: { command: 'workflows settings' },
  example: { response: example },
});

const change = {
  ...settings,
  description: [
    'Fields that are left out keep their values. `api_key` is only written, never shown; null or "" clears it. A change of',
    '`provider` or `base_url` drops the stored key, unless the same request brings one.',
  ].join(' '),
  body: WorkflowSettingsInput,
  errors: ['VALIDATION_ERROR', 'SETTING_FROM_ENV'],
  effect: 'write',
  example: {
    body: { provider: 'openai_compatible', model: 'local-model', base_url: 'http://127.0.0.1:11434/v1' },
    response: example,
  },
} as const;

export const replaceWorkflowSettings = defineOperation({
  ...change,
  name: 'replaceWorkflowSettings',
  method: 'PUT',
  summary: 'Change the settings of workflows and their models',
});

export const updateWorkflowSettings = defineOperation({
  ...change,
  name: 'updateWorkflowSettings',
  method: 'PATCH',
  summary: 'Change the settings of workflows and their models, just as PUT does',
  example: { body: { max_concurrent: 5 }, response: { ...example, max_concurrent: 5 } },
});

const Usd = z.number().meta({ description: 'US dollars' });

export const WorkflowStatus = z
  .object({
    enabled: z.boolean(),
    provider: ModelProvider.nullable(),
    models: ModelNames.meta({ description: 'The model that each tier uses; null: none is named' }),
    auth_configured: z.boolean().meta({ description: 'The provider has the key that it needs' }),
    ready: z.boolean().meta({ description: 'Workflows of every tier can start' }),
    in_progress_count: z.int(),
    max_concurrent: z.int(),
    spent_30d_usd: Usd,
    reserved_usd: Usd.meta({ description: 'What runs in progress may still spend' }),
    global_max_budget_usd: z.number().nullable(),
    available_usd: z.number().nullable().meta({ description: 'null: no ceiling' }),
  })
  .meta({ id: 'WorkflowStatus' });

export const getWorkflowStatus = defineOperation({
  ...shared,
  name: 'getWorkflowStatus',
  method: 'GET',
  path: '/api/v1/workflows/status',
  scope: 'read_only',
  summary: 'Get whether workflows can start, and what is left to spend',
  response: WorkflowStatus,
  errors: [],
  effect: 'read',
  cli: { command: 'workflows status' },
  example: {
    response: {
      enabled: true,
      provider: 'anthropic',
      models: { fast: 'claude-haiku-4-5', balanced: 'claude-sonnet-5', deep: 'claude-opus-5' },
      auth_configured: true,
      ready: true,
      in_progress_count: 1,
      max_concurrent: 3,
      spent_30d_usd: 2.104_233,
      reserved_usd: 0.981_58,
      global_max_budget_usd: 20,
      available_usd: 16.914_187,
    },
  },
});

export const WorkflowModelTest = z
  .object({
    provider: ModelProvider,
    model: z.string(),
    duration_ms: z.int(),
    total_cost_usd: z.number().nullable().meta({ description: 'null: the model has no price' }),
    input_tokens: z.int(),
    output_tokens: z.int(),
    response: z.string().meta({ description: 'What the model answered' }),
    supports_tools: z.boolean().meta({ description: 'Workflows need a model that calls tools' }),
    context_ok: z
      .boolean()
      .nullable()
      .meta({ description: 'Whether a prompt as long as that of a workflow is read to its start; null: not tested' }),
    problems: z
      .array(z.object({ check: z.enum(['answer', 'tools', 'context']), message: z.string() }))
      .meta({ description: 'What went wrong, in the words of the model server where it said something' }),
  })
  .meta({ id: 'WorkflowModelTest' });

export const testWorkflowModel = defineOperation({
  ...shared,
  name: 'testWorkflowModel',
  method: 'POST',
  path: '/api/v1/workflows/test',
  scope: 'full_access',
  summary: 'Ask the model something, to see whether it works',
  description: [
    'Asks for a short answer and a tool call; a model server of your own also gets a prompt as long as that of a',
    'workflow. It can take minutes on a slow machine. What it costs does not count against the ceiling.',
  ].join(' '),
  body: z.strictObject({
    model_tier: oneOf(TIERS).default('fast'),
  }),
  bodyOptional: true,
  response: WorkflowModelTest,
  errors: ['VALIDATION_ERROR', 'AGENTS_DISABLED', 'MODEL_NOT_CONFIGURED', 'AUTH_NOT_CONFIGURED', 'PROVIDER_ERROR'],
  effect: 'background',
  cli: { command: 'workflows test' },
  example: {
    body: { model_tier: 'fast' },
    response: {
      provider: 'anthropic',
      model: 'claude-haiku-4-5',
      duration_ms: 1_840,
      total_cost_usd: 0.000_912,
      input_tokens: 612,
      output_tokens: 60,
      response: 'Ready.',
      supports_tools: true,
      context_ok: null,
      problems: [],
    },
  },
});

export const operations = [
  getWorkflowSettings,
  replaceWorkflowSettings,
  updateWorkflowSettings,
  getWorkflowStatus,
  testWorkflowModel,
];
