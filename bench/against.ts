import { IDLE_MEMORY, PEAK_MEMORY } from './budgets.ts';
import { buildBefore, checkOut } from './checkout.ts';
import { comparisonTable, type ComparisonTable } from './comparison-table.ts';
import { withCopy } from './copy.ts';
import { doRound, jobsOf, together, type Done, type Job } from './jobs.ts';
import { ledgerOf } from './ledgers.ts';
import type { Target } from './load.ts';
import type { BenchPostgres } from './postgres.ts';
import { startHomeledger, untilIdle, type Running } from './server.ts';
import { starts, type Side } from './starts.ts';

/** What a comparison may be narrowed to. */
export const COMPARED = ['start', 'reads', 'edits', 'bulk', 'import'] as const;

/** A program that runs. */
interface Served {
  server: Running;
  target: Target;
}

/**
 * The jobs of the comparison with the code of another commit and with that of the working directory, in turns. Both
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
  const place = postgres ? `PostgreSQL ${postgres.version}` : 'embedded database';
  const title = `${transactions.toLocaleString('en')} transactions, ${place}`;
  const table = comparisonTable(title, name, postgres ? 'postgres' : 'sqlite', transactions);
  await withCopy(ledger, postgres, (before) =>
    withCopy(ledger, postgres, async (now) => {
      const sides: [Side, Side] = [
        { root, ledger: before },
        { root: '.', ledger: now },
      ];
      if (parts.includes('start')) await compareStarts(sides, table);
      if (parts.some((part) => part !== 'start')) await compareJobs(sides, parts, postgres, table);
    }),
  );
  return table.markdown();
}

async function compareStarts(sides: readonly Side[], table: ComparisonTable): Promise<void> {
  for (const { name, aim, times } of await starts(sides)) {
    const [was = [], is = []] = times;
    table.addTimes(name, aim, { times: was }, { times: is });
  }
}

async function compareJobs(
  [before, now]: [Side, Side],
  parts: readonly string[],
  postgres: BenchPostgres | null,
  table: ComparisonTable,
): Promise<void> {
  // The first start migrates the copy, which takes memory that no later start does.
  await (await served(now)).server.stop();
  const old = await served(before);
  try {
    const ours = await served(now);
    try {
      await untilIdle();
      table.addMemory('idle memory', IDLE_MEMORY, old.server.memoryMiB(), ours.server.memoryMiB());
      // Both are asked the same before the first job: what that starts, such as a worker thread, is running on both.
      await jobsOf(old.target, before.ledger.transactions);
      const jobs = await jobsOf(ours.target, now.ledger.transactions);
      const wanted = jobs.filter(({ part }) => parts.includes(part));
      for (const job of wanted.filter(({ part }) => part !== 'import')) await byTurns(job, old, ours, postgres, table);
      table.addMemory('peak of reads and edits', PEAK_MEMORY, old.server.peakMiB(), ours.server.peakMiB());
      for (const job of wanted.filter(({ part }) => part === 'import')) await byTurns(job, old, ours, postgres, table);
    } finally {
      await ours.server.stop();
    }
  } finally {
    await old.server.stop();
  }
}

async function served({ root, ledger }: Side): Promise<Served> {
  const server = await startHomeledger(ledger, { root });
  return { server, target: { port: server.port, key: ledger.key } };
}

async function byTurns(
  job: Job,
  old: Served,
  ours: Served,
  postgres: BenchPostgres | null,
  table: ComparisonTable,
): Promise<void> {
  const [expected, found] = [await job.check(old.target), await job.check(ours.target)];
  if (expected && found && !expected.equals(found)) process.stderr.write(`  ${job.name}: THE ANSWERS DIFFER\n`);
  const [before, now]: [Done[], Done[]] = [[], []];
  for (let round = 0; round < job.rounds; round++) {
    before.push(await doRound(job, round, old.target, old.server, postgres));
    now.push(await doRound(job, round, ours.target, ours.server, postgres));
  }
  table.addTimes(job.name, job.aim, together(before), together(now));
}
