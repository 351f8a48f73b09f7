import { AIMS, SLOWEST_SEARCH, type EngineName } from './budgets.ts';
import { buildBefore, checkOut } from './checkout.ts';
import { withCopy } from './copy.ts';
import { doRound, jobsOf, shown, together, type Done } from './jobs.ts';
import { ledgerOf } from './ledgers.ts';
import { percentiles, type Target } from './load.ts';
import type { BenchPostgres } from './postgres.ts';
import { startHomeledger, type Running } from './server.ts';
import { starts, type Side } from './starts.ts';

/** What a comparison may be narrowed to. */
export const COMPARED = ['start', 'reads', 'edits', 'bulk', 'import'] as const;

interface Row {
  name: string;
  aim: keyof typeof AIMS;
  before: Partial<Done> & Pick<Done, 'times'>;
  now: Partial<Done> & Pick<Done, 'times'>;
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
  for (const one of [root, '.']) buildBefore(one);
  const ledger = ledgerOf(transactions, postgres, root);
  const rows = await withCopy(ledger, postgres, (before) =>
    withCopy(ledger, postgres, (now) => compare({ root, ledger: before }, { root: '.', ledger: now }, parts, postgres)),
  );
  const place = postgres ? `PostgreSQL ${postgres.version}` : 'embedded database';
  const title = `## ${transactions.toLocaleString('en')} transactions, ${place}`;
  return `${title}\n\n${table(name, rows, postgres ? 'postgres' : 'sqlite', transactions)}`;
}

async function compare(
  before: Side,
  now: Side,
  parts: readonly string[],
  postgres: BenchPostgres | null,
): Promise<Row[]> {
  const rows: Row[] = [];
  if (parts.includes('start')) {
    for (const { times, ...started } of await starts([before, now])) {
      const [was = [], is = []] = times;
      rows.push(say({ ...started, before: { times: was }, now: { times: is } }));
    }
  }
  const old = await startHomeledger(before.ledger, before);
  try {
    const ours = await startHomeledger(now.ledger, now);
    try {
      rows.push(...(await byTurns(old, ours, now, parts, postgres)));
    } finally {
      await ours.stop();
    }
  } finally {
    await old.stop();
  }
  return rows;
}

async function byTurns(
  old: Running,
  ours: Running,
  { ledger: { key, transactions } }: Side,
  parts: readonly string[],
  postgres: BenchPostgres | null,
): Promise<Row[]> {
  const rows: Row[] = [];
  const [was, is]: [Target, Target] = [
    { port: old.port, key },
    { port: ours.port, key },
  ];
  for (const job of await jobsOf(is, transactions)) {
    if (!parts.includes(job.part)) continue;
    const [expected, found] = [await job.check(was), await job.check(is)];
    if (expected && found && !expected.equals(found)) process.stderr.write(`  ${job.name}: THE ANSWERS DIFFER\n`);
    const [before, now]: [Done[], Done[]] = [[], []];
    for (let round = 0; round < job.rounds; round++) {
      before.push(await doRound(job, round, was, old, postgres));
      now.push(await doRound(job, round, is, ours, postgres));
    }
    rows.push(say({ name: job.name, aim: job.aim, before: together(before), now: together(now) }));
  }
  return rows;
}

function say(row: Row): Row {
  process.stderr.write(`  ${row.name}: ${shown(row.before.times)}, now ${shown(row.now.times)}\n`);
  return row;
}

function table(commit: string, rows: readonly Row[], engine: EngineName, transactions: number): string {
  const lines = rows.map(({ name, aim, before, now }) => {
    const budget = AIMS[aim][engine];
    const [was, is] = [percentiles(before.times), percentiles(now.times)];
    const isSearch = aim === 'searchCommon';
    const isSteady = !isSearch || is.p99 <= SLOWEST_SEARCH * is.p50;
    const isMet = (budget?.isMet(is.p50, transactions) ?? true) && isSteady;
    const text = `${budget?.text ?? ''}${isSearch ? `; p99 ≤ ${SLOWEST_SEARCH} × p50` : ''}`;
    const used =
      before.cpuMs === undefined || now.cpuMs === undefined ? '' : `${shown([before.cpuMs])} → ${shown([now.cpuMs])}`;
    const factor = `${(was.p50 / is.p50).toFixed(1)} ×`;
    const verdict = isMet ? 'ok' : '**missed**';
    return `| ${[name, text, shown(before.times), shown(now.times), factor, used, budget ? verdict : ''].join(' | ')} |`;
  });
  return `| What: p50 (p99) | Aim | Before: ${commit} | Now | Times faster | Processor time of one |  |
|---|---|---|---|---|---|---|
${lines.join('\n')}
`;
}
