export { backupPath, findBackup, listBackups, removeBackup } from './backup-files.ts';
export { backupPlace, requirePlace } from './backup-place.ts';
export type { BackupKind, BackupRecord, CheckedBackup, Lock, Opener } from './backup-record.ts';
export { checkBackup } from './check-backup.ts';
export { makeBackup } from './make-backup.ts';
export { isVerified, verifyLedger, type LedgerCheck } from './verify-ledger.ts';
