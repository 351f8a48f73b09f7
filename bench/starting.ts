import { execFileSync } from 'node:child_process';

import type { BenchLedger } from './ledgers.ts';
import { startHomeledger } from './server.ts';
import { below, ms, type Note } from './table.ts';

const STARTS = 5;
const SETTLE_MS = 1_500;

/** How fast it starts, and what it holds when nothing is asked of it. The first start keeps its compiled code. */
export async function starting(ledger: BenchLedger, note: Note): Promise<void> {
  // A start that has to build the dashboard would be measured together with its compiler.
  execFileSync(process.execPath, ['tools/web/build.ts', '--if-needed'], { stdio: 'ignore' });
  const startMs: number[] = [];
  const memory: number[] = [];
  for (let i = 0; i <= STARTS; i++) {
    const server = await startHomeledger(ledger.dataDir);
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
  note('idle memory', below(120, 'MiB'), `${idle.toFixed(0)} MiB`, idle);
}
