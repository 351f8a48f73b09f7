// Tables of the journal. Columns and meaning: migrations/baseline/journal.ts.

import type { Generated } from 'kysely';

type Flag = 0 | 1;

export interface ChangeSetsTable {
  id: string;
  short_id: string;
  created_at: string;
  actor_type: string;
  actor_id: string | null;
  actor_user_id: string | null;
  actor_name: string;
  surface: string;
  source: string;
  action: string;
  reason: string | null;
  summary: string;
  created_count: number;
  updated_count: number;
  deleted_count: number;
  /** JSON list. */
  entity_types: string;
  status: string;
  is_revertible: Flag;
  reverts_change_set_id: string | null;
  reverted_by_change_set_id: string | null;
  sync_log_id: string | null;
  import_id: string | null;
  workflow_run_id: string | null;
  proposal_id: string | null;
  rule_id: string | null;
  session_id: string | null;
  request_id: string | null;
  /** 1 while a run in chunks still adds to it. */
  is_open: Generated<Flag>;
}

export interface ChangesTable {
  change_set_id: string;
  sequence: number;
  entity_type: string;
  entity_id: string | null;
  entity_short_id: string | null;
  operation: 'create' | 'update' | 'delete';
  /** JSON objects: the fields that changed, and what only the journal itself needs. */
  before: string | null;
  after: string | null;
  internal: string | null;
  transaction_id: string | null;
  source: string;
  rule_id: string | null;
  applied_by: string | null;
  is_revertible: Flag;
  reverted_by_change_set_id: string | null;
}
