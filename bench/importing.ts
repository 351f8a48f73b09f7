import { csvFile } from './csv-file.ts';
import { atMost, below, type Budget } from './budgets.ts';
import { withCopy } from './copy.ts';
import type { BenchLedger } from './ledgers.ts';
import type { BenchPostgres } from './postgres.ts';
import { call, load, percentiles, post, type Target } from './load.ts';
import { lifelikeRules } from './rules.ts';
import { startHomeledger, type Running } from './server.ts';
import { ms, took, type Note } from './table.ts';

const ROWS = 100_000;
const RULES = 50;
const SMALL = '/api/v1/keys/me';
const PROBE_EVERY_MS = 5;
const FEW_TEXTS = 10_000;

interface Case {
  name: string;
  budget: Budget | null;
  query: string;
  texts: number;
}

const CASES: readonly Case[] = [
  {
    name: 'import of 100,000 rows: proof and 50 rules',
    budget: below(5, 's'),
    query: 'account_name=Ruled',
    texts: FEW_TEXTS,
  },
  { name: 'the same file again', budget: atMost(5, 's'), query: 'account_name=Ruled', texts: FEW_TEXTS },
  {
    name: 'import of 100,000 rows: proof alone',
    budget: below(5, 's'),
    query: 'account_name=Bare&run_rules=false',
    texts: FEW_TEXTS,
  },
  {
    name: 'import of 100,000 rows: every text different',
    budget: null,
    query: 'account_name=Distinct&run_rules=false',
    texts: 10_000_000,
  },
  {
    name: 'preview of 100,000 rows',
    budget: atMost(3, 's'),
    query: 'account_name=Ruled&dry_run=true',
    texts: FEW_TEXTS,
  },
];

/** Files of 100,000 rows with balances into a copy of the ledger, while small requests go on. */
export async function importing(ledger: BenchLedger, note: Note, postgres: BenchPostgres | null): Promise<void> {
  await withCopy(ledger, postgres, async (copy) => {
    const server = await startHomeledger(copy);
    const target: Target = { port: server.port, key: copy.key };
    try {
      await makeRules(target);
      const quiet = await load(target, SMALL, { ms: 1_000, concurrency: 1 });
      note('simple GET, nothing else running', null, `p50 ${ms(quiet.p50)}, p99 ${ms(quiet.p99)}`);
      for (const [index, one] of CASES.entries()) {
        await importOne(server, target, one, note);
        if (index === 0) {
          const peak = server.peakMiB();
          note(`memory at the peak of: ${one.name}`, below(300, 'MiB'), `${peak.toFixed(0)} MiB`, peak);
        }
      }
      note('memory at the peak of all of these', null, `${server.peakMiB().toFixed(0)} MiB`);
    } finally {
      await server.stop();
    }
  });
}

async function makeRules(target: Target): Promise<void> {
  const read = async (path: string): Promise<unknown> => JSON.parse((await call(target, path)).body.toString());
  const categories = (await read('/api/v1/categories')) as { slug: string }[];
  const merchants = ['CORNER CAFE', 'REWE SAGT DANKE', 'SHELL OIL', 'NETFLIX.COM', 'CITY TRANSIT'];
  const others = Array.from({ length: RULES }, (_, index) => `${merchants[index % merchants.length]} REF${index}`);
  const rules = lifelikeRules(
    others,
    categories.map(({ slug }) => slug),
  ).slice(-RULES);
  const body = Buffer.from(JSON.stringify({ rules }));
  const made = await post(target, '/api/v1/rules/batch', 'application/json', body);
  if (made.status >= 300) throw new Error(made.body.toString().slice(0, 500));
}

async function importOne(
  server: Running,
  target: Target,
  { name, budget, query, texts }: Case,
  note: Note,
): Promise<void> {
  const users = JSON.parse((await call(target, '/api/v1/users')).body.toString()) as { id: string }[];
  const file = csvFile({ rows: ROWS, seed: 7, texts });
  const path = `/api/v1/connections/csv/import?user_id=${users[0]?.id}&${query}&prefer=wait`;
  const times: number[] = [];
  let isOver = false;
  const cpu = server.cpuSeconds();
  const start = performance.now();
  const sent = post(target, path, 'text/csv', file).finally(() => {
    isOver = true;
  });
  while (!isOver) {
    times.push((await call(target, SMALL)).ms);
    await new Promise((resolve) => setTimeout(resolve, PROBE_EVERY_MS));
  }
  const answer = await sent;
  const seconds = (performance.now() - start) / 1_000;
  if (answer.status >= 300) throw new Error(`${name}: ${answer.body.toString().slice(0, 500)}`);
  const busy = server.cpuSeconds() - cpu;
  note(name, budget, `${took(seconds * 1_000)} (${busy.toFixed(1)} s processor)`, seconds);
  const { p50, p99 } = percentiles(times);
  note(`simple GET during: ${name}`, below(50, 'ms p99'), `p50 ${ms(p50)}, p99 ${ms(p99)}`, p99);
}
