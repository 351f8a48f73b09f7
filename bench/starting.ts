import { below, IDLE_MEMORY } from './budgets.ts';
import { buildBefore } from './checkout.ts';
import { withCopy } from './copy.ts';
import type { BenchLedger } from './ledgers.ts';
import type { BenchPostgres } from './postgres.ts';
import { startHomeledger, untilIdle } from './server.ts';
import { ms, type Note } from './table.ts';

const STARTS = 5;

/** How fast it starts, and what it holds when nothing is asked of it. The first start keeps its compiled code. */
export async function starting(ledger: BenchLedger, note: Note, postgres: BenchPostgres | null): Promise<void> {
  buildBefore('.');
  await withCopy(ledger, postgres, async (copy) => {
    const startMs: number[] = [];
    let idle = 0;
    for (let i = 0; i <= STARTS; i++) {
      const server = await startHomeledger(copy);
      if (i > 0) startMs.push(server.startMs);
      if (i === STARTS) {
        await untilIdle();
        idle = server.memoryMiB();
      }
      await server.stop();
    }
    const fastest = Math.min(...startMs);
    note('start-up to first answer', below(500, 'ms'), ms(fastest), fastest);
    note('idle memory', IDLE_MEMORY, `${idle.toFixed(0)} MiB`, idle);
  });
}
