import type { Generated } from 'kysely';

/** Tables of account links' matches, reports, notifications and agents. Meaning: migrations/baseline/agents.ts. */

type Flag = 0 | 1;

export interface TransactionMatchesTable {
  id: string;
  short_id: string;
  account_link_id: string;
  primary_transaction_id: string;
  dependent_transaction_id: string;
  /** `auto`, `confirmed`, `rejected`. */
  confidence: string;
  /** JSON array. */
  matched_on: string;
  created_at: string;
  updated_at: string;
}

export interface ReportsTable {
  id: string;
  short_id: string;
  title: string;
  body: string;
  kind: string;
  /** `info`, `warning`, `critical`. */
  priority: string;
  /** JSON array. */
  tags: string;
  author_type: string;
  author_id: string | null;
  author_name: string;
  workflow_run_id: string | null;
  read_at: string | null;
  created_at: string;
  updated_at: string;
}

export interface NotificationChannelsTable {
  id: string;
  short_id: string;
  name: string;
  /** `webhook`, `ntfy`, `gotify`. */
  format: string;
  /** Encrypted record, as are `secret` and `token`; null only after a lost key. */
  url: Uint8Array | null;
  url_masked: string;
  secret: Uint8Array | null;
  token: Uint8Array | null;
  /** JSON array. */
  events: string;
  min_priority: string;
  is_body_included: Flag;
  quiet_hours_start: string | null;
  quiet_hours_end: string | null;
  is_enabled: Flag;
  created_at: string;
  updated_at: string;
}

export interface NotificationDeliveriesTable {
  id: string;
  short_id: string;
  channel_id: string;
  event: string;
  /** The same for all deliveries of one event. */
  occurrence_id: string;
  subject_type: string | null;
  subject_id: string | null;
  priority: string;
  title: string;
  body: string | null;
  /** JSON object. */
  data: string;
  /** `pending`, `delivered`, `failed`, `cancelled`. */
  status: string;
  attempts: Generated<number>;
  next_attempt_at: string | null;
  /** When the last attempt began. */
  attempted_at: string | null;
  /** The presence of the process that is sending it. */
  claimed_by: string | null;
  status_code: number | null;
  detail: string | null;
  created_at: string;
  finished_at: string | null;
}

export interface ConnectionAlertsTable {
  connection_id: string;
  /** Since when people have been told that its syncs fail; null once they work. */
  failing_since: string | null;
  /** The end of the consent that people have been warned of. */
  consent_expires_at: string | null;
}

export interface McpCallsTable {
  id: string;
  short_id: string;
  tool: string;
  effect: string;
  surface: string;
  transport: string | null;
  principal_type: string;
  principal_id: string | null;
  principal_name: string;
  api_key_id: string | null;
  run_id: string | null;
  change_set_id: string | null;
  proposal_id: string | null;
  client_name: string | null;
  client_version: string | null;
  reason: string | null;
  /** JSON object. */
  arguments: string;
  outcome: string;
  error_code: string | null;
  result_bytes: number;
  duration_ms: number;
  created_at: string;
}

export interface ProposalsTable {
  id: string;
  short_id: string;
  /** `draft`, `proposed`, `applied`, `rejected`, `expired`. */
  status: string;
  title: string;
  /** `workflow`, `mcp`. */
  source: string;
  workflow_id: string | null;
  run_id: string | null;
  /** The principal that may add to it. */
  principal_id: string | null;
  proposer_type: string;
  proposer_id: string | null;
  proposer_name: string;
  /** JSON array, as served. */
  calls: string;
  change_count: number;
  /** JSON object, as served. */
  counts: string;
  /** JSON array, as served: of the stored transactions that it touches. */
  totals: string;
  fingerprint: string;
  created_at: string;
  proposed_at: string | null;
  expires_at: string | null;
  decided_at: string | null;
  decider_type: string | null;
  decider_id: string | null;
  decider_name: string | null;
  decision_note: string | null;
  applied_count: Generated<number>;
  skipped_count: Generated<number>;
  change_set_id: string | null;
}

export interface ProposalChangesTable {
  proposal_id: string;
  sequence: number;
  /** The call that last touched it. */
  call: number;
  entity_type: string;
  entity_id: string;
  entity_short_id: string | null;
  operation: string;
  /** JSON objects, as in the journal. */
  before: string | null;
  after: string | null;
  internal: string | null;
  transaction_id: string | null;
  source: string;
  rule_id: string | null;
  applied_by: string | null;
  label: string;
  /** From here to `was_pending`: the transaction as it was when the change was planned. */
  amount_cents: number | null;
  iso_currency_code: string | null;
  date: string | null;
  name: string | null;
  account_id: string | null;
  was_pending: Flag | null;
  /** null before approval, then `applied`, `skipped`, `excluded`. */
  outcome: string | null;
}
