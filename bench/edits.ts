import { below } from './budgets.ts';
import { withCopy } from './copy.ts';
import type { BenchLedger } from './ledgers.ts';
import type { BenchPostgres } from './postgres.ts';
import { call, post, type Target } from './load.ts';
import { startHomeledger, type Running } from './server.ts';
import { took, type Note } from './table.ts';

type Json = Record<string, unknown>;

const LIST = '/api/v1/transactions';
const BATCH = 500;
const BULK_ROWS = 50_000;
const FORMATS = ['csv', 'ndjson', 'json'];
const LOOK_EVERY_BYTES = 4 * 1_048_576;

/** What writing to a ledger takes, and taking it back; then the export of everything, with what it costs in memory. */
export async function edits(ledger: BenchLedger, note: Note, postgres: BenchPostgres | null): Promise<void> {
  await withCopy(ledger, postgres, (copy) => runEdits(copy, note));
}

async function runEdits(copy: BenchLedger, note: Note): Promise<void> {
  const server = await startHomeledger(copy);
  const target: Target = { port: server.port, key: copy.key };
  const send = async (path: string, body: Json): Promise<{ ms: number; json: Json }> => {
    const answer = await post(target, `/api/v1${path}`, 'application/json', Buffer.from(JSON.stringify(body)));
    if (answer.status >= 300) throw new Error(`${path}: ${answer.body.toString().slice(0, 500)}`);
    return { ms: answer.ms, json: JSON.parse(answer.body.toString()) as Json };
  };
  try {
    const page = JSON.parse((await call(target, `${LIST}?limit=${BATCH}&fields=minimal`)).body.toString()) as {
      transactions: { id: string }[];
    };
    const operations = page.transactions.map(({ id }, index) => ({
      transaction_id: id,
      category_slug: index % 2 === 0 ? 'food_and_drink_groceries' : 'food_and_drink_coffee',
      tags_to_add: ['bench'],
      metadata_set: { index },
      comment: 'seen',
    }));
    const one = await send('/transactions/update', { operations: operations.slice(0, 1) });
    note('edit of one transaction', below(50, 'ms'), took(one.ms), one.ms);
    const batch = await send('/transactions/update', { operations });
    note(`batch of ${BATCH}, four edits each`, below(500, 'ms'), took(batch.ms), batch.ms);
    const back = await send(`/change-sets/${String(batch.json['change_set_id'])}/revert`, {});
    note('the batch, reverted', null, took(back.ms));
    const bulk = await send('/transactions/bulk-recategorize', {
      filter: { search: 'cafe' },
      target_category_id: 'food_and_drink_coffee',
      overwrite_manual: true,
    });
    const changed = Number(bulk.json['updated']);
    note('category of every café', null, `${took(bulk.ms)} (${changed} rows)`);
    const undone = await send(`/change-sets/${String(bulk.json['change_set_id'])}/revert`, {});
    note('the same, reverted', null, took(undone.ms));
    await bulkUpdate(target, send, note);
    for (const format of FORMATS) await exportAll(server, target, format, note);
    note('memory at the peak of edits and exports', null, `${server.peakMiB().toFixed(0)} MiB`);
  } finally {
    await server.stop();
  }
}

type Send = (path: string, body: Json) => Promise<{ ms: number; json: Json }>;

/** One edit of the newest months that have the rows, chosen by a filter; first its dry run, as a page does it. */
async function bulkUpdate(target: Target, send: Send, note: Note): Promise<void> {
  const query = 'group_by=month&limit=5000&include_pending=true&excluded_accounts=include&dependent_accounts=include';
  const { summary } = JSON.parse((await call(target, `${LIST}/summary?${query}`)).body.toString()) as {
    summary: { period: string; transaction_count: number }[];
  };
  let [rows, from] = [0, ''];
  for (const month of summary) {
    if (rows >= BULK_ROWS && month.period !== from) break;
    [rows, from] = [rows + month.transaction_count, month.period];
  }
  const body = {
    filter: { date_from: `${from}-01` },
    changes: { category_slug: 'travel', tags_to_add: ['bench-bulk'], flagged: true },
  };
  const dry = await send('/transactions/bulk-update', { ...body, dry_run: true });
  const expected = dry.json['matched'];
  note('dry run of a bulk update', null, `${took(dry.ms)} (${String(expected)} rows)`);
  const done = await send('/transactions/bulk-update', { ...body, expected_count: expected });
  const changed = Number(done.json['updated']);
  note('bulk update by filter', below(10_000, 'ms'), `${took(done.ms)} (${changed} rows)`, done.ms);
  const undone = await send(`/change-sets/${String(done.json['change_set_id'])}/revert`, {});
  note('the same, reverted', null, took(undone.ms));
}

/** Reads the export of everything without keeping it, and watches the memory meanwhile. */
async function exportAll(server: Running, target: Target, format: string, note: Note): Promise<void> {
  const path = `${LIST}/export?format=${format}`;
  const start = performance.now();
  const answer = await fetch(`http://127.0.0.1:${target.port}${path}`, { headers: { 'x-api-key': target.key ?? '' } });
  if (answer.status !== 200 || !answer.body) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  // What jobs before left is given back meanwhile: only a rise above the lowest so far is growth.
  let [bytes, seen, low, growth] = [0, 0, Number.POSITIVE_INFINITY, 0];
  for await (const chunk of answer.body as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    if (bytes - seen < LOOK_EVERY_BYTES) continue;
    seen = bytes;
    const memory = server.memoryMiB();
    low = Math.min(low, memory);
    growth = Math.max(growth, memory - low);
  }
  const size = `${(bytes / 1_048_576).toFixed(0)} MiB sent`;
  note(`export as ${format}`, null, `${took(performance.now() - start)}, ${size}`);
  note(`memory growth while it streams as ${format}`, below(64, 'MiB'), `${growth.toFixed(0)} MiB`, growth);
}
