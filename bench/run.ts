import { writeFileSync } from 'node:fs';

import { against, COMPARED } from './against.ts';
import { compared } from './compared.ts';
import { edits } from './edits.ts';
import { importing } from './importing.ts';
import { journaling } from './journaling.ts';
import { CACHE, ledgerOf, type BenchLedger } from './ledgers.ts';
import { limits } from './limits.ts';
import { links } from './links.ts';
import { readOptions, type Options } from './options.ts';
import { startPostgres, type BenchPostgres } from './postgres.ts';
import { reading } from './reading.ts';
import { reviewing } from './reviewing.ts';
import { rules } from './rules.ts';
import { starting } from './starting.ts';
import { syncing } from './syncing.ts';
import { createTable, type Note } from './table.ts';
import { web } from './web.ts';

/** Measures one subject on a ledger, of which it uses copies only. */
export type Part = (ledger: BenchLedger, note: Note, postgres: BenchPostgres | null) => Promise<void>;

/**
 * Every budget of the design and the contract, at three sizes side by side. `npm run bench -- 10000` runs one size,
 * `npm run bench -- importing 1000000` one part, `--postgres` runs on PostgreSQL, and `against <commit>` compares with
 * another commit; a table is kept only from a run of everything.
 */
const PARTS: Record<string, Part> = {
  starting,
  compared,
  reading,
  reviewing,
  edits,
  importing,
  syncing,
  limits,
  links,
  journaling,
  rules,
  web,
};

const options = readOptions(process.argv.slice(2), Object.keys(PARTS), COMPARED);
// Servers and copies go with the process, so that it ends by itself.
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    process.stderr.write(`Stopped by ${signal}.\n`);
    process.exit(1);
  });
}
const postgres = options.isOnPostgres ? await startPostgres(CACHE) : null;
try {
  await (options.commit === undefined ? measure(options) : compare(options, options.commit));
} finally {
  await postgres?.stop();
}

async function measure({ sizes, parts, isWhole }: Options): Promise<void> {
  const table = createTable(sizes, postgres ? `PostgreSQL ${postgres.version}` : 'embedded database');
  for (const size of sizes) {
    process.stderr.write(`${size.toLocaleString('en')} transactions\n`);
    table.begin(size);
    const ledger = ledgerOf(size, postgres);
    for (const name of parts) {
      const start = performance.now();
      await PARTS[name]?.(ledger, table.note, postgres);
      process.stderr.write(`  (${name} took ${((performance.now() - start) / 1000).toFixed(0)} s)\n`);
    }
  }
  process.stdout.write(table.markdown());
  if (isWhole) writeFileSync(postgres ? 'bench/RESULTS-POSTGRESQL.md' : 'bench/RESULTS.md', table.markdown());
}

/** On the embedded database, and then on PostgreSQL if that is asked for. */
async function compare({ sizes, parts }: Options, commit: string): Promise<void> {
  for (const size of sizes) {
    for (const place of postgres ? [null, postgres] : [null]) {
      process.stderr.write(
        `${size.toLocaleString('en')} transactions, ${place ? 'PostgreSQL' : 'embedded database'}\n`,
      );
      process.stdout.write(`${await against(commit, size, place, parts)}\n`);
    }
  }
}
