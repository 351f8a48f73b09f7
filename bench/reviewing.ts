import { below } from './budgets.ts';
import { withCopy } from './copy.ts';
import type { BenchLedger } from './ledgers.ts';
import { call, load, post, readJson, type Target } from './load.ts';
import type { BenchPostgres } from './postgres.ts';
import { startHomeledger } from './server.ts';
import { ms, type Note } from './table.ts';

const SERIES_MS = 2_000;
const BATCH = 500;
const WAITING = 20_000;
const TAGGED = 10_000;

interface Review {
  total_groups: number;
  total_rows: { needs_review: number; uncategorized: number; flagged: number };
}

/** What waits for a look: 20,000 rows, some of them new and the rest without a category. */
export async function reviewing(ledger: BenchLedger, note: Note, postgres: BenchPostgres | null): Promise<void> {
  await withCopy(ledger, postgres, async (copy) => {
    const server = await startHomeledger(copy);
    const target: Target = { port: server.port, key: copy.key };
    try {
      await tagNewest(target, Math.min(TAGGED, copy.transactions / 2));
      const rows = await countRows(target);
      const missing = WAITING - (rows.needs_review + rows.uncategorized);
      if (missing > 0) await tagNewest(target, Math.min(rows.needs_review + missing, copy.transactions / 2));
      const { total_groups: groups, total_rows: waiting } = await readJson<Review>(target, '/api/v1/review');
      note('waiting for a look', null, `${Object.values(waiting).join(' + ')} rows, ${groups} groups`);
      const measured = await load(target, '/api/v1/review', { ms: SERIES_MS, concurrency: 1 });
      note('review', below(500, 'ms'), `p50 ${ms(measured.p50)}, p99 ${ms(measured.p99)}`, measured.p50);
    } finally {
      await server.stop();
    }
  });
}

async function countRows(target: Target): Promise<Review['total_rows']> {
  return (await readJson<Review>(target, '/api/v1/review?limit=1')).total_rows;
}

/** Tags the newest rows, as an import would. */
async function tagNewest(target: Target, count: number): Promise<void> {
  let cursor = '';
  for (let done = 0; done < count; done += BATCH) {
    const path = `/api/v1/transactions?fields=minimal&limit=${BATCH}${cursor && `&cursor=${cursor}`}`;
    const page = JSON.parse((await call(target, path)).body.toString()) as {
      transactions: { id: string }[];
      next_cursor: string;
    };
    const operations = page.transactions.map(({ id }) => ({ transaction_id: id, tags_to_add: ['needs-review'] }));
    const body = Buffer.from(JSON.stringify({ operations }));
    const answer = await post(target, '/api/v1/transactions/update', 'application/json', body);
    if (answer.status !== 200) throw new Error(`tagging: ${answer.body.toString().slice(0, 500)}`);
    cursor = page.next_cursor;
  }
}
