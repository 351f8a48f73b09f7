import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { makeMissingIndexes } from '../../../../app.ts';
import { removeDeadLeases } from '../../../../features/encryption/index.ts';
import type { Patient } from './check.ts';
import { tooWide } from './installation.ts';

/** Something that is safe to mend: never rows of the ledger, keys or settings. */
export interface Fix {
  what: string;
  mend: () => Promise<void> | void;
}

/** What can be mended here and now. */
export async function findFixes(patient: Patient): Promise<Fix[]> {
  const { config, app, database } = patient;
  if (!config || !existsSync(config.dataDir)) return [];
  const { dataDir } = config;
  const fixes: Fix[] = [];
  const wide = tooWide(dataDir);
  if (wide.length > 0) {
    const paths = wide.map(({ path }) => path).join(', ');
    fixes.push({ what: `let only their owner open ${paths}`, mend: () => wide.forEach(narrow) });
  }
  const backups = join(dataDir, 'backups');
  if (config.backupDir === null && !existsSync(backups)) {
    fixes.push({ what: `create ${backups}`, mend: () => mkdirSync(backups, { mode: 0o700 }) });
  }
  const left = abandoned(backups, patient.now);
  if (left.length > 0) {
    fixes.push({ what: `delete what a crash left: ${left.join(', ')}`, mend: () => left.forEach(remove) });
  }
  if (database && database.missingIndexes.length > 0) {
    const mend = async (): Promise<void> => void (await makeMissingIndexes(config));
    fixes.push({ what: `create the indexes ${database.missingIndexes.join(', ')}`, mend });
  }
  if (app) {
    const dead = await removeDeadLeases(app.instance.database, true);
    const mend = async (): Promise<void> => void (await removeDeadLeases(app.instance.database));
    if (dead > 0) fixes.push({ what: `end ${dead} leases of processes that are gone`, mend });
  }
  return fixes;
}

function narrow({ path, mode }: { path: string; mode: number }): void {
  chmodSync(path, mode);
}

function remove(path: string): void {
  rmSync(path, { recursive: true, force: true });
}

/** What a copy before a migration, or a backup, is called until it is complete. Nothing else of that folder is ours. */
const UNFINISHED = /^unfinished-\w{6}$|^homeledger-[\w-]+\.hlb(\.json)?\.part$/;
/** Somebody may still be writing a younger one. */
const ABANDONED_MS = 600_000;

function abandoned(backups: string, now: number): string[] {
  if (!existsSync(backups)) return [];
  return readdirSync(backups)
    .filter((name) => UNFINISHED.test(name))
    .map((name) => join(backups, name))
    .filter((path) => now - lastWrittenMs(path) > ABANDONED_MS);
}

function lastWrittenMs(path: string): number {
  const stats = statSync(path);
  const inside = stats.isDirectory() ? readdirSync(path).map((name) => statSync(join(path, name)).mtimeMs) : [];
  return Math.max(stats.mtimeMs, ...inside);
}
