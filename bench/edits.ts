import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { BenchLedger } from './ledgers.ts';
import { call, post, type Target } from './load.ts';
import { startHomeledger } from './server.ts';

type Note = (name: string, budget: string, cell: string) => void;
type Json = Record<string, unknown>;

const LIST = '/api/v1/transactions';
const BATCH = 500;
const FORMATS = ['csv', 'ndjson', 'json'];

/** What writing to a ledger takes, and taking it back; then the export of everything, with what it costs in memory. */
export async function edits(ledger: BenchLedger, note: Note): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'homeledger-bench-'));
  cpSync(ledger.dataDir, dataDir, { recursive: true });
  const server = await startHomeledger(dataDir);
  const target: Target = { port: server.port, key: ledger.key };
  const send = async (path: string, body: Json): Promise<{ ms: number; json: Json }> => {
    const answer = await post(target, `/api/v1${path}`, 'application/json', Buffer.from(JSON.stringify(body)));
    if (answer.status >= 300) throw new Error(`${path}: ${answer.body.toString().slice(0, 500)}`);
    return { ms: answer.ms, json: JSON.parse(answer.body.toString()) as Json };
  };
  const took = (ms: number): string => (ms < 1_000 ? `${ms.toFixed(0)} ms` : `${(ms / 1_000).toFixed(1)} s`);
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
    note('edit of one transaction', '< 50 ms', took(one.ms));
    const batch = await send('/transactions/update', { operations });
    note(`batch of ${BATCH}, four edits each`, '< 500 ms', took(batch.ms));
    const back = await send(`/change-sets/${String(batch.json['change_set_id'])}/revert`, {});
    note('the batch taken back', '–', took(back.ms));
    const bulk = await send('/transactions/bulk-recategorize', {
      filter: { search: 'cafe' },
      target_category_id: 'food_and_drink_coffee',
      overwrite_manual: true,
    });
    const changed = Number(bulk.json['updated']);
    note('category of every café', '–', `${took(bulk.ms)} (${changed} rows)`);
    const undone = await send(`/change-sets/${String(bulk.json['change_set_id'])}/revert`, {});
    note('the same taken back', '–', took(undone.ms));
    for (const format of FORMATS) {
      const start = performance.now();
      const before = server.memoryMiB();
      const bytes = await drained(target, `${LIST}/export?format=${format}`);
      const after = server.memoryMiB();
      const size = `${(bytes / 1_048_576).toFixed(0)} MiB sent, ${before.toFixed(0)} → ${after.toFixed(0)} MiB resident`;
      note(`export as ${format}`, 'flat memory', `${took(performance.now() - start)}, ${size}`);
    }
    note('memory at the peak of edits and exports', '–', `${server.peakMiB().toFixed(0)} MiB`);
  } finally {
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Reads an answer without keeping it. */
async function drained(target: Target, path: string): Promise<number> {
  const headers = { 'x-api-key': target.key ?? '' };
  const answer = await fetch(`http://127.0.0.1:${target.port}${path}`, { headers });
  if (answer.status !== 200 || !answer.body) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  let bytes = 0;
  for await (const chunk of answer.body as AsyncIterable<Uint8Array>) bytes += chunk.length;
  return bytes;
}
