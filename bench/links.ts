import { createApp, type App } from '../src/app.ts';
import { readConfig } from '../src/kernel/config.ts';
import { csvFile } from './csv-file.ts';
import { below, type Budget } from './budgets.ts';
import { withCopy } from './copy.ts';
import { environmentOf, type BenchLedger } from './ledgers.ts';
import type { BenchPostgres } from './postgres.ts';
import { took, type Note } from './table.ts';

const ROWS = 100_000;
const LARGEST_LEDGER = 10_000;

/**
 * A card and its copy with 100,000 rows each. What it costs does not depend on the rest of the ledger, so the smallest
 * will do.
 */
export async function links(ledger: BenchLedger, note: Note, postgres: BenchPostgres | null): Promise<void> {
  if (ledger.transactions > LARGEST_LEDGER) return;
  await withCopy(ledger, postgres, async (copy) => {
    const app = await createApp(readConfig({ ...environmentOf(copy), LOG_LEVEL: 'error' }), { workers: 0 });
    try {
      await measure(app, copy.key, note);
    } finally {
      await app.close();
    }
  });
}

async function measure(app: App, key: string, note: Note): Promise<void> {
  const accounts = await addTwins(app, key);
  const timed = async (name: string, budget: Budget | null, ...request: Parameters<typeof send>) => {
    const start = performance.now();
    const answer = await send(...request);
    const ms = performance.now() - start;
    note(name, budget, took(ms), ms / 1000);
    return answer;
  };
  const size = `${ROWS.toLocaleString('en')} × ${ROWS.toLocaleString('en')} rows`;
  for (const attribute of [false, true]) {
    const name = attribute ? `linking ${size}, each attributed` : `linking ${size}`;
    const made = await timed(name, attribute ? null : below(5, 's'), app, key, 'POST', '/account-links', {
      ...accounts,
      attribute,
    });
    if (made.reconciliation?.matched_count !== ROWS) throw new Error(`${name}: not every row was matched`);
    if (attribute) {
      await timed('reconciling them again', below(5, 's'), app, key, 'POST', `/account-links/${made.id}/reconcile`, {});
      const row = { account_id: accounts.primary_account_id, date: '2026-04-01', amount: '4.56', name: 'Entered' };
      await timed('entering a row into such an account', null, app, key, 'POST', '/transactions', row);
    }
    const ended = attribute ? 'deleting the link, attributions included' : 'deleting the link';
    await timed(ended, null, app, key, 'DELETE', `/account-links/${made.id}`);
  }
}

/** Two members with the same rows. */
async function addTwins(app: App, key: string) {
  const payload = csvFile({ rows: ROWS, seed: 7, texts: 10_000 });
  const accountOf = async (name: string): Promise<string> => {
    const user = await send(app, key, 'POST', '/users', { name });
    const path = `/connections/csv/import?user_id=${user.id}&account_name=Card%20of%20${name}&prefer=wait`;
    return (await send(app, key, 'POST', path, payload)).import?.account_id ?? '';
  };
  return { primary_account_id: await accountOf('Owner'), dependent_account_id: await accountOf('User') };
}

interface Answer {
  id: string;
  import?: { account_id: string };
  reconciliation?: { matched_count: number };
}

async function send(
  app: App,
  key: string,
  method: 'POST' | 'DELETE',
  url: string,
  body?: object | Buffer,
): Promise<Answer> {
  const type = Buffer.isBuffer(body) ? 'text/csv' : 'application/json';
  const sent = body ? { payload: Buffer.isBuffer(body) ? body : JSON.stringify(body) } : {};
  const headers = { 'x-api-key': key, ...(body ? { 'content-type': type } : {}) };
  const http = await app.http();
  const answer = await http.inject({ method, url: `/api/v1${url}`, headers, ...sent });
  if (answer.statusCode >= 300) throw new Error(`${url}: ${answer.body.slice(0, 500)}`);
  return answer.body === '' ? { id: '' } : answer.json<Answer>();
}
