import { join } from 'node:path';

import { atLeast, atMost, below, type Budget } from './budgets.ts';
import { withCopy } from './copy.ts';
import type { BenchLedger } from './ledgers.ts';
import { call, load, readJson, type Measured, type Target } from './load.ts';
import { pageStatement } from './page-statement.ts';
import type { BenchPostgres } from './postgres.ts';
import { ask, largestAccount, LIST, MONTH, type Question } from './questions.ts';
import { startBare, startHomeledger, type Running } from './server.ts';
import { ms, type Note } from './table.ts';

const SERIES_MS = 1_000;
const FIRST = `${LIST}?limit=50`;
const PAGE = 50;
/** With the groups that the smallest household has at least. */
const GROUPINGS: readonly [by: string, least: number][] = [
  ['category_primary', 20],
  ['month', 48],
  ['week', 200],
  ['day', 900],
  ['account', 5],
  ['user', 3],
  ['counterparty', 100],
  ['tag', 6],
];
const SELECTIVE = below(50, 'ms');
const TOTALS = below(150, 'ms');

function speed({ perSecond, p50, p99, failures }: Measured): string {
  const failed = failures > 0 ? `, ${failures} FAILED` : '';
  return `${perSecond.toFixed(0)}/s, p50 ${ms(p50)}, p99 ${ms(p99)}${failed}`;
}

/** Everything that only reads, besides what the comparison asks. */
export async function reading(ledger: BenchLedger, note: Note, postgres: BenchPostgres | null): Promise<void> {
  await withCopy(ledger, postgres, async (copy) => {
    const server = await startHomeledger(copy);
    const target: Target = { port: server.port, key: copy.key };
    const alone = { ms: SERIES_MS, concurrency: 1 };
    try {
      await pages(copy, server, target, note);
      const first = await load(target, FIRST, alone);
      note('first page, one client', null, speed(first));
      const deep = await load(target, await deepPage(target), alone);
      note('deep page, one client', null, speed(deep));
      const ratio = deep.p50 / first.p50;
      note('deep page as the first', atMost(1.25, '×'), `${ratio.toFixed(2)} ×`, ratio);
      for (const [question, budget] of await questions(target)) {
        await ask(target, question);
        const measured = await load(target, encodeURI(question.path), alone);
        note(question.name, budget, speed(measured), measured.failures > 0 ? Number.NaN : measured.p50);
      }
      await besides(target, note);
      note('memory after reading', null, `${server.memoryMiB().toFixed(0)} MiB`);
    } finally {
      await server.stop();
    }
  });
}

/** Pages for four clients at once: what they cost the server and, for the embedded database, beside a bare handler. */
async function pages(ledger: BenchLedger, server: Running, target: Target, note: Note): Promise<void> {
  const options = { ms: SERIES_MS, concurrency: 4 };
  if (ledger.databaseUrl === null) await besideBare(join(ledger.dataDir, 'homeledger.sqlite'), target, options, note);
  const cpu = server.cpuSeconds();
  const measured = await load(target, FIRST, options);
  const each = ((server.cpuSeconds() - cpu) * 1_000) / measured.requests;
  note('page of 50, four clients', null, speed(measured));
  note('processor time of the server for a page of 50', null, ms(each), each);
}

async function besideBare(
  file: string,
  target: Target,
  options: { ms: number; concurrency: number },
  note: Note,
): Promise<void> {
  const statement = await pageStatement(file);
  const first = await call(target, FIRST);
  const body = first.body.toString();
  const tail = body.slice(body.indexOf('],"next_cursor"') + 1);
  const bare = await startBare(file, statement.sql, statement.parameters, tail);
  try {
    const same = await call({ port: bare.port }, '/');
    if (!same.body.equals(first.body)) throw new Error('The bare handler answers other bytes.');
    // Taking turns evens out what else the machine does.
    const ours: Measured[] = [];
    const theirs: Measured[] = [];
    for (let turn = 0; turn < 3; turn++) {
      ours.push(await load(target, FIRST, options));
      theirs.push(await load({ port: bare.port }, '/', options));
    }
    const best = (list: Measured[]): Measured => list.toSorted((a, b) => b.perSecond - a.perSecond)[0] as Measured;
    const ratio = best(ours).perSecond / best(theirs).perSecond;
    note('the same bytes from a bare handler', null, speed(best(theirs)));
    note('page of 50, requests/s', atLeast(0.5, '× bare'), `${ratio.toFixed(2)} ×`, ratio);
  } finally {
    await bare.stop();
  }
}

/** The page at nine tenths of the ledger. */
async function deepPage(target: Target): Promise<string> {
  const months = await readJson<{ summary: { period: string }[] }>(
    target,
    `${LIST}/summary?group_by=month&include_pending=true`,
  );
  const early = months.summary[Math.floor(months.summary.length * 0.9)]?.period ?? '2022-06';
  const { transactions } = await readJson<{ transactions: { id: string; date: string }[] }>(
    target,
    `${LIST}?limit=1&date_to=${early}-28`,
  );
  const { next_cursor: cursor } = await readJson<{ next_cursor: string }>(target, `${LIST}?limit=1`);
  const [fingerprint] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as [string];
  const at = transactions[0];
  return `${FIRST}&cursor=${Buffer.from(JSON.stringify([fingerprint, at?.date, at?.id])).toString('base64url')}`;
}

/** What is asked besides the comparison, with its budget. */
async function questions(target: Target): Promise<[question: Question, budget: Budget | null][]> {
  const [user] = await readJson<{ id: string }[]>(target, '/api/v1/users');
  const page = (name: string, query: string, budget: Budget | null = null): [Question, Budget | null] => [
    { name, path: `${LIST}?${query}`, least: PAGE },
    budget,
  ];
  const groups = (
    name: string,
    path: string,
    least: number,
    budget: Budget | null = null,
  ): [Question, Budget | null] => [{ name, path, least }, budget];
  return [
    page('filter: one account', `account_id=${await largestAccount(target)}`),
    page('filter: category with children', 'category_slug=food_and_drink'),
    page('filter: one month', MONTH),
    page('filter: amount range', 'amount_min=12&amount_max=13'),
    page('filter: uncategorised', 'uncategorized=true'),
    page('filter: member', `user_id=${user?.id ?? ''}`),
    page('search: contains, rare', 'search=bäckerei', SELECTIVE),
    groups('search: contains, few', `${LIST}?search=netflix`, 40, SELECTIVE),
    page('search: contains, two letters', 'search=sq', SELECTIVE),
    page('search: words', 'search=corner cafe&search_mode=words', SELECTIVE),
    groups('search: contains, none', `${LIST}?search=coffee`, 0, SELECTIVE),
    groups('count everything', `${LIST}/count`, 1),
    groups('count with totals', `${LIST}/count?include_totals=true`, 1),
    groups('summary: category', `${LIST}/summary?group_by=category`, 50),
    groups('summary: month × category', `${LIST}/summary?group_by=category_month`, 900, TOTALS),
    ...GROUPINGS.map(([by, least]) => groups(`summary: ${by}`, `${LIST}/summary?group_by=${by}`, least)),
    groups('overview', '/api/v1/overview', 3, below(20, 'ms')),
    groups('overview of one member', `/api/v1/overview?user_id=${user?.id ?? ''}`, 1),
    groups(
      'net worth over all years, by day',
      '/api/v1/overview/history?date_from=2020-01-01&date_to=2026-04-30&interval=day',
      1,
    ),
    groups('merchants', `${LIST}/merchants`, 100),
  ];
}

/** Small requests while summaries over everything follow one another. */
async function besides(target: Target, note: Note): Promise<void> {
  let isOver = false;
  const summaries = (async () => {
    while (!isOver) await call(target, `${LIST}/summary?group_by=category_month`);
  })();
  const small = await load(target, '/api/v1/keys/me', { ms: SERIES_MS, concurrency: 1 });
  isOver = true;
  await summaries;
  note('simple GET while summaries run', below(50, 'ms p99'), speed(small), small.p99);
}
