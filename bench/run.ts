import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { csvFile } from './csv-file.ts';
import { edits } from './edits.ts';
import { ledgerOf, type BenchLedger } from './ledgers.ts';
import { call, load, percentiles, post, type Measured, type Target } from './load.ts';
import { pageStatement } from './page-statement.ts';
import { rules } from './rules.ts';
import { startBare, startHomeledger, type Running } from './server.ts';

/** Every budget of the design that exists by now, at three sizes side by side. `npm run bench -- 10000` for one. */

const SIZES = process.argv
  .slice(2)
  .map(Number)
  .filter((n) => n > 0);
const sizes = SIZES.length > 0 ? SIZES : [10_000, 100_000, 1_000_000];
const SERIES_MS = 2_000;
const IMPORT_ROWS = 100_000;
const LIST = '/api/v1/transactions';

interface Row {
  name: string;
  budget: string;
  cells: string[];
}
const rows = new Map<string, Row>();

function note(name: string, budget: string, cell: string): void {
  const row = rows.get(name) ?? { name, budget, cells: [] };
  row.cells.push(cell);
  rows.set(name, row);
  process.stderr.write(`  ${name}: ${cell}\n`);
}

const ms = (value: number): string => (value < 10 ? value.toFixed(1) : value.toFixed(0));
const speed = (measured: Measured): string =>
  `${measured.perSecond.toFixed(0)}/s, p50 ${ms(measured.p50)}, p99 ${ms(measured.p99)} ms${measured.failures > 0 ? `, ${measured.failures} FAILED` : ''}`;

for (const size of sizes) {
  process.stderr.write(`${size.toLocaleString('en')} transactions\n`);
  const ledger = await ledgerOf(size);
  await reading(ledger);
  await edits(ledger, note);
  await importing(ledger);
  await rules(ledger, note);
}
print();

async function reading(ledger: BenchLedger): Promise<void> {
  const statement = await pageStatement(ledger.file);
  const server = await startHomeledger(ledger.dataDir);
  const target: Target = { port: server.port, key: ledger.key };
  try {
    note('start-up to first answer', '< 500 ms', `${ms(server.startMs)} ms`);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    note('idle memory', '< 120 MB', `${server.memoryMiB().toFixed(0)} MiB`);
    await pages(ledger, server, target, statement);
    for (const [name, path] of await cases(target)) {
      note(name, budgetOf(name), speed(await load(target, path, { ms: SERIES_MS, concurrency: 1 })));
    }
    note('memory after reading', '–', `${server.memoryMiB().toFixed(0)} MiB`);
  } finally {
    await server.stop();
  }
}

async function pages(
  ledger: BenchLedger,
  server: Running,
  target: Target,
  statement: { sql: string; parameters: readonly unknown[] },
): Promise<void> {
  const first = await call(target, `${LIST}?limit=50`);
  const body = first.body.toString();
  const tail = body.slice(body.indexOf('],"next_cursor"') + 1);
  const bare = await startBare(ledger.file, statement.sql, statement.parameters, tail);
  try {
    const same = await call({ port: bare.port }, '/');
    if (!same.body.equals(first.body)) throw new Error('The bare handler answers other bytes.');
    // Taking turns evens out what else the machine does.
    const options = { ms: SERIES_MS / 2, concurrency: 4 };
    const ours: Measured[] = [];
    const theirs: Measured[] = [];
    for (let turn = 0; turn < 3; turn++) {
      ours.push(await load(target, `${LIST}?limit=50`, options));
      theirs.push(await load({ port: bare.port }, '/', options));
    }
    const best = (list: Measured[]): Measured => list.toSorted((a, b) => b.perSecond - a.perSecond)[0] as Measured;
    const ratio = best(ours).perSecond / best(theirs).perSecond;
    note('page of 50', '≥ 0.5 × bare', speed(best(ours)));
    note('page of 50, bare handler', '–', speed(best(theirs)));
    note('page of 50, ratio to bare', '≥ 0.50', ratio.toFixed(2));
  } finally {
    await bare.stop();
  }
  void server;
}

/** One request per budget; the deep page is at nine tenths of the ledger. */
async function cases(target: Target): Promise<[string, string][]> {
  const read = async (path: string): Promise<unknown> =>
    JSON.parse((await call(target, path)).body.toString()) as unknown;
  const accounts = (await read('/api/v1/accounts')) as { id: string; name: string }[];
  const cut = (await read(`${LIST}/summary?group_by=month&include_pending=true`)) as { summary: { period: string }[] };
  const early = cut.summary[Math.floor(cut.summary.length * 0.9)]?.period ?? '2022-06';
  const deep = (await read(`${LIST}?limit=1&date_to=${early}-28`)) as { transactions: { id: string; date: string }[] };
  const whole = (await read(`${LIST}?limit=1`)) as { next_cursor: string };
  const [fingerprint] = JSON.parse(Buffer.from(whole.next_cursor, 'base64url').toString()) as [string];
  const at = deep.transactions[0];
  const cursor = Buffer.from(JSON.stringify([fingerprint, at?.date, at?.id])).toString('base64url');
  const joint = accounts[0]?.id ?? '';
  return [
    ['deep page', `${LIST}?limit=50&cursor=${cursor}`],
    ['filter: one account', `${LIST}?account_id=${joint}`],
    ['filter: category with children', `${LIST}?category_slug=food_and_drink`],
    ['filter: one month', `${LIST}?date_from=2024-03-01&date_to=2024-03-31`],
    ['filter: amount range', `${LIST}?amount_min=1234&amount_max=1240`],
    ['filter: tag', `${LIST}?tag=needs-review`],
    ['filter: uncategorised', `${LIST}?uncategorized=true`],
    ['filter: member', `${LIST}?user_id=${((await read('/api/v1/users')) as { id: string }[])[0]?.id ?? ''}`],
    ['search: contains, rare', `${LIST}?search=bäckerei`],
    ['search: contains, common', `${LIST}?search=coffee`],
    ['search: words', `${LIST}?search=corner cafe&search_mode=words`.replace(' ', '%20')],
    ['search: fuzzy', `${LIST}?search=starbuks&search_mode=fuzzy`],
    ['search: two letters', `${LIST}?search=sq`],
    ['count everything', `${LIST}/count`],
    ['count with totals', `${LIST}/count?include_totals=true`],
    ['summary: category', `${LIST}/summary?group_by=category`],
    ['summary: month × category', `${LIST}/summary?group_by=category_month`],
    [
      'summary: month × category, one year',
      `${LIST}/summary?group_by=category_month&date_from=2024-01-01&date_to=2024-12-31`,
    ],
    ...['category_primary', 'month', 'week', 'day', 'account', 'user', 'counterparty', 'tag'].map((by) => [
      `summary: ${by}`,
      `${LIST}/summary?group_by=${by}`,
    ]),
    ['merchants', `${LIST}/merchants`],
    ['merchants, one year', `${LIST}/merchants?date_from=2024-01-01&date_to=2024-12-31`],
  ].map(([name, path]) => [name as string, encodeURI(path as string).replaceAll('%2520', '%20')]);
}

function budgetOf(name: string): string {
  if (name.startsWith('search')) return '< 50 ms selective';
  if (name.startsWith('summary: month × category')) return '< 150 ms';
  return name === 'deep page' ? 'as the first' : '–';
}

/** A 100,000-row file with balances into a copy of the ledger, while small requests go on. */
async function importing(ledger: BenchLedger): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'homeledger-bench-'));
  cpSync(ledger.dataDir, dataDir, { recursive: true });
  const server = await startHomeledger(dataDir);
  const target: Target = { port: server.port, key: ledger.key };
  try {
    const users = JSON.parse((await call(target, '/api/v1/users')).body.toString()) as { id: string }[];
    const quiet = await load(target, '/api/v1/keys/me', { ms: 1_000, concurrency: 1 });
    note('simple GET, nothing else running', '–', speed(quiet));
    for (const [name, budget, account, texts] of [
      ['import of 100,000 rows with proof', '< 5 s', 'Lifelike', 10_000],
      ['the same file again', '< 5 s', 'Lifelike', 10_000],
      ['import of 100,000 rows, every text different', '–', 'Distinct', 10_000_000],
    ] as const) {
      const file = csvFile(IMPORT_ROWS, 7, texts);
      const times: number[] = [];
      let going = true;
      const path = `/api/v1/connections/csv/import?user_id=${users[0]?.id}&account_name=${account}&prefer=wait`;
      const start = performance.now();
      const sent = post(target, path, 'text/csv', file).finally(() => {
        going = false;
      });
      while (going) {
        times.push((await call(target, '/api/v1/keys/me')).ms);
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      const answer = await sent;
      const seconds = (performance.now() - start) / 1000;
      const counts = (JSON.parse(answer.body.toString()) as { import?: { counts?: unknown } }).import?.counts;
      process.stderr.write(`    ${answer.status} ${JSON.stringify(counts ?? answer.body.toString().slice(0, 300))}\n`);
      note(name, budget, `${seconds.toFixed(2)} s`);
      const { p50, p99 } = percentiles(times);
      note(`simple GET during: ${name}`, 'p99 < 50 ms', `p50 ${ms(p50)}, p99 ${ms(p99)} ms`);
    }
    note('memory at the peak of the imports', '< 300 MB', `${server.peakMiB().toFixed(0)} MiB`);
  } finally {
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

function print(): void {
  const head = `| What | Budget at 1M | ${sizes.map((size) => size.toLocaleString('en')).join(' | ')} |`;
  const line = `|---|---|${sizes.map(() => '---|').join('')}`;
  const body = [...rows.values()].map((row) => `| ${row.name} | ${row.budget} | ${row.cells.join(' | ')} |`);
  const version = (JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }).version;
  const text = `# Benchmark results

Machine: 2 cores. Node ${process.versions.node}, embedded database, Homeledger ${version}. Client and server share the machine.
Made with \`npm run bench\`; the household is that of \`npm run demo\`, seed 1. Times in milliseconds unless said otherwise.

${[head, line, ...body].join('\n')}
`;
  process.stdout.write(text);
  if (SIZES.length === 0) writeFileSync('bench/RESULTS.md', text);
}
