import type { Generated } from 'kysely';

/** Tables of workflows and their runs. Meaning: migrations/baseline/workflows.ts. */

type Flag = 0 | 1;

export interface WorkflowsTable {
  id: string;
  short_id: string;
  name: string;
  slug: string;
  /** Written by hand; null while it is composed from blocks. */
  prompt: string | null;
  /** JSON array. */
  prompt_blocks: string;
  /** JSON object. */
  preset_options: string;
  extra_instructions: string | null;
  system_prompt: string | null;
  /** `read_only`, `propose`, `read_write`. */
  tool_scope: string;
  /** JSON array. */
  allowed_tools: string;
  /** `fast`, `balanced`, `deep`. */
  model_tier: string;
  model: string | null;
  max_turns: number;
  /** Millionths of a dollar. */
  max_budget_micros: number;
  max_tokens: number;
  max_duration_seconds: number;
  is_enabled: Flag;
  schedule_cron: string | null;
  is_started_by_syncs: Flag;
  quiet_hours_start: string | null;
  quiet_hours_end: string | null;
  source_template: string | null;
  created_at: string;
  updated_at: string;
}

export interface WorkflowSchedulesTable {
  workflow_id: string;
  /** Occurrences up to then have been dealt with. */
  checked_until: string;
  /** When the after-sync start that waits is due. */
  kept_start_at: string | null;
}

export interface WorkflowCausesTable {
  /** Id of the sync log or import. */
  id: string;
  /** `sync`, `import`. */
  kind: string;
  happened_at: string;
  handled_at: string | null;
}

export interface WorkflowRunsTable {
  id: string;
  short_id: string;
  /** Outlives the workflow. */
  workflow_id: string;
  workflow_slug: string;
  workflow_name: string;
  /** `manual`, `cron`, `after_sync`. */
  trigger: string;
  /** `in_progress`, `success`, `error`, `timeout`, `skipped`, `cancelled`. */
  status: string;
  skip_reason: string | null;
  cancel_requested_at: string | null;
  tool_scope: string;
  started_at: string;
  completed_at: string | null;
  duration_ms: number | null;
  model_provider: string | null;
  model: string | null;
  /** Millionths of a dollar; null if the model has no price. */
  total_cost_micros: number | null;
  input_tokens: Generated<number>;
  output_tokens: Generated<number>;
  cache_read_tokens: Generated<number>;
  cache_creation_tokens: Generated<number>;
  turn_count: Generated<number>;
  num_tool_calls: Generated<number>;
  max_turns_used: number | null;
  hit_cap: string | null;
  error_code: string | null;
  error_message: string | null;
  result_text: string | null;
  operator_note: string | null;
  prompt_prefix: string | null;
  starter_type: string;
  starter_id: string | null;
  starter_name: string;
  /** UUID of the API key that started it. */
  starter_key_id: string | null;
  /** JSON of a `RunDefinition`; null if it was skipped. */
  definition: string | null;
  /** Its dollar cap, which it reserves of the household's ceiling, in millionths of a dollar; null without a cap. */
  budget_micros: number | null;
  /** Whether the household's ceiling left it less than its own budget. */
  is_budget_of_household: Generated<Flag>;
  /** A sync or import started it. */
  is_after_sync: Generated<Flag>;
  /** The presence of the process that works on it; null until one does. */
  holder: string | null;
  fencing_token: string | null;
  lease_expires_at: string | null;
  transcript_lines: Generated<number>;
  transcript_bytes: Generated<number>;
  created_at: string;
}

export interface WorkflowRunLinesTable {
  run_id: string;
  seq: number;
  type: string;
  ts: string;
  /** JSON object. */
  data: string;
}

export interface WorkflowSpendingTable {
  run_id: string;
  started_at: string;
  /** Millionths of a dollar. */
  cost_micros: number;
}
