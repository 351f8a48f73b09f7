import type { BenchLedger } from './ledgers.ts';
import { call, load, type Measured, type Target } from './load.ts';
import { pageStatement } from './page-statement.ts';
import { startBare, startHomeledger } from './server.ts';
import { atLeast, atMost, below, ms, type Budget, type Note } from './table.ts';

const SERIES_MS = 1_000;
const LIST = '/api/v1/transactions';
const FIRST = `${LIST}?limit=50`;
const GROUPINGS = ['category_primary', 'month', 'week', 'day', 'account', 'user', 'counterparty', 'tag'];
const SELECTIVE = below(50, 'ms');
const TOTALS = below(150, 'ms');

function speed({ perSecond, p50, p99, failures }: Measured): string {
  const failed = failures > 0 ? `, ${failures} FAILED` : '';
  return `${perSecond.toFixed(0)}/s, p50 ${ms(p50)}, p99 ${ms(p99)}${failed}`;
}

/** Everything that only reads. */
export async function reading(ledger: BenchLedger, note: Note): Promise<void> {
  const server = await startHomeledger(ledger.dataDir);
  const target: Target = { port: server.port, key: ledger.key };
  const alone = { ms: SERIES_MS, concurrency: 1 };
  try {
    await pages(ledger, target, note);
    const first = await load(target, FIRST, alone);
    note('first page, one client', null, speed(first));
    const deep = await load(target, await deepPage(target), alone);
    note('deep page, one client', null, speed(deep));
    const ratio = deep.p50 / first.p50;
    note('deep page as the first', atMost(1.25, '×'), `${ratio.toFixed(2)} ×`, ratio);
    for (const [name, path, budget] of await cases(target)) {
      const measured = await load(target, encodeURI(path), alone);
      note(name, budget, speed(measured), measured.failures > 0 ? Number.NaN : measured.p50);
    }
    await besides(target, note);
    note('memory after reading', null, `${server.memoryMiB().toFixed(0)} MiB`);
  } finally {
    await server.stop();
  }
}

async function pages(ledger: BenchLedger, target: Target, note: Note): Promise<void> {
  const statement = await pageStatement(ledger.file);
  const first = await call(target, FIRST);
  const body = first.body.toString();
  const tail = body.slice(body.indexOf('],"next_cursor"') + 1);
  const bare = await startBare(ledger.file, statement.sql, statement.parameters, tail);
  try {
    const same = await call({ port: bare.port }, '/');
    if (!same.body.equals(first.body)) throw new Error('The bare handler answers other bytes.');
    // Taking turns evens out what else the machine does.
    const options = { ms: SERIES_MS, concurrency: 4 };
    const ours: Measured[] = [];
    const theirs: Measured[] = [];
    for (let turn = 0; turn < 3; turn++) {
      ours.push(await load(target, FIRST, options));
      theirs.push(await load({ port: bare.port }, '/', options));
    }
    const best = (list: Measured[]): Measured => list.toSorted((a, b) => b.perSecond - a.perSecond)[0] as Measured;
    const ratio = best(ours).perSecond / best(theirs).perSecond;
    note('page of 50, four clients', null, speed(best(ours)));
    note('the same bytes from a bare handler', null, speed(best(theirs)));
    note('page of 50, requests/s', atLeast(0.5, '× bare'), `${ratio.toFixed(2)} ×`, ratio);
  } finally {
    await bare.stop();
  }
}

async function read<T>(target: Target, path: string): Promise<T> {
  return JSON.parse((await call(target, path)).body.toString()) as T;
}

/** The page at nine tenths of the ledger. */
async function deepPage(target: Target): Promise<string> {
  const months = await read<{ summary: { period: string }[] }>(
    target,
    `${LIST}/summary?group_by=month&include_pending=true`,
  );
  const early = months.summary[Math.floor(months.summary.length * 0.9)]?.period ?? '2022-06';
  const { transactions } = await read<{ transactions: { id: string; date: string }[] }>(
    target,
    `${LIST}?limit=1&date_to=${early}-28`,
  );
  const { next_cursor: cursor } = await read<{ next_cursor: string }>(target, `${LIST}?limit=1`);
  const [fingerprint] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as [string];
  const at = transactions[0];
  return `${FIRST}&cursor=${Buffer.from(JSON.stringify([fingerprint, at?.date, at?.id])).toString('base64url')}`;
}

async function cases(target: Target): Promise<[name: string, path: string, budget: Budget | null][]> {
  const [account] = await read<{ id: string }[]>(target, '/api/v1/accounts');
  const [user] = await read<{ id: string }[]>(target, '/api/v1/users');
  const year = 'date_from=2024-01-01&date_to=2024-12-31';
  return [
    ['filter: one account', `${LIST}?account_id=${account?.id ?? ''}`, null],
    ['filter: category with children', `${LIST}?category_slug=food_and_drink`, null],
    ['filter: one month', `${LIST}?date_from=2024-03-01&date_to=2024-03-31`, null],
    ['filter: amount range', `${LIST}?amount_min=1234&amount_max=1240`, null],
    ['filter: tag', `${LIST}?tag=needs-review`, null],
    ['filter: uncategorised', `${LIST}?uncategorized=true`, null],
    ['filter: member', `${LIST}?user_id=${user?.id ?? ''}`, null],
    ['search: contains, rare', `${LIST}?search=bäckerei`, SELECTIVE],
    ['search: contains, common', `${LIST}?search=coffee`, SELECTIVE],
    ['search: contains, two letters', `${LIST}?search=sq`, SELECTIVE],
    ['search: words', `${LIST}?search=corner cafe&search_mode=words`, SELECTIVE],
    ['search: fuzzy', `${LIST}?search=starbuks&search_mode=fuzzy`, SELECTIVE],
    ['count everything', `${LIST}/count`, null],
    ['count with totals', `${LIST}/count?include_totals=true`, null],
    ['summary: category', `${LIST}/summary?group_by=category`, null],
    ['summary: month × category', `${LIST}/summary?group_by=category_month`, TOTALS],
    ['summary: month × category, one year', `${LIST}/summary?group_by=category_month&${year}`, TOTALS],
    ...GROUPINGS.map((by): [string, string, null] => [`summary: ${by}`, `${LIST}/summary?group_by=${by}`, null]),
    ['overview', '/api/v1/overview', below(20, 'ms')],
    ['overview of one member', `/api/v1/overview?user_id=${user?.id ?? ''}`, null],
    [
      'net worth over all years, by day',
      '/api/v1/overview/history?date_from=2020-01-01&date_to=2026-04-30&interval=day',
      null,
    ],
    ['merchants', `${LIST}/merchants`, null],
    ['merchants, one year', `${LIST}/merchants?${year}`, null],
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
