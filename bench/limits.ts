import { csvFile } from './csv-file.ts';
import { atMost } from './budgets.ts';
import { withCopy } from './copy.ts';
import type { BenchLedger } from './ledgers.ts';
import type { BenchPostgres } from './postgres.ts';
import { call, post, type Target } from './load.ts';
import { LIMITS } from '../src/kernel/limits.ts';
import { startHomeledger } from './server.ts';
import { took, type Note } from './table.ts';

const SETTLE_MS = 1_500;
const LARGEST_LEDGER = 10_000;

/** A file with as many rows as one may have. What it costs does not depend on the ledger, so the smallest will do. */
export async function limits(ledger: BenchLedger, note: Note, postgres: BenchPostgres | null): Promise<void> {
  if (ledger.transactions > LARGEST_LEDGER) return;
  await withCopy(ledger, postgres, async (copy) => {
    const server = await startHomeledger(copy);
    const target: Target = { port: server.port, key: copy.key };
    try {
      const users = JSON.parse((await call(target, '/api/v1/users')).body.toString()) as { id: string }[];
      await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
      const idle = server.memoryMiB();
      const file = csvFile({ rows: LIMITS.importRecords, seed: 7, texts: 10_000 });
      const path = `/api/v1/connections/csv/import?user_id=${users[0]?.id}&account_name=Largest&prefer=wait`;
      for (const name of [`import of ${LIMITS.importRecords.toLocaleString('en')} rows`, 'the same rows again']) {
        const answer = await post(target, path, 'text/csv', file);
        if (answer.status >= 300) throw new Error(answer.body.toString().slice(0, 500));
        note(name, null, took(answer.ms));
        const above = server.peakMiB() - idle;
        note(`memory above idle: ${name}`, atMost(150, 'MiB'), `${above.toFixed(0)} MiB`, above);
      }
    } finally {
      await server.stop();
    }
  });
}
