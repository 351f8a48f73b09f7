import type { EntityType } from '../contract/entity-types.ts';
import type { Schema } from '../db/schema.ts';

export type { EntityType } from '../contract/entity-types.ts';

/** The table of each entity type whose rows have ids. */
export const ENTITY_TABLES = {
  transaction: 'transactions',
  comment: 'comments',
  account: 'accounts',
  category: 'categories',
  tag: 'tags',
  counterparty: 'counterparties',
  series: 'series',
  rule: 'rules',
  connection: 'connections',
  account_link: 'account_links',
  transaction_match: 'transaction_matches',
  report: 'reports',
  workflow: 'workflows',
  notification_channel: 'notification_channels',
  import: 'imports',
  import_profile: 'import_profiles',
  user: 'users',
  login: 'logins',
  api_key: 'api_keys',
} as const satisfies Partial<Record<EntityType, keyof Schema>>;

/** Their imports write these: what an import did is its own record. */
const OWN_RECORDS: readonly EntityType[] = ['import', 'import_profile'];

/** Tables whose rows the journal must account for: writing one without recording a change fails the write. */
export const JOURNALED_TABLES: Readonly<Record<string, EntityType>> = {
  ...Object.fromEntries(
    (Object.entries(ENTITY_TABLES) as [EntityType, string][])
      .filter(([type]) => !OWN_RECORDS.includes(type))
      .map(([type, table]) => [table, type]),
  ),
  transaction_tags: 'transaction',
  config_entries: 'setting',
  provider_settings: 'setting',
  recovery_keys: 'setting',
};

/** Tables that are their own record (10.13.1); bookkeeping may write these and no others. */
export const OWN_RECORD_TABLES: ReadonlySet<string> = new Set([
  'leases',
  'installations',
  'provider_mappings',
  'encryption_keys',
  'instance_secrets',
  'api_key_uses',
  'sessions',
  'known_browsers',
  'setup_tokens',
  'device_requests',
  'idempotent_answers',
  'account_aliases',
  'balance_snapshots',
  'replaced_snapshots',
  'texts',
  'texts_trigrams',
  'rule_hits',
  'rule_runs',
  'rule_effects',
  'jobs',
  'imports',
  'import_accounts',
  'import_rows',
  'import_profiles',
  'monthly_totals',
  'merchant_totals',
  'transaction_aliases',
  'transaction_origins',
  'transaction_keys',
  'sync_turns',
  'sync_logs',
  'after_sync_notes',
  'account_feeds',
  'transaction_feeds',
  'sync_suggestions',
  'separated_pairs',
  'pending_links',
  'link_sessions',
  'webhook_events',
  'webhook_counters',
  'notification_deliveries',
  'connection_alerts',
  'mcp_calls',
  'proposals',
  'proposal_changes',
  'workflow_schedules',
  'workflow_causes',
  'workflow_runs',
  'workflow_run_lines',
  'workflow_spending',
  'change_sets',
  'changes',
]);
