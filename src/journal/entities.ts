/** The types of entities whose changes the journal records. */
export type EntityType =
  | 'transaction'
  | 'comment'
  | 'account'
  | 'category'
  | 'tag'
  | 'counterparty'
  | 'series'
  | 'rule'
  | 'account_link'
  | 'transaction_match'
  | 'connection'
  | 'import'
  | 'import_profile'
  | 'user'
  | 'login'
  | 'api_key'
  | 'setting'
  | 'notification_channel'
  | 'report'
  | 'workflow';

/** Tables whose rows the journal must account for: writing one without recording a change undoes the write. */
export const JOURNALED_TABLES: Readonly<Record<string, EntityType>> = {
  users: 'user',
  logins: 'login',
  api_keys: 'api_key',
  connections: 'connection',
  accounts: 'account',
  categories: 'category',
  tags: 'tag',
  counterparties: 'counterparty',
  series: 'series',
  rules: 'rule',
  transactions: 'transaction',
  transaction_tags: 'transaction',
  comments: 'comment',
  config_entries: 'setting',
};

/** Tables that are their own record (10.13.1); bookkeeping may write these and no others. */
export const OWN_RECORD_TABLES: ReadonlySet<string> = new Set([
  'leases',
  'encryption_keys',
  'api_key_uses',
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
  'transaction_aliases',
  'transaction_origins',
  'change_sets',
  'changes',
]);
