import type { z } from 'zod';

import type { WorkflowsTable } from '../../db/schema-workflows.ts';
import type { WriteTx } from '../../journal/write.ts';
import { AppError, validationError } from '../../kernel/errors.ts';
import { withoutUndefined } from '../../kernel/json.ts';
import { findPreset, readOptions } from '../workflow-presets/index.ts';
import { requireBlocks, requireTools } from './check-names.ts';
import { findIdleSchedule, findLongPrompt } from './check-start.ts';
import { findContradiction } from './check-workflow.ts';
import { householdZone } from '../config/index.ts';
import { restartSchedule } from './schedule.ts';
import { columnsOf, fieldsOf, type WorkflowFields } from './workflow-fields.ts';
import type { WorkflowUpdate } from './workflows.contract.ts';
import { isRescheduled, workflows } from './workflows.entity.ts';
import { isSlugTaken } from './workflows.queries.ts';

type Sent = z.output<typeof WorkflowUpdate>;

/** Judges the merged result as a whole, and applies it entirely. @throws VALIDATION_ERROR, CONFLICT, PROMPT_EDITED */
export async function changeWorkflow(tx: WriteTx, row: WorkflowsTable, sent: Sent): Promise<WorkflowsTable> {
  const before = fieldsOf(row);
  const after = merge(before, sent);
  if (sent.allowed_tools) requireTools(sent.allowed_tools);
  await requireSound(tx, after);
  if (after.slug !== before.slug) await requireFreeSlug(tx, after.slug);
  return store(tx, row, after);
}

/** Lets a workflow start by itself, or no longer. What it did not do until now is not made up for. */
export async function switchWorkflow(tx: WriteTx, row: WorkflowsTable, enabled: boolean): Promise<WorkflowsTable> {
  return store(tx, row, { ...fieldsOf(row), enabled });
}

async function store(tx: WriteTx, row: WorkflowsTable, fields: WorkflowFields): Promise<WorkflowsTable> {
  const changed = await workflows.change(tx, row, columnsOf(fields));
  if (isRescheduled(row, changed)) await restartSchedule(tx, row.id);
  return changed;
}

/** @throws VALIDATION_ERROR */
export async function requireSound(tx: WriteTx, fields: WorkflowFields): Promise<void> {
  const zone = await householdZone(tx);
  const wrong = findContradiction(fields) ?? findLongPrompt(fields) ?? findIdleSchedule(fields, zone, tx.now);
  if (wrong) throw validationError(wrong.field, `${wrong.field}: ${wrong.message}`);
}

/** @throws CONFLICT */
export async function requireFreeSlug(tx: WriteTx, slug: string): Promise<void> {
  if (!(await isSlugTaken(tx, slug))) return;
  throw new AppError('CONFLICT', `Another workflow has the slug ${slug}. Send another one.`, {
    details: [{ path: 'slug', message: 'is taken' }],
  });
}

function merge(before: WorkflowFields, sent: Sent): WorkflowFields {
  const { prompt: _prompt, prompt_blocks: _blocks, preset_options: _options, recompose: _recompose, ...others } = sent;
  return { ...before, ...withoutUndefined(others), ...promptAfter(before, sent) };
}

type PromptFields = Pick<WorkflowFields, 'prompt' | 'prompt_blocks' | 'preset_options' | 'extra_instructions'>;

/** What of the prompt is composed or written by hand after the change. */
function promptAfter(before: WorkflowFields, sent: Sent): PromptFields {
  const options = optionsAfter(before, sent);
  if (sent.prompt !== undefined) return byHand(before, sent, sent.prompt);
  const extra = sent.extra_instructions === undefined ? before.extra_instructions : sent.extra_instructions;
  const blocks = sent.prompt_blocks ?? (sent.recompose === true ? blocksAgain(before) : undefined);
  if (blocks !== undefined) {
    if (sent.prompt_blocks) requireBlocks(blocks);
    return { prompt: null, prompt_blocks: blocks, preset_options: options, extra_instructions: extra };
  }
  if (before.prompt !== null && (sent.preset_options !== undefined || sent.extra_instructions !== undefined)) {
    throw new AppError(
      'PROMPT_EDITED',
      'The prompt was written by hand, so options and extra instructions do not apply to it. ' +
        'Send recompose: true to discard it and compose the prompt from blocks again, or change the prompt itself.',
    );
  }
  const { prompt, prompt_blocks } = before;
  return { prompt, prompt_blocks, preset_options: options, extra_instructions: extra };
}

/** Extra instructions were part of the composed text; whoever writes the prompt decides what stays of them. */
function byHand(before: WorkflowFields, sent: Sent, prompt: string): PromptFields {
  for (const field of ['prompt_blocks', 'preset_options'] as const) {
    if (sent[field] !== undefined) throw validationError(field, `${field}: send either this or prompt, not both.`);
  }
  if (sent.recompose === true) throw validationError('recompose', 'recompose: send either this or prompt, not both.');
  return {
    prompt,
    prompt_blocks: [],
    preset_options: before.preset_options,
    extra_instructions: sent.extra_instructions ?? null,
  };
}

/** The blocks that the prompt is composed from again. */
function blocksAgain({ prompt, prompt_blocks: blocks, source_template: template }: WorkflowFields): readonly string[] {
  if (prompt === null) return blocks;
  const preset = template === null ? undefined : findPreset(template);
  if (preset) return preset.prompt_blocks;
  throw validationError(
    'recompose',
    'recompose: the workflow was not made from a preset. Send prompt_blocks to compose its prompt from.',
  );
}

function optionsAfter({ source_template: template, preset_options: before }: WorkflowFields, sent: Sent) {
  if (sent.preset_options === undefined) return before;
  const preset = template === null ? undefined : findPreset(template);
  if (!preset) {
    throw validationError('preset_options', 'preset_options: only a workflow made from a preset has options.');
  }
  return readOptions(preset, { ...before, ...sent.preset_options }, 'preset_options');
}
