/** Tables of identity and housekeeping. Columns and meaning: migrations/0001-ledger.ts. */

type Flag = 0 | 1;

export interface LeasesTable {
  name: string;
  holder: string;
  expires_at: string;
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
