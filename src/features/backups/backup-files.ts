import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { z } from 'zod';

import { AppError } from '../../kernel/errors.ts';
import { LIMITS } from '../../kernel/limits.ts';
import type { Instance } from '../handler.ts';
import { BACKUP_NAME, backupDirectory, selectInstallation } from './backup-place.ts';
import type { BackupKind, BackupRecord } from './backup-record.ts';

type Installation = Pick<Instance, 'config' | 'database'>;

/** A record as it lies beside its file, with whose it is. */
const Stored = z.looseObject({
  installation_id: z.string(),
  maker: z.string(),
  id: z.string(),
  short_id: z.string(),
  name: z.string().regex(BACKUP_NAME),
  status: z.enum(['in_progress', 'complete', 'error']),
  created_at: z.string(),
});

const INTERRUPTED = 'The process ended before the backup was complete.';

/** The backups of this household, newest first. Files of other installations are not among them. */
export async function listBackups(instance: Installation): Promise<BackupRecord[]> {
  const directory = backupDirectory(instance);
  if (!existsSync(directory)) return [];
  const own = await instance.database.read(selectInstallation);
  const found: BackupRecord[] = [];
  const names = new Set(readdirSync(directory).map((name) => name.replace(/\.json$/, '')));
  for (const name of names) {
    if (!BACKUP_NAME.test(name)) continue;
    const stored = readStored(join(directory, `${name}.json`));
    if (!stored) {
      if (existsSync(join(directory, name))) found.push(withoutRecord(directory, name));
      continue;
    }
    if (stored.installation_id !== own || stored.name !== name) continue;
    const { installation_id: _owner, maker, ...record } = stored;
    const listed = record as unknown as BackupRecord;
    const isLost = listed.status === 'in_progress' && !(await instance.database.isPresent(maker));
    found.push(isLost ? { ...listed, status: 'error', progress: null, error_message: INTERRUPTED } : listed);
  }
  const key = (one: BackupRecord): string => one.name.slice('homeledger-'.length);
  return found.toSorted((one, other) => (key(one) < key(other) ? 1 : -1));
}

/** By id, short_id or name. @throws NOT_FOUND */
export async function findBackup(instance: Installation, anyId: string): Promise<BackupRecord> {
  const all = await listBackups(instance);
  const found = all.find(({ id, short_id, name }) => [id, short_id, name].includes(anyId));
  if (!found) throw new AppError('NOT_FOUND', 'There is no such backup.');
  return found;
}

export function backupPath(instance: Pick<Instance, 'config'>, record: Pick<BackupRecord, 'name'>): string {
  return join(backupDirectory(instance), record.name);
}

export function removeBackup(instance: Pick<Instance, 'config'>, record: Pick<BackupRecord, 'name'>): void {
  const path = backupPath(instance, record);
  for (const suffix of ['', '.part', '.json']) rmSync(path + suffix, { force: true });
}

/** Puts a record beside its file, whole or not at all. */
export function writeRecord(
  path: string,
  record: BackupRecord,
  owner: { installation_id: string; maker: string },
): void {
  const temporary = `${path}.json.part`;
  writeFileSync(temporary, `${JSON.stringify({ ...record, ...owner }, null, 2)}\n`, { mode: 0o600 });
  renameSync(temporary, `${path}.json`);
}

/** Removes unfinished files of this household that nobody is writing any longer. */
export async function removeUnfinished(instance: Installation): Promise<void> {
  const directory = backupDirectory(instance);
  if (!existsSync(directory)) return;
  const own = await instance.database.read(selectInstallation);
  for (const name of readdirSync(directory).filter((one) => one.endsWith('.part'))) {
    const stored = readStored(join(directory, name.replace(/(\.json)?\.part$/, '.json')));
    const isOurs = stored !== undefined && stored.installation_id === own;
    if (isOurs && !(await instance.database.isPresent(stored.maker))) rmSync(join(directory, name), { force: true });
  }
}

function readStored(path: string): z.output<typeof Stored> | undefined {
  try {
    if (statSync(path).size > LIMITS.backupRecordBytes) return undefined;
    return Stored.safeParse(JSON.parse(readFileSync(path, 'utf8'))).data;
  } catch {
    return undefined;
  }
}

/** What the name alone says. */
function withoutRecord(directory: string, name: string): BackupRecord {
  return {
    id: null,
    short_id: null,
    name,
    kind: (BACKUP_NAME.exec(name)?.[2] ?? null) as BackupKind | null,
    status: 'complete',
    size_bytes: statSync(join(directory, name)).size,
    sha256: null,
    encrypted: null,
    recipients: [],
    program_version: null,
    schema_version: null,
    error_message: null,
    verified_at: null,
    last_check: null,
    progress: null,
    created_at: null,
    completed_at: null,
  };
}
