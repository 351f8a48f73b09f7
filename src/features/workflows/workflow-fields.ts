import type { WorkflowsTable } from '../../db/schema-workflows.ts';
import { dollarsOf, microsOf } from '../../kernel/dollars.ts';

/** What a workflow is, by the names of the record; the journal uses the same ones. */
export interface WorkflowFields {
  name: string;
  slug: string;
  /** null while it is composed from the blocks. */
  prompt: string | null;
  prompt_blocks: readonly string[];
  preset_options: Readonly<Record<string, string>>;
  extra_instructions: string | null;
  system_prompt: string | null;
  tool_scope: string;
  allowed_tools: readonly string[];
  model_tier: string;
  model: string | null;
  max_turns: number;
  max_budget_usd: number;
  max_tokens: number;
  max_duration_seconds: number;
  enabled: boolean;
  schedule_cron: string | null;
  trigger_on_sync_complete: boolean;
  quiet_hours_start: string | null;
  quiet_hours_end: string | null;
  source_template: string | null;
}

export function fieldsOf(row: WorkflowsTable): WorkflowFields {
  const { id: _id, short_id: _shortId, created_at: _createdAt, updated_at: _updatedAt, ...columns } = row;
  const { max_budget_micros: budget, is_enabled: enabled, is_started_by_syncs: bySyncs, ...fields } = columns;
  return {
    ...fields,
    prompt_blocks: JSON.parse(row.prompt_blocks) as string[],
    preset_options: JSON.parse(row.preset_options) as Record<string, string>,
    allowed_tools: JSON.parse(row.allowed_tools) as string[],
    max_budget_usd: dollarsOf(budget),
    enabled: enabled === 1,
    trigger_on_sync_complete: bySyncs === 1,
  };
}

type Columns = Omit<WorkflowsTable, 'id' | 'short_id' | 'created_at' | 'updated_at'>;

export function columnsOf(fields: WorkflowFields): Columns {
  const { max_budget_usd: budget, enabled, trigger_on_sync_complete: bySyncs, ...columns } = fields;
  return {
    ...columns,
    prompt_blocks: JSON.stringify(fields.prompt_blocks),
    preset_options: JSON.stringify(fields.preset_options),
    allowed_tools: JSON.stringify(fields.allowed_tools),
    max_budget_micros: microsOf(budget),
    is_enabled: enabled ? 1 : 0,
    is_started_by_syncs: bySyncs ? 1 : 0,
  };
}
