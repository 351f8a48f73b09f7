import { AIMS, atMost, PEAK_MEMORY, SLOWEST_SEARCH, type EngineName } from './budgets.ts';
import { buildBefore } from './checkout.ts';
import { withCopy } from './copy.ts';
import { doJob, jobsOf, shown } from './jobs.ts';
import type { BenchLedger } from './ledgers.ts';
import { percentiles, type Target } from './load.ts';
import type { BenchPostgres } from './postgres.ts';
import { startHomeledger } from './server.ts';
import { starts } from './starts.ts';
import type { Note } from './table.ts';

/** The jobs of the comparison with other programs, with the aim of each. */
export async function compared(ledger: BenchLedger, note: Note, postgres: BenchPostgres | null): Promise<void> {
  buildBefore('.');
  await withCopy(ledger, postgres, (copy) => runCompared(copy, note, postgres));
}

async function runCompared(copy: BenchLedger, note: Note, postgres: BenchPostgres | null): Promise<void> {
  const engine: EngineName = postgres ? 'postgres' : 'sqlite';
  const noteTimes = (name: string, aim: keyof typeof AIMS, times: readonly number[]): void =>
    note(name, AIMS[aim][engine], shown(times), percentiles(times).p50);
  for (const { name, aim, times } of await starts([{ root: '.', ledger: copy }])) noteTimes(name, aim, times[0] ?? []);
  const server = await startHomeledger(copy);
  const target: Target = { port: server.port, key: copy.key };
  try {
    for (const job of await jobsOf(target, copy.transactions)) {
      if (job.part === 'import') {
        const peak = server.peakMiB();
        note('memory at the peak of these reads and edits', PEAK_MEMORY, `${peak.toFixed(0)} MiB`, peak);
      }
      await job.check(target);
      const { times, cpuMs } = await doJob(job, target, server, postgres);
      noteTimes(job.name, job.aim, times);
      note(`processor time of one: ${job.name}`, null, shown([cpuMs]));
      if (job.aim !== 'searchCommon') continue;
      const { p50, p99 } = percentiles(times);
      note(`p99 of: ${job.name}`, atMost(SLOWEST_SEARCH, '× p50'), `${(p99 / p50).toFixed(1)} ×`, p99 / p50);
    }
  } finally {
    await server.stop();
  }
}
