import { execFileSync } from 'node:child_process';
import { mkdirSync, realpathSync } from 'node:fs';

import type { BenchPostgres } from './postgres.ts';

/** A seeded household on one of the two databases. */
export interface BenchLedger {
  transactions: number;
  dataDir: string;
  key: string;
  /** null for the embedded database, which is in the data directory. */
  databaseUrl: string | null;
}

mkdirSync('bench/.cache', { recursive: true });
/** What is built once and reused. Commits may be older than the bench: their code is given whole paths. */
export const CACHE = realpathSync('bench/.cache');
const BUILDER = realpathSync('bench/build-ledger.ts');

/** A seeded household of so many transactions, written by the code in `root`; built once per schema, then reused. */
export function ledgerOf(transactions: number, postgres: BenchPostgres | null, root = '.'): BenchLedger {
  const given = [String(transactions), CACHE, ...(postgres ? [postgres.url, postgres.name] : [])];
  const built = execFileSync(process.execPath, [BUILDER, ...given], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return JSON.parse(built) as BenchLedger;
}

/** What tells a Homeledger where the ledger is. */
export function environmentOf({ dataDir, databaseUrl }: BenchLedger): NodeJS.ProcessEnv {
  return { HOMELEDGER_DATA_DIR: dataDir, DATABASE_URL: databaseUrl ?? undefined };
}
