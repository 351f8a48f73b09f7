import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { createApp } from '../src/app.ts';
import { migrations } from '../src/db/migrations/index.ts';
import { makeKey } from '../src/features/api-keys/index.ts';
import { write } from '../src/journal/write.ts';
import { readConfig } from '../src/kernel/config.ts';
import { sha256Hex } from '../src/kernel/crypto.ts';
import { generateHousehold } from '../simulators/household.ts';
import { writeHousehold } from '../simulators/write-household.ts';

export interface BenchLedger {
  transactions: number;
  dataDir: string;
  file: string;
  key: string;
}

const CACHE = 'bench/.cache';
const UNTIL = '2026-04-30';
const BENCH = { type: 'system', id: null, userId: null, name: 'bench' } as const;

/** A seeded household of so many transactions in an embedded database; built once per schema, then reused. */
export async function ledgerOf(transactions: number): Promise<BenchLedger> {
  const schema = sha256Hex(JSON.stringify(migrations)).slice(0, 8);
  const dataDir = join(CACHE, `${transactions}-${schema}`);
  const file = join(dataDir, 'homeledger.sqlite');
  const keyFile = join(dataDir, 'bench-key');
  if (existsSync(keyFile)) return { transactions, dataDir, file, key: readFileSync(keyFile, 'utf8') };
  const part = `${dataDir}.part`;
  rmSync(part, { recursive: true, force: true });
  mkdirSync(part, { recursive: true });
  const start = performance.now();
  const app = await createApp(readConfig({ HOMELEDGER_DATA_DIR: part, LOG_LEVEL: 'error' }), { workers: 0 });
  const household = generateHousehold({ seed: 1, transactions, until: UNTIL });
  await writeHousehold(app.instance, household);
  const origin = {
    actor: BENCH,
    surface: 'cli',
    source: 'system',
    action: 'api_key.create',
    reason: null,
    requestId: null,
  } as const;
  const made = await write(app.instance.database, origin, (tx) =>
    makeKey(app.instance, tx, {
      name: 'bench',
      scope: 'full_access',
      actor_type: 'system',
      actor_name: null,
      expires_at: null,
    }),
  );
  await app.close();
  process.stderr.write(`  (built in ${((performance.now() - start) / 1000).toFixed(0)} s)\n`);
  writeFileSync(join(part, 'bench-key'), made.value.key);
  renameSync(part, dataDir);
  return { transactions, dataDir, file, key: made.value.key };
}
