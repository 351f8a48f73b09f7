import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

import { comparisonLines } from './comparison.ts';
import { oracleFile } from './oracle.ts';
import { judge } from './verdict.ts';
import { Tally } from './tally.ts';

/**
 * Reads files whose ledger is known: `node test/oracle/run.ts --files 100000 --seed 1`. `--file 1234` shows one of them,
 * `--save` keeps the verdicts, and `--compare` says which files changed since then. `--list wrong` names files.
 */
const { values } = parseArgs({
  options: {
    files: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
    file: { type: 'string' },
    save: { type: 'string' },
    compare: { type: 'string' },
    list: { type: 'string' },
  },
});

const seed = Number(values.seed);
if (values.file === undefined) readMany(Number(values.files));
else showOne(Number(values.file));

function readMany(count: number): void {
  const tally = new Tally();
  const started = performance.now();
  for (let number = 0; number < count; number++) {
    const file = oracleFile(seed, number);
    tally.add(number, file, judge(file));
  }
  const seconds = (performance.now() - started) / 1000;
  print(tally.lines());
  print([`${count} files in ${seconds.toFixed(1)} s, ${Math.round(count / seconds)} a second`]);
  if (values.list !== undefined) print(tally.listed(values.list));
  if (values.compare !== undefined)
    print(comparisonLines(JSON.parse(readFileSync(values.compare, 'utf8')), tally.saved()));
  if (values.save !== undefined) writeFileSync(values.save, JSON.stringify(tally.saved()));
}

function showOne(number: number): void {
  const file = oracleFile(seed, number);
  print([
    JSON.stringify(file.dialect, (key, value: unknown) => (key === 'words' ? undefined : value)),
    file.text,
    ...file.rows.map((row) => JSON.stringify(row)),
    JSON.stringify(judge(file), null, 2),
  ]);
}

function print(lines: readonly string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`);
}
