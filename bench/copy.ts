import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { BenchLedger } from './ledgers.ts';
import type { BenchPostgres } from './postgres.ts';

/** Runs with a copy of the ledger, which is gone afterwards. */
export async function withCopy<T>(
  ledger: BenchLedger,
  postgres: BenchPostgres | null,
  run: (copy: BenchLedger) => Promise<T>,
): Promise<T> {
  const dataDir = mkdtempSync(join(tmpdir(), 'homeledger-bench-'));
  const remove = (): void => rmSync(dataDir, { recursive: true, force: true });
  process.once('exit', remove);
  const database = postgres && ledger.databaseUrl !== null ? await postgres.copyOf(ledger.databaseUrl) : null;
  try {
    cpSync(ledger.dataDir, dataDir, { recursive: true });
    return await run({ ...ledger, dataDir, databaseUrl: database?.url ?? null });
  } finally {
    process.off('exit', remove);
    remove();
    await database?.drop();
  }
}
