import type { z } from 'zod';

import type { ReadTx } from '../../db/unit-of-work.ts';
import { AppError, notFound } from '../../kernel/errors.ts';
import { tools } from '../agent-tools/index.ts';
import { handleRead, handleWrite, Reply } from '../handler.ts';
import { createWorkflowRow, freeSlug, selectWorkflows, showWorkflow } from '../workflows/index.ts';
import { BLOCKS } from './blocks.ts';
import { readOptions } from './compose-prompt.ts';
import { findPreset, PRESETS, toolsOfPreset, type Preset } from './presets.ts';
import * as contract from './workflow-presets.contract.ts';

const TOOL_NAMES = tools.map(({ info }) => info.name);

type Shown = z.input<typeof contract.WorkflowPreset>;

export const listPromptBlocks = handleRead(contract.listPromptBlocks, async () => [...BLOCKS]);

export const listPresets = handleRead(contract.listPresets, async ({ tx }) => showPresets(tx, PRESETS));

export const getPreset = handleRead(contract.getPreset, async ({ tx }, { params }) => {
  const [shown] = await showPresets(tx, [requirePreset(params.slug)]);
  return shown as Shown;
});

/** The records of presets, each with the workflow that was made from it. */
async function showPresets(tx: ReadTx, presets: readonly Preset[]): Promise<Shown[]> {
  const workflows = await selectWorkflows(tx);
  return presets.map((preset) => {
    const made = workflows.find(({ source_template: from }) => from === preset.slug);
    return {
      ...preset,
      prompt_blocks: [...preset.prompt_blocks],
      allowed_tools: toolsOfPreset(preset, TOOL_NAMES),
      one_off: preset.schedule_cron === null && !preset.trigger_on_sync_complete,
      options: preset.options.map((option) => ({ ...option, choices: [...option.choices] })),
      enabled: made !== undefined,
      workflow_id: made?.id ?? null,
      workflow_slug: made?.slug ?? null,
      workflow_enabled: made ? made.is_enabled === 1 : null,
    };
  });
}

/** @throws NOT_FOUND */
function requirePreset(slug: string): Preset {
  const preset = findPreset(slug);
  if (!preset) throw notFound('preset');
  return preset;
}

export const enablePreset = handleWrite(contract.enablePreset, 'workflow.create', async ({ tx }, { params, body }) => {
  const preset = requirePreset(params.slug);
  const { slug, name, prompt_blocks, tool_scope, model_tier, max_turns, max_tokens, max_duration_seconds } = preset;
  const preset_options = readOptions(preset, body.options, 'options');
  // Writers take turns, so nobody can enable it meanwhile.
  const made = (await selectWorkflows(tx)).find(({ source_template: from }) => from === slug);
  if (made) {
    const message = `A workflow made from this preset already exists: ${made.slug}. Change that one, or delete it first.`;
    throw new AppError('PRESET_ALREADY_ENABLED', message);
  }
  const row = await createWorkflowRow(tx, {
    name,
    slug: await freeSlug(tx, slug),
    prompt: null,
    prompt_blocks,
    preset_options,
    extra_instructions: body.extra_instructions,
    system_prompt: null,
    tool_scope,
    allowed_tools: toolsOfPreset(preset, TOOL_NAMES),
    model_tier,
    model: null,
    max_turns,
    max_budget_usd: preset.max_budget_usd,
    max_tokens,
    max_duration_seconds,
    enabled: body.enabled,
    schedule_cron: preset.schedule_cron,
    trigger_on_sync_complete: preset.trigger_on_sync_complete,
    quiet_hours_start: null,
    quiet_hours_end: null,
    source_template: slug,
  });
  tx.journal.summarise(`Created the workflow ${name} from its preset`);
  return new Reply(await showWorkflow(tx, row, tx.now), { headers: { location: `/api/v1/workflows/${row.id}` } });
});
