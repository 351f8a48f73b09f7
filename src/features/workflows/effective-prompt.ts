import type { WorkflowsTable } from '../../db/schema-workflows.ts';
import { composePrompt, findPreset } from '../workflow-presets/index.ts';
import { fieldsOf, type WorkflowFields } from './workflow-fields.ts';

/** The prompt that a run of this workflow gets. Composed when it is read, so that a newer program improves it. */
export function effectivePrompt(row: WorkflowsTable): string {
  return promptOf(fieldsOf(row));
}

export function promptOf(
  fields: Pick<
    WorkflowFields,
    'prompt' | 'prompt_blocks' | 'preset_options' | 'extra_instructions' | 'source_template'
  >,
): string {
  if (fields.prompt !== null) return fields.prompt;
  return composePrompt({
    blocks: fields.prompt_blocks,
    preset: fields.source_template === null ? null : (findPreset(fields.source_template) ?? null),
    options: fields.preset_options,
    extraInstructions: fields.extra_instructions,
  });
}
