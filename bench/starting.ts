import { below, IDLE_MEMORY } from './budgets.ts';
import { buildBefore } from './checkout.ts';
import { withCopy } from './copy.ts';
import type { BenchLedger } from './ledgers.ts';
import type { BenchPostgres } from './postgres.ts';
import { startHomeledger } from './server.ts';
import { ms, type Note } from './table.ts';

const STARTS = 5;
const SETTLE_MS = 1_500;

/** How fast it starts, and what it holds when nothing is asked of it. The first start keeps its compiled code. */
export async function starting(ledger: BenchLedger, note: Note, postgres: BenchPostgres | null): Promise<void> {
  buildBefore('.');
  await withCopy(ledger, postgres, async (copy) => {
    const startMs: number[] = [];
    const memory: number[] = [];
    for (let i = 0; i <= STARTS; i++) {
      const server = await startHomeledger(copy);
      await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
      if (i > 0) {
        startMs.push(server.startMs);
        memory.push(server.memoryMiB());
      }
      await server.stop();
    }
    const fastest = Math.min(...startMs);
    note('start-up to first answer', below(500, 'ms'), ms(fastest), fastest);
    const idle = memory.toSorted((a, b) => a - b)[Math.floor(STARTS / 2)] as number;
    note('idle memory', IDLE_MEMORY, `${idle.toFixed(0)} MiB`, idle);
  });
}
