import { AIMS, SLOWEST_SEARCH, type EngineName } from './budgets.ts';
import { buildDashboard, checkOut } from './checkout.ts';
import { jobsOf, shown, type Job } from './jobs.ts';
import { withCopy } from './copy.ts';
import { ledgerOf, type BenchLedger } from './ledgers.ts';
import { percentiles, type Target } from './load.ts';
import type { BenchPostgres } from './postgres.ts';
import { startHomeledger } from './server.ts';

/** What a comparison may be narrowed to. */
export const COMPARED = ['start', 'reads', 'edits', 'bulk', 'import'] as const;
const STARTS = 5;

/** One of the two whose times are compared. */
interface Side {
  root: string;
  ledger: BenchLedger;
}

interface Row {
  name: string;
  aim: keyof typeof AIMS;
  before: number[];
  now: number[];
}

/**
 * The jobs of the comparison with the code of another commit and with that of the working directory, by turns. Both
 * have a copy of the ledger that the other commit's code wrote; ours migrates its copy.
 */
export async function against(
  commit: string,
  transactions: number,
  postgres: BenchPostgres | null,
  parts: readonly string[],
): Promise<string> {
  const { root, name } = checkOut(commit);
  for (const one of [root, '.']) buildDashboard(one);
  const ledger = ledgerOf(transactions, postgres, root);
  const rows = await withCopy(ledger, postgres, (before) =>
    withCopy(ledger, postgres, (now) => compare({ root, ledger: before }, { root: '.', ledger: now }, parts)),
  );
  const place = postgres ? `PostgreSQL ${postgres.version}` : 'embedded database';
  return table(`${transactions.toLocaleString('en')} transactions, ${place}`, name, rows, {
    engine: postgres ? 'postgres' : 'sqlite',
    transactions,
  });
}

async function compare(before: Side, now: Side, parts: readonly string[]): Promise<Row[]> {
  await migrate(now);
  const rows: Row[] = [];
  if (parts.includes('start')) rows.push(await starts(before, now));
  const servers = [await startHomeledger(before.ledger, before), await startHomeledger(now.ledger, now)];
  try {
    const [old, ours] = servers.map(({ port }): Target => ({ port, key: now.ledger.key })) as [Target, Target];
    const jobs = (await jobsOf(ours, now.ledger.transactions)).filter(({ part }) => parts.includes(part));
    for (const job of jobs) rows.push(say(await byTurns(job, old, ours)));
  } finally {
    for (const server of servers) await server.stop();
  }
  return rows;
}

/** The first start with newer code changes the tables. */
async function migrate({ root, ledger }: Side): Promise<void> {
  const server = await startHomeledger(ledger, { root });
  process.stderr.write(`  first start, migration included: ${shown([server.startMs])}\n`);
  await server.stop();
}

async function starts(before: Side, now: Side): Promise<Row> {
  const times: Record<'before' | 'now', number[]> = { before: [], now: [] };
  for (let i = 0; i <= STARTS; i++) {
    for (const [name, { root, ledger }] of Object.entries({ before, now }) as ['before' | 'now', Side][]) {
      const server = await startHomeledger(ledger, { root, isByNpm: true });
      await server.stop();
      // The first start keeps its compiled code for the others.
      if (i > 0) times[name].push(server.startMs);
    }
  }
  return say({ name: 'npm start to the first answer', aim: 'start', ...times });
}

async function byTurns(job: Job, old: Target, ours: Target): Promise<Row> {
  const [was, is] = [await job.check(old), await job.check(ours)];
  if (was && is && !was.equals(is)) process.stderr.write(`  ${job.name}: THE ANSWERS DIFFER\n`);
  const row: Row = { name: job.name, aim: job.aim, before: [], now: [] };
  for (let round = 0; round < job.rounds; round++) {
    row.before.push(...(await job.run(old, round)));
    row.now.push(...(await job.run(ours, round)));
  }
  return row;
}

function say(row: Row): Row {
  process.stderr.write(`  ${row.name}: ${shown(row.before)}, now ${shown(row.now)}\n`);
  return row;
}

function table(
  title: string,
  commit: string,
  rows: readonly Row[],
  { engine, transactions }: { engine: EngineName; transactions: number },
): string {
  const lines = rows.map(({ name, aim, before, now }) => {
    const budget = AIMS[aim][engine];
    const [was, is] = [percentiles(before), percentiles(now)];
    const isSteady = aim !== 'searchCommon' || is.p99 <= SLOWEST_SEARCH * is.p50;
    const isMet = (budget?.isMet(is.p50, transactions) ?? true) && isSteady;
    const factor = `${(was.p50 / is.p50).toFixed(1)} ×`;
    const text = aim === 'searchCommon' ? `${budget?.text}; p99 ≤ ${SLOWEST_SEARCH} × p50` : (budget?.text ?? '');
    return `| ${name} | ${text} | ${shown(before)} | ${shown(now)} | ${factor} | ${isMet ? 'ok' : '**missed**'} |`;
  });
  return `## ${title}

| What: p50 (p99) | Aim | Before: ${commit} | Now | Times faster |  |
|---|---|---|---|---|---|
${lines.join('\n')}
`;
}
