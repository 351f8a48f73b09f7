/** Tables of identity and housekeeping. Columns and meaning: migrations/baseline/identity.ts. */

type Flag = 0 | 1;

export interface LeasesTable {
  name: string;
  holder: string;
  expires_at: string;
}

export interface InstallationsTable {
  id: string;
  created_at: string;
}
export interface EncryptionKeysTable {
  key_id: string;
  is_current: Flag;
  check_record: Uint8Array;
  created_at: string;
  retired_at: string | null;
}

export interface ConfigEntriesTable {
  key: string;
  value: string;
  updated_at: string;
}

/** Blobs are encrypted records. The id is the name of the provider. */
export interface ProviderSettingsTable {
  id: string;
  environment: string | null;
  webhook_url: string | null;
  client_id: Uint8Array | null;
  secret: Uint8Array | null;
  application_id: Uint8Array | null;
  certificate: Uint8Array | null;
  private_key: Uint8Array | null;
  webhook_secret: Uint8Array | null;
  updated_at: string;
}

/** Secrets of the installation itself, which outlive its encryption key. */
export interface InstanceSecretsTable {
  id: string;
  secret: Uint8Array;
  created_at: string;
}

/** What backups are encrypted to. The key that opens them is stored nowhere. */
export interface RecoveryKeysTable {
  recipient: string;
  is_own: Flag;
  added_at: string;
  added_by_type: 'user' | 'agent' | 'system';
  added_by_id: string | null;
  added_by_name: string;
}

export interface UsersTable {
  id: string;
  short_id: string;
  name: string;
  name_folded: string;
  kind: string;
  email: string | null;
  created_at: string;
  updated_at: string;
}

export interface LoginsTable {
  id: string;
  short_id: string;
  user_id: string;
  kind: string;
  identifier: string;
  role: string;
  password_hash: string | null;
  setup_token_hash: string | null;
  setup_token_expires_at: string | null;
  setup_token_issuer: string | null;
  last_used_at: string | null;
  created_at: string;
  updated_at: string;
}

export interface ApiKeysTable {
  id: string;
  short_id: string;
  name: string;
  prefix: string;
  key_hash: string;
  scope: string;
  actor_type: string;
  actor_name: string | null;
  expires_at: string | null;
  revoked_at: string | null;
  created_at: string;
  user_id: string | null;
}

export interface SessionsTable {
  id: string;
  short_id: string;
  token_hash: string;
  login_id: string;
  is_remembered: Flag;
  client_address: string;
  user_agent: string | null;
  created_at: string;
  last_seen_at: string;
  expires_at: string;
}

export interface KnownBrowsersTable {
  token_hash: string;
  login_id: string;
  created_at: string;
}

export interface SetupTokensTable {
  token_hash: string;
  created_at: string;
  expires_at: string;
}

export interface DeviceRequestsTable {
  id: string;
  short_id: string;
  device_code_hash: string;
  user_code: string;
  client_name: string;
  client_address: string;
  requested_scope: string;
  status: 'pending' | 'approved' | 'denied' | 'consumed';
  scope: string | null;
  key_name: string | null;
  user_id: string | null;
  key_expires_at: string | null;
  actor_type: string | null;
  actor_name: string | null;
  approver_kind: 'session' | 'key' | null;
  approver_id: string | null;
  decided_by_type: string | null;
  decided_by_id: string | null;
  decided_by_name: string | null;
  decided_at: string | null;
  last_polled_at: string | null;
  created_at: string;
  expires_at: string;
}

export interface ApiKeyUsesTable {
  api_key_id: string;
  last_used_at: string;
}

export interface IdempotentAnswersTable {
  principal_id: string;
  key: string;
  request_hash: string;
  state: 'running' | 'done';
  status: number | null;
  headers: string | null;
  body: string | null;
  created_at: string;
  expires_at: string;
  /** The attempt that may answer; null in rows older than this column. */
  claim_id: string | null;
  /** Presence of the process that works on it. */
  holder: string | null;
}
