/** What change sets change. A new resource with a journal adds its type here. */
export const ENTITY_TYPES = [
  'transaction',
  'comment',
  'account',
  'category',
  'tag',
  'counterparty',
  'series',
  'rule',
  'account_link',
  'transaction_match',
  'connection',
  'import',
  'import_profile',
  'user',
  'login',
  'api_key',
  'setting',
  'notification_channel',
  'report',
  'workflow',
] as const;

export type EntityType = (typeof ENTITY_TYPES)[number];
