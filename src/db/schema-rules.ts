import type { Generated } from 'kysely';

/** Tables of running rules. Columns and meaning: migrations/baseline/facets.ts. */

type Flag = 0 | 1;

export interface JobsTable {
  id: string;
  short_id: string;
  kind: string;
  status: string;
  done: Generated<number>;
  total: number | null;
  options: string;
  result: string | null;
  error: string | null;
  actor_type: string;
  actor_id: string | null;
  actor_user_id: string | null;
  actor_name: string;
  change_set_id: string | null;
  is_cancel_requested: Generated<Flag>;
  created_at: string;
  started_at: string | null;
  finished_at: string | null;
}

export interface RuleRunsTable {
  rule_id: string;
  run_id: string;
  run_type: string;
  sync_log_id: string | null;
  import_id: string | null;
  change_set_id: string | null;
  institution_name: string | null;
  status: string;
  hit_count: number;
  changed_count: number;
  started_at: string;
}

export interface RuleEffectsTable {
  id: number;
  digest: string;
  effects: string;
}
