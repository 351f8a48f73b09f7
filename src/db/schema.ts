import type { Generated } from 'kysely';

import type {
  ConnectionAlertsTable,
  McpCallsTable,
  NotificationChannelsTable,
  NotificationDeliveriesTable,
  ProposalChangesTable,
  ProposalsTable,
  ReportsTable,
  TransactionMatchesTable,
} from './schema-agents.ts';
import type {
  WorkflowCausesTable,
  WorkflowRunLinesTable,
  WorkflowRunsTable,
  WorkflowSchedulesTable,
  WorkflowSpendingTable,
  WorkflowsTable,
} from './schema-workflows.ts';
import type {
  LeasesTable,
  InstallationsTable,
  EncryptionKeysTable,
  ConfigEntriesTable,
  ProviderSettingsTable,
  InstanceSecretsTable,
  RecoveryKeysTable,
  UsersTable,
  LoginsTable,
  ApiKeysTable,
  ApiKeyUsesTable,
  IdempotentAnswersTable,
  SessionsTable,
  KnownBrowsersTable,
  SetupTokensTable,
  DeviceRequestsTable,
} from './schema-identity.ts';
import type {
  ImportsTable,
  ImportAccountsTable,
  ImportRowsTable,
  ImportProfilesTable,
  TransactionKeysTable,
} from './schema-imports.ts';
import type { ChangeSetsTable, ChangesTable } from './schema-journal.ts';
import type { JobsTable, RuleEffectsTable, RuleRunsTable } from './schema-rules.ts';
import type {
  AccountFeedsTable,
  AccountLinksTable,
  AfterSyncNotesTable,
  LinkSessionsTable,
  PendingLinksTable,
  ProviderMappingsTable,
  SeparatedPairsTable,
  SyncLogsTable,
  SyncSuggestionsTable,
  SyncTurnsTable,
  TransactionFeedsTable,
  WebhookCountersTable,
  WebhookEventsTable,
} from './schema-sync.ts';
import type { MerchantTotalsTable, MonthlyTotalsTable } from './schema-totals.ts';

export type * from './schema-agents.ts';
export type * from './schema-workflows.ts';
export type * from './schema-identity.ts';
export type * from './schema-imports.ts';
export type * from './schema-journal.ts';
export type * from './schema-rules.ts';
export type * from './schema-sync.ts';
export type * from './schema-totals.ts';

/** The tables as the queries see them. Column order and meaning: migrations/baseline/. */

type Flag = 0 | 1;

export interface ConnectionsTable {
  id: string;
  short_id: string;
  user_id: string;
  provider: string;
  institution_id: string | null;
  institution_name: string | null;
  external_id: string | null;
  status: string;
  paused: Flag;
  sync_interval_seconds: number | null;
  last_sync_at: string | null;
  next_sync_at: string | null;
  error_code: string | null;
  error_message: string | null;
  consecutive_failures: number;
  consent_expires_at: string | null;
  credentials: Uint8Array | null;
  sync_position: string | null;
  last_error_at: string | null;
  /** When the provider told of accounts that are not shared; null once they are. */
  new_accounts_at: string | null;
  /** Set if the expiry of the consent is only a guess: it is shown and never acted on. */
  consent_guessed_at: string | null;
  /** Set if only a webhook has told of the expiry, so that a sync without one says nothing against it. */
  consent_announced_at: string | null;
  /** When the item was linked last. */
  linked_at: string | null;
  /** When the history of the item had arrived completely. */
  history_completed_at: string | null;
  created_at: string;
  updated_at: string;
}
export interface AccountsTable {
  id: string;
  short_id: string;
  connection_id: string | null;
  provider: string;
  institution_name: string | null;
  external_id: string | null;
  persistent_external_id: string | null;
  name: string;
  display_name: string | null;
  official_name: string | null;
  type: string;
  subtype: string | null;
  mask: string | null;
  iso_currency_code: string | null;
  balance_current_cents: number | null;
  balance_available_cents: number | null;
  balance_limit_cents: number | null;
  balance_date: string | null;
  balance_updated_at: string | null;
  is_excluded: Flag;
  is_dependent_linked: Flag;
  is_dependent_by_hand: Flag;
  owner_user_id: string | null;
  relinked_at: string | null;
  created_at: string;
  updated_at: string;
  /** Only the undo of its deletion finds a deleted account. */
  deleted_at: string | null;
}
export interface AccountAliasesTable {
  namespace: string;
  external_id: string;
  account_id: string;
  first_seen_at: string;
  last_seen_at: string;
}
export interface BalanceSnapshotsTable {
  account_id: string;
  date: string;
  iso_currency_code: string;
  balance_current_cents: number | null;
  balance_available_cents: number | null;
  balance_limit_cents: number | null;
  source: string;
  import_id: string | null;
  recorded_at: string;
  /** The sum of the account's pending rows in this currency when a sync stored it (contract 43.2); null of others. */
  pending_cents: number | null;
}
/** What a snapshot was before an import replaced it; `source_import_id` is the import that had written it. */
interface ReplacedSnapshotsTable extends Omit<BalanceSnapshotsTable, 'import_id'> {
  import_id: string;
  source_import_id: string | null;
}
export interface CategoriesTable {
  id: string;
  short_id: string;
  slug: string;
  name: string;
  name_folded: string;
  parent_id: string | null;
  kind: string;
  is_archived: Flag;
  icon: string | null;
  color: string | null;
  sort_order: number;
  is_system: Flag;
  merged_into_id: string | null;
  created_at: string;
  updated_at: string;
}
export interface TagsTable {
  id: string;
  short_id: string;
  slug: string;
  name: string;
  name_folded: string;
  color: string;
  description: string;
  icon: string | null;
  created_at: string;
  updated_at: string;
}
interface TextsTable {
  id: number;
  folded: string;
  trigram_count: number;
}
export interface CounterpartiesTable {
  id: string;
  short_id: string;
  name: string;
  name_folded: string;
  name_text_id: number;
  website_url: string | null;
  logo_url: string | null;
  category_id: string | null;
  mcc: string | null;
  canonical_counterparty_id: string | null;
  created_at: string;
  updated_at: string;
}
export interface SeriesTable {
  id: string;
  short_id: string;
  name: string;
  name_folded: string;
  type: string;
  created_at: string;
  updated_at: string;
}
export interface RulesTable {
  id: string;
  short_id: string;
  name: string;
  name_folded: string;
  priority: number;
  is_enabled: Flag;
  is_system: Flag;
  condition: string;
  actions: string;
  triggers: string;
  is_overwriting_manual: Generated<Flag>;
  is_stopping: Generated<Flag>;
  expires_at: string | null;
  creator_type: string;
  creator_id: string | null;
  creator_name: string | null;
  created_at: string;
  updated_at: string;
}
interface RuleHitsTable {
  rule_id: string;
  hit_count: number;
  last_hit_at: string | null;
}
export interface TransactionsTable {
  id: string;
  short_id: string;
  account_id: string;
  date: string;
  authorized_date: string | null;
  datetime: string | null;
  amount_cents: number;
  iso_currency_code: string | null;
  name: string;
  merchant_name: string | null;
  name_text_id: number;
  merchant_text_id: number | null;
  counterparty_id: string | null;
  category_id: string | null;
  category_source: string | null;
  category_rule_id: string | null;
  provider_category_primary: string | null;
  provider_category_detailed: string | null;
  payment_channel: string | null;
  pending: Flag;
  series_id: string | null;
  attributed_user_id: string | null;
  attributed_by_link_id: string | null;
  metadata: Generated<string>;
  flagged_at: string | null;
  locks: Generated<string>;
  import_id: string | null;
  created_change_set_id: string | null;
  deleted_at: string | null;
  deleted_cause: string | null;
  merged_into_id: string | null;
  /** JSON of what rules did while the row was created; null for nothing. */
  creation_effects_id: Generated<number | null>;
  created_at: string;
  updated_at: string;
  /** `YYYY-MM` of date, kept by the database. */
  month: Generated<string>;
}
interface TransactionTagsTable {
  transaction_id: string;
  tag_id: string;
}
export interface TransactionAliasesTable {
  transaction_id: string;
  namespace: string;
  external_id: string;
  account_id: string;
  external_account_id: string | null;
  first_seen_at: string;
  last_seen_at: string;
}
export interface TransactionOriginsTable {
  transaction_id: string;
  import_id: string | null;
  line: number;
  part: number;
  source_key: string;
  content_key: string;
  raw: string;
  /** The balance that the file states beside the row. */
  balance_cents: number | null;
}
export interface CommentsTable {
  id: string;
  short_id: string;
  transaction_id: string;
  body: string;
  author_type: string;
  author_id: string | null;
  author_user_id: string | null;
  author_name: string;
  is_edited: Flag;
  deleted_at: string | null;
  created_at: string;
  updated_at: string;
}

export interface Schema {
  leases: LeasesTable;
  installations: InstallationsTable;
  encryption_keys: EncryptionKeysTable;
  config_entries: ConfigEntriesTable;
  provider_settings: ProviderSettingsTable;
  instance_secrets: InstanceSecretsTable;
  recovery_keys: RecoveryKeysTable;
  users: UsersTable;
  logins: LoginsTable;
  api_keys: ApiKeysTable;
  api_key_uses: ApiKeyUsesTable;
  idempotent_answers: IdempotentAnswersTable;
  sessions: SessionsTable;
  known_browsers: KnownBrowsersTable;
  setup_tokens: SetupTokensTable;
  device_requests: DeviceRequestsTable;
  connections: ConnectionsTable;
  accounts: AccountsTable;
  account_aliases: AccountAliasesTable;
  balance_snapshots: BalanceSnapshotsTable;
  replaced_snapshots: ReplacedSnapshotsTable;
  categories: CategoriesTable;
  tags: TagsTable;
  texts: TextsTable;
  counterparties: CounterpartiesTable;
  series: SeriesTable;
  rules: RulesTable;
  rule_hits: RuleHitsTable;
  rule_runs: RuleRunsTable;
  rule_effects: RuleEffectsTable;
  jobs: JobsTable;
  imports: ImportsTable;
  import_accounts: ImportAccountsTable;
  import_rows: ImportRowsTable;
  import_profiles: ImportProfilesTable;
  transactions: TransactionsTable;
  monthly_totals: MonthlyTotalsTable;
  merchant_totals: MerchantTotalsTable;
  transaction_tags: TransactionTagsTable;
  transaction_aliases: TransactionAliasesTable;
  transaction_origins: TransactionOriginsTable;
  transaction_keys: TransactionKeysTable;
  comments: CommentsTable;
  change_sets: ChangeSetsTable;
  changes: ChangesTable;
  sync_turns: SyncTurnsTable;
  sync_logs: SyncLogsTable;
  after_sync_notes: AfterSyncNotesTable;
  account_feeds: AccountFeedsTable;
  transaction_feeds: TransactionFeedsTable;
  sync_suggestions: SyncSuggestionsTable;
  separated_pairs: SeparatedPairsTable;
  pending_links: PendingLinksTable;
  provider_mappings: ProviderMappingsTable;
  link_sessions: LinkSessionsTable;
  webhook_events: WebhookEventsTable;
  webhook_counters: WebhookCountersTable;
  account_links: AccountLinksTable;
  transaction_matches: TransactionMatchesTable;
  reports: ReportsTable;
  notification_channels: NotificationChannelsTable;
  notification_deliveries: NotificationDeliveriesTable;
  connection_alerts: ConnectionAlertsTable;
  mcp_calls: McpCallsTable;
  proposals: ProposalsTable;
  proposal_changes: ProposalChangesTable;
  workflows: WorkflowsTable;
  workflow_schedules: WorkflowSchedulesTable;
  workflow_causes: WorkflowCausesTable;
  workflow_runs: WorkflowRunsTable;
  workflow_run_lines: WorkflowRunLinesTable;
  workflow_spending: WorkflowSpendingTable;
}
