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

interface Review {
  total_groups: number;
  total_rows: { needs_review: number; uncategorized: number; flagged: number };
}

/** What waits for a look: 20,000 rows. */
export async function reviewing(ledger: BenchLedger, note: Note, postgres: BenchPostgres | null): Promise<void> {
  await withCopy(ledger, postgres, async (copy) => {
    const server = await startHomeledger(copy);
    const target: Target = { port: server.port, key: copy.key };
    try {
      await decideAll(target);
      const { needs_review: tagged } = (await readJson<Review>(target, '/api/v1/review?limit=1')).total_rows;
      await tagNewest(target, Math.min(WAITING - tagged, copy.transactions / 2));
      const { total_groups: groups, total_rows: waiting } = await readJson<Review>(target, '/api/v1/review');
      note('waiting for a look', null, `${Object.values(waiting).join(' + ')} rows, ${groups} groups`);
      const measured = await load(target, '/api/v1/review', { ms: SERIES_MS, concurrency: 1 });
      note('review', below(500, 'ms'), `p50 ${ms(measured.p50)}, p99 ${ms(measured.p99)}`, measured.p50);
    } finally {
      await server.stop();
    }
  });
}

/** Leaves nothing without a decision, and no flag. */
async function decideAll(target: Target): Promise<void> {
  for (const [filter, changes] of [
    [{ uncategorized: true }, { category_id: null }],
    [{ flagged: true }, { flagged: false }],
  ]) {
    await send(target, '/api/v1/transactions/bulk-update', { filter, changes });
  }
}

async function send(target: Target, path: string, body: object): Promise<void> {
  const answer = await post(target, path, 'application/json', Buffer.from(JSON.stringify(body)));
  if (answer.status !== 200) throw new Error(`${path}: ${answer.body.toString().slice(0, 500)}`);
}

/** Tags the newest rows, as an import would. */
async function tagNewest(target: Target, count: number): Promise<void> {
  let cursor = '';
  for (let done = 0; done < count; done += BATCH) {
    const query = `tags_none=needs-review&fields=minimal&limit=${BATCH}`;
    const path = `/api/v1/transactions?${query}${cursor && `&cursor=${cursor}`}`;
    const page = JSON.parse((await call(target, path)).body.toString()) as {
      transactions: { id: string }[];
      next_cursor: string;
    };
    const operations = page.transactions.map(({ id }) => ({ transaction_id: id, tags_to_add: ['needs-review'] }));
    await send(target, '/api/v1/transactions/update', { operations });
    cursor = page.next_cursor;
  }
}
