import { parseArgs } from 'node:util';

import { bankHistory } from './bank-history.ts';
import { judgedHistory, type Judged } from './judged-history.ts';

/**
 * Imports random histories of a bank: `node test/oracle/histories/run.ts --histories 20000 --seed 1`. `--list` names those
 * with a row that was doubled, dropped or overwritten in silence.
 */
const { values } = parseArgs({
  options: {
    histories: { type: 'string', default: '2000' },
    seed: { type: 'string', default: '1' },
    list: { type: 'boolean', default: false },
  },
});

const HISTORIES_OF_A_SEED = 1_000_000;
const sums = new Map<string, Judged & { histories: number }>();
const started = performance.now();
for (let number = 0; number < Number(values.histories); number++) {
  const history = bankHistory(Number(values.seed) * HISTORIES_OF_A_SEED + number);
  const judged = judgedHistory(history);
  const { change, ids } = history.bank;
  for (const group of ['all', `change ${change}`, `ids ${ids}`]) {
    const sum = sums.get(group);
    const keys = Object.keys(judged) as (keyof Judged)[];
    const added = Object.fromEntries(keys.map((key) => [key, (sum?.[key] ?? 0) + judged[key]])) as unknown as Judged;
    sums.set(group, { ...added, histories: (sum?.histories ?? 0) + 1 });
  }
  if (values.list && judged.silent + judged.overwritten + judged.restless > 0)
    process.stdout.write(`${number} ${JSON.stringify(history.bank)} ${JSON.stringify(judged)}\n`);
}
for (const [group, sum] of [...sums].toSorted(([a], [b]) => (a < b ? -1 : 1)))
  process.stdout.write(`${group}: ${JSON.stringify(sum)}\n`);
process.stdout.write(`${Math.round(performance.now() - started)} ms\n`);
