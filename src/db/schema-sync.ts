import type { Generated } from 'kysely';

/** Tables of banks that are synced. Columns and meaning: migrations/baseline/sync.ts. */

type Flag = 0 | 1;

/** Who syncs a connection now (all null: nobody), and the one sync that waits. */
export interface SyncTurnsTable {
  connection_id: string;
  holder: string | null;
  fencing_token: string | null;
  /** By the database's clock. */
  expires_at: string | null;
  sync_log_id: string | null;
  /** `manual`, `initial`, `webhook`, `cron`; null if no sync waits. */
  requested_trigger: string | null;
  is_full_requested: Generated<Flag>;
  requested_at: string | null;
  /** The provider asked for a pause until then. */
  not_before: string | null;
  /** When a broken login was last asked whether it works again. */
  checked_at: string | null;
}

export interface SyncLogsTable {
  id: string;
  short_id: string;
  connection_id: string;
  provider: string;
  institution_name: string | null;
  status: string;
  trigger: string;
  is_full: Generated<Flag>;
  started_at: string;
  finished_at: string | null;
  duration_ms: number | null;
  added_count: Generated<number>;
  modified_count: Generated<number>;
  removed_count: Generated<number>;
  unchanged_count: Generated<number>;
  skipped_count: Generated<number>;
  /** JSON, as served. */
  rule_hits: Generated<string>;
  total_rule_hits: Generated<number>;
  accounts_affected: Generated<number>;
  error_code: string | null;
  error_message: string | null;
  warning_count: Generated<number>;
  warning_message: string | null;
  /** JSON, as served. */
  accounts: Generated<string>;
  /** JSON, as served. */
  warnings: Generated<string>;
  /** JSON, as served. */
  provider_error: string | null;
  change_set_id: string | null;
  fencing_token: string;
}

export interface AfterSyncNotesTable {
  sync_log_id: string;
  connection_id: string;
  created_at: string;
}

/** The bank's side of an account. */
export interface AccountFeedsTable {
  account_id: string;
  connection_id: string;
  /** The external account id under which the account is reported now. */
  external_account_id: string;
  /** Of providers whose position is one per account. */
  position: string | null;
  /** When a window was last read from further back, for what the bank books late. */
  wide_read_at: string | null;
  first_synced_at: string;
  /** 1: a sync made the account for this bank, so its rows may prove that it is another one. */
  is_own: Generated<Flag>;
  /** When its rows were last compared with those of other accounts. */
  compared_at: string | null;
  /** When the provider last reported it as open. */
  last_open_at: string | null;
  /** `open`, `closed`, `missing`. */
  state: string;
  /** The csv connection that an account joined from files goes back to. */
  former_connection_id: string | null;
  /** JSON: the last sync whose movement agreed with the balance (30.10). */
  anchor: string | null;
  differs_since: string | null;
  differs_count: Generated<number>;
  /** JSON of a `FeedBalanceCheck`. */
  balance_check: string | null;
}

/** What the newest sync said of a balance (30.10). */
export interface FeedBalanceCheck {
  status: 'agrees' | 'differs' | 'not_available';
  difference: string | null;
  since: string | null;
  /** null if none was reported. */
  balance: { date: string; iso_currency_code: string | null; sync_log_id: string; at: string } | null;
}

/** The bank's side of a transaction. */
export interface TransactionFeedsTable {
  transaction_id: string;
  /** The name of the provider. */
  namespace: string;
  /** The present id of the row; null for providers without row ids. */
  external_id: string | null;
  /** The account under which the row was last reported. */
  external_account_id: string;
  pending_external_id: string | null;
  authorized_datetime: string | null;
  category_confidence: string | null;
  /** When the provider removed the present id. */
  removed_at: string | null;
  /** 1: it was pending once. */
  was_pending: Generated<Flag>;
  /** When a sync first stored the row as posted (contract 43.2). */
  posted_at: Generated<string | null>;
  /** The sync that wrote the row last. */
  sync_log_id: string;
  /** The row as the provider sent it, in JSON. */
  raw: string;
}

export interface SyncSuggestionsTable {
  id: string;
  short_id: string;
  kind: string;
  status: string;
  connection_id: string;
  account_id: string;
  transaction_id: string | null;
  /** JSON: id and reasons of each transaction, best first. */
  candidates: string;
  /** JSON: id, pair and overlap counts of each account, best first. */
  accounts: string;
  accepted_transaction_id: string | null;
  accepted_account_id: string | null;
  /** The change set of its acceptance. */
  change_set_id: string | null;
  created_at: string;
  resolved_at: string | null;
}

export interface SeparatedPairsTable {
  one_id: string;
  other_id: string;
  created_at: string;
}

/** How the categories of a provider were mapped last. */
export interface ProviderMappingsTable {
  provider: string;
  version: number;
  mapped_at: string;
}

/** Access that is no connection: not yet, or no longer and still to be revoked. */
export interface PendingLinksTable {
  /** The SHA-256 of the token, or the id of the connection that was disconnected. */
  id: string;
  provider: string;
  user_id: string;
  item_id: string;
  /** null: it cannot be revoked any more, and people are told so for a while. */
  credentials: Uint8Array | null;
  /** The connection that was disconnected. It may be gone before the access. */
  connection_id: string | null;
  created_at: string;
}

export interface LinkSessionsTable {
  id: string;
  short_id: string;
  token_hash: string;
  user_id: string;
  provider: string;
  action: string;
  connection_id: string | null;
  is_single_use: Flag;
  redirect_url: string | null;
  label: string | null;
  status: string;
  error_code: string | null;
  error_message: string | null;
  /** JSON array of UUIDs. */
  result_connection_ids: string;
  actor_type: string;
  actor_id: string | null;
  actor_user_id: string | null;
  actor_name: string;
  claimed_at: string | null;
  expires_at: string;
  started_at: string | null;
  completed_at: string | null;
  created_at: string;
}

export interface WebhookEventsTable {
  id: string;
  short_id: string;
  provider: string;
  event_type: string;
  connection_id: string | null;
  institution_name: string | null;
  raw_payload_hash: string;
  status: string;
  error_message: string | null;
  delivery_count: Generated<number>;
  sync_log_id: string | null;
  processed_at: string | null;
  created_at: string;
}

export interface WebhookCountersTable {
  provider: string;
  last_received_at: string | null;
  last_rejected_at: string | null;
  last_rejected_reason: string | null;
  /** JSON: hour → count, of the last 24 hours. */
  rejected_by_hour: string;
}

export interface AccountLinksTable {
  id: string;
  short_id: string;
  primary_account_id: string;
  dependent_account_id: string;
  match_tolerance_days: number;
  is_attributing: Flag;
  is_enabled: Flag;
  created_at: string;
  updated_at: string;
}
