import { z } from 'zod';

import type { CallOf, OutputOf } from '../../../src/contract/operation.ts';
import type {
  listPresets,
  listPromptBlocks,
} from '../../../src/features/workflow-presets/workflow-presets.contract.ts';
import {
  WORKFLOW_DEFAULTS,
  type createWorkflow,
  type getWorkflow,
  type updateWorkflow,
} from '../../../src/features/workflows/workflows.contract.ts';

export type Workflow = OutputOf<typeof getWorkflow>;
export type Block = OutputOf<typeof listPromptBlocks>[number];
export type Preset = OutputOf<typeof listPresets>[number];
type NewBody = NonNullable<CallOf<typeof createWorkflow>['body']>;
type ChangedBody = NonNullable<CallOf<typeof updateWorkflow>['body']>;

const number = z.string().regex(/^\s*\d+(\.\d+)?\s*$/, 'must be a number');

/** What the editor asks for: everything as text and choices, as a person enters it. */
export const EditorForm = z.object({
  name: z.string().refine((value) => value.trim() !== '', 'must not be empty'),
  source: z.enum(['blocks', 'own']),
  strategy: z.string(),
  depth: z.string(),
  knowledge: z.array(z.string()),
  options: z.record(z.string(), z.string()),
  extra_instructions: z.string(),
  prompt: z.string(),
  tool_scope: z.enum(['read_only', 'propose', 'read_write']),
  allowed_tools: z.string(),
  model_tier: z.enum(['fast', 'balanced', 'deep']),
  model: z.string(),
  trigger: z.enum(['manual', 'cron', 'after_sync']),
  schedule_cron: z.string(),
  quiet_hours_start: z.string(),
  quiet_hours_end: z.string(),
  max_turns: number,
  max_budget_usd: number,
  max_tokens: number,
  max_duration_seconds: number,
});
export type EditorValues = z.output<typeof EditorForm>;

/** What a new workflow begins with, unless it is a copy of another one. */
export const FRESH: EditorValues = {
  name: '',
  source: 'blocks',
  strategy: 'strategy-routine-review',
  depth: '',
  knowledge: [],
  options: {},
  extra_instructions: '',
  prompt: '',
  tool_scope: WORKFLOW_DEFAULTS.tool_scope,
  allowed_tools: '',
  model_tier: WORKFLOW_DEFAULTS.model_tier,
  model: '',
  trigger: 'manual',
  schedule_cron: '0 7 * * MON',
  quiet_hours_start: '',
  quiet_hours_end: '',
  max_turns: String(WORKFLOW_DEFAULTS.max_turns),
  max_budget_usd: String(WORKFLOW_DEFAULTS.max_budget_usd),
  max_tokens: String(WORKFLOW_DEFAULTS.max_tokens),
  max_duration_seconds: String(WORKFLOW_DEFAULTS.max_duration_seconds),
};

export function valuesOf(workflow: Workflow, blocks: readonly Block[]): EditorValues {
  const ofGroup = (group: Block['group']): string[] =>
    workflow.prompt_blocks.filter((id) => blocks.some((block) => block.id === id && block.group === group));
  const [strategy = FRESH.strategy] = ofGroup('strategy');
  return {
    name: workflow.name,
    source: workflow.prompt_edited ? 'own' : 'blocks',
    strategy,
    depth: ofGroup('depth')[0] ?? '',
    knowledge: ofGroup('knowledge'),
    options: workflow.preset_options,
    extra_instructions: workflow.extra_instructions ?? '',
    prompt: workflow.prompt,
    tool_scope: workflow.tool_scope,
    allowed_tools: workflow.allowed_tools.join('\n'),
    model_tier: workflow.model_tier,
    model: workflow.model ?? '',
    trigger: workflow.schedule_cron !== null ? 'cron' : workflow.trigger_on_sync_complete ? 'after_sync' : 'manual',
    schedule_cron: workflow.schedule_cron ?? FRESH.schedule_cron,
    quiet_hours_start: workflow.quiet_hours_start ?? '',
    quiet_hours_end: workflow.quiet_hours_end ?? '',
    max_turns: String(workflow.max_turns),
    max_budget_usd: String(workflow.max_budget_usd),
    max_tokens: String(workflow.max_tokens),
    max_duration_seconds: String(workflow.max_duration_seconds),
  };
}

export function blocksOf({ strategy, depth, knowledge }: Pick<EditorValues, 'strategy' | 'depth' | 'knowledge'>) {
  return [strategy, ...(depth === '' ? [] : [depth]), ...knowledge];
}

function settingsOf(values: EditorValues) {
  return {
    name: values.name,
    tool_scope: values.tool_scope,
    allowed_tools: values.allowed_tools.split(/[\s,]+/).filter((name) => name !== ''),
    model_tier: values.model_tier,
    model: values.model,
    schedule_cron: values.trigger === 'cron' ? values.schedule_cron : null,
    trigger_on_sync_complete: values.trigger === 'after_sync',
    quiet_hours_start: values.quiet_hours_start,
    quiet_hours_end: values.quiet_hours_end,
    max_turns: Number(values.max_turns),
    max_budget_usd: Number(values.max_budget_usd),
    max_tokens: Number(values.max_tokens),
    max_duration_seconds: Number(values.max_duration_seconds),
  };
}

/** A new workflow is paused: whoever saves it has not let it start yet. */
export function newBodyOf(values: EditorValues): NewBody {
  const prompt =
    values.source === 'own'
      ? { prompt: values.prompt }
      : { prompt_blocks: blocksOf(values), extra_instructions: values.extra_instructions };
  return { ...settingsOf(values), ...prompt };
}

/** Says nothing of a prompt that stays as it is, nor ever of whether the workflow is enabled. */
export function changedBodyOf(values: EditorValues, workflow: Workflow): ChangedBody {
  const settings = settingsOf(values);
  if (values.source === 'own') {
    const isSame = workflow.prompt_edited && values.prompt === workflow.prompt;
    return isSame ? settings : { ...settings, prompt: values.prompt };
  }
  const blocks = blocksOf(values);
  const isSame = !workflow.prompt_edited && blocks.join() === workflow.prompt_blocks.join();
  const hasOptions = Object.keys(values.options).length > 0;
  return {
    ...settings,
    ...(isSame ? {} : { prompt_blocks: blocks }),
    ...(hasOptions ? { preset_options: values.options } : {}),
    extra_instructions: values.extra_instructions,
  };
}
