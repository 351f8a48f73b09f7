export type BackupKind = 'manual' | 'scheduled' | 'pre_migration' | 'pre_restore';

/** What a backup is encrypted to; null is a plain file. */
export type Lock = { recipients: readonly string[] } | { passphrase: string } | null;

/** What opens a backup; null for a plain file, or for whoever has no key. */
export type Opener = { identity: string } | { passphrase: string } | null;

export interface BackupCheck {
  name: string;
  status: 'pass' | 'fail' | 'skip';
  message: string;
}

export interface CheckedBackup {
  ok: boolean;
  /** False if the rows could not be looked at, because the file is encrypted and no key was given. */
  with_content: boolean;
  checks: BackupCheck[];
}

/** What lies beside each file as `<name>.json`, without figures of the ledger. */
export interface BackupRecord {
  id: string | null;
  short_id: string | null;
  name: string;
  kind: BackupKind | null;
  status: 'in_progress' | 'complete' | 'error';
  size_bytes: number | null;
  sha256: string | null;
  encrypted: boolean | null;
  recipients: readonly string[];
  program_version: string | null;
  schema_version: number | null;
  error_message: string | null;
  verified_at: string | null;
  last_check: (CheckedBackup & { at: string }) | null;
  progress: number | null;
  created_at: string | null;
  completed_at: string | null;
}

/** Of a backup as it is made: the file, its record, and what only whoever made it is told. */
export interface MadeBackup {
  record: BackupRecord;
  path: string;
  rows: Readonly<Record<string, number>>;
}
