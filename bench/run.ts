import { writeFileSync } from 'node:fs';

import { edits } from './edits.ts';
import { importing } from './importing.ts';
import { journaling } from './journaling.ts';
import { ledgerOf } from './ledgers.ts';
import { limits } from './limits.ts';
import { links } from './links.ts';
import { reading } from './reading.ts';
import { rules } from './rules.ts';
import { starting } from './starting.ts';
import { syncing } from './syncing.ts';
import { createTable } from './table.ts';

/**
 * Every budget of the design and the contract, at three sizes side by side. `npm run bench -- 10000` runs one size,
 * `npm run bench -- importing 1000000` one part; the table is kept only from a run of everything.
 */
const PARTS = { starting, reading, edits, importing, syncing, limits, links, journaling, rules };
const SIZES = [10_000, 100_000, 1_000_000];

const given = process.argv.slice(2);
const wanted = given.map(Number).filter((n) => n > 0);
const names = Object.keys(PARTS).filter((name) => given.length === wanted.length || given.includes(name));
const sizes = wanted.length > 0 ? wanted : SIZES;

const table = createTable(sizes);
for (const size of sizes) {
  process.stderr.write(`${size.toLocaleString('en')} transactions\n`);
  table.begin(size);
  const ledger = await ledgerOf(size);
  for (const name of names) {
    const start = performance.now();
    await PARTS[name as keyof typeof PARTS](ledger, table.note);
    process.stderr.write(`  (${name} took ${((performance.now() - start) / 1000).toFixed(0)} s)\n`);
  }
}
process.stdout.write(table.markdown());
if (given.length === 0) writeFileSync('bench/RESULTS.md', table.markdown());
