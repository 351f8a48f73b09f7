import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { BenchLedger } from './ledgers.ts';

/** Runs with a copy of the ledger, which is gone afterwards. */
export async function withCopy(ledger: BenchLedger, run: (dataDir: string) => Promise<void>): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'homeledger-bench-'));
  try {
    cpSync(ledger.dataDir, dataDir, { recursive: true });
    await run(dataDir);
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}
