/** Tables of imports. Columns and meaning: migrations/baseline/imports.ts. */

export interface ImportsTable {
  id: string;
  short_id: string;
  status: string;
  format: string;
  file_name: string | null;
  file_bytes: number;
  file_sha256: string;
  reading_key: string;
  source_key: string;
  header_signature: string | null;
  user_id: string | null;
  connection_id: string | null;
  account_id: string | null;
  first_date: string | null;
  last_date: string | null;
  summary: string;
  detail: string;
  error: string | null;
  progress: string;
  actor_type: string;
  actor_id: string | null;
  actor_user_id: string | null;
  actor_name: string;
  change_set_id: string | null;
  revert_change_set_id: string | null;
  created_at: string;
  started_at: string | null;
  finished_at: string | null;
  reverted_at: string | null;
  /** 0 where neither the file nor the caller named a currency. */
  currency_stated: 0 | 1;
}

export interface ImportAccountsTable {
  import_id: string;
  account_id: string;
  /** From the first to the last posted row of the file in the account; null where it has none. */
  first_date: string | null;
  last_date: string | null;
  /** JSON of an `AccountProof`; null if the balances of the file say nothing of the account. */
  proof: string | null;
}

/** What the balances of a file say of an account. Amounts are as accounts store them. */
export interface AccountProof {
  status: 'agrees' | 'differs';
  /** The day of the balance. */
  date: string;
  iso_currency_code: string | null;
  difference: string | null;
  /** What later files may fill; null if nothing can. */
  gap: {
    /** null if the rows are counted from the newest balance that an earlier file ended with. */
    first_date: string | null;
    last_date: string;
    opening_cents: number | null;
    closing_cents: number;
    /** What an amount does to the balance. */
    factor: 1 | -1;
  } | null;
}

/** What a later import knows a row by. It counts as long as the import is in force. */
export interface TransactionKeysTable {
  transaction_id: string;
  import_id: string;
  source_key: string;
  content_key: string;
  /** Namespace and id. */
  bank_id: string | null;
  /** JSON: the ids, in the same form, that the bank replaced by this one. */
  former_bank_ids: string | null;
  balance_cents: number | null;
}

export interface ImportRowsTable {
  import_id: string;
  line: number;
  part: number;
  outcome: string;
  reason: string | null;
  match_kind: string | null;
  transaction_id: string | null;
  record: string;
}

export interface ImportProfilesTable {
  id: string;
  short_id: string;
  slug: string;
  name: string;
  institution_name: string | null;
  format: string;
  header_signature: string | null;
  headers: string;
  account_id: string | null;
  settings: string;
  use_count: number;
  last_used_at: string | null;
  import_id: string | null;
  created_at: string;
  updated_at: string;
}
