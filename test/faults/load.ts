import { expect } from 'vitest';

import { base64, csvOf } from '../harness/bank-files.ts';
import { eventually } from '../harness/eventually.ts';

/** Reads, writes, imports and runs of rules, all at once, by clients that keep to what the answers tell them. */
export interface Load {
  /** Until so many requests more have succeeded. */
  untilAnswers(count: number): Promise<void>;
  /** Until so many requests more were refused because the database was away. */
  untilRefusals(count: number): Promise<void>;
  /** Ends it; what is under way is seen through. */
  end(): Promise<void>;
  /** The ledger holds what was acknowledged, once, and nothing that was said to be unchanged. */
  check(): Promise<Readonly<Record<string, number>>>;
}

interface Answered {
  status: number;
  // oxlint-disable-next-line typescript/no-explicit-any
  json: any;
}

const WAIT_MS = 120_000;
const ROWS_PER_FILE = 20;
const NOTHING_CHANGED = /Nothing was changed/;

export async function startLoad(address: string, key: string, ended: Promise<unknown>): Promise<Load> {
  const made = { tags: [] as string[], files: 0, unchanged: [] as string[], unsure: [] as string[] };
  const counts = { answers: 0, refusals: 0 };
  let isOver = false;
  const died = ended.then(() => Promise.reject(new Error('The service ended.')));
  died.catch(() => undefined);

  async function request(method: string, path: string, body?: unknown, idempotencyKey?: string): Promise<Answered> {
    const headers: Record<string, string> = { 'x-api-key': key };
    if (body !== undefined) headers['content-type'] = 'application/json';
    if (idempotencyKey !== undefined) headers['idempotency-key'] = idempotencyKey;
    const sent = fetch(`${address}/api/v1${path}`, {
      method,
      headers,
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const response = await Promise.race([sent, died]);
    // What was begun to be sent can only break off.
    const text = await response.text().catch(() => 'null');
    const answer = { status: response.status, json: text === '' ? null : JSON.parse(text) };
    if (response.ok) counts.answers += 1;
    else {
      expect([method, path, answer.status, answer.json?.error?.code], text).toEqual([method, path, 503, 'UNAVAILABLE']);
      counts.refusals += 1;
    }
    return answer;
  }

  /** As a careful client does: the same request with the same key, until it is answered. */
  async function insist(path: string, body: unknown, idempotencyKey: string): Promise<Answered> {
    for (;;) {
      const answer = await request('POST', path, body, idempotencyKey);
      if (answer.status !== 503) return answer;
    }
  }

  async function writeWithKey(writer: number): Promise<void> {
    for (let n = 0; !isOver; n += 1) {
      const name = `Kept ${writer} ${n}`;
      await insist('/tags', { name }, name);
      made.tags.push(name);
    }
  }

  async function writeWithoutKey(): Promise<void> {
    for (let n = 0; !isOver; n += 1) {
      const name = `Loose ${n}`;
      const { status, json } = await request('POST', '/tags', { name });
      if (status === 201) made.tags.push(name);
      else if (NOTHING_CHANGED.test(json.error.message)) made.unchanged.push(name);
      else made.unsure.push(name);
    }
  }

  async function importFiles(): Promise<void> {
    for (let n = 0; !isOver; n += 1) {
      const rows = Array.from({ length: ROWS_PER_FILE }, (_, row) => `2026-01-02 ROW-${n}-${row} -1.00`);
      const body = { csv_base64: base64(csvOf(...rows)), account_name: 'Card', sign: 'positive_is_in' };
      const { json } = await insist('/connections/csv/import', body, `file ${n}`);
      expect(json.imported_transactions, JSON.stringify(json)).toBe(ROWS_PER_FILE);
      made.files += 1;
    }
  }

  async function runRules(): Promise<void> {
    for (let n = 0; !isOver; n += 1) await insist('/rules/apply-all', {}, `rules ${n}`);
  }

  async function read(paths: readonly string[]): Promise<void> {
    for (let n = 0; !isOver; n += 1) await request('GET', paths[n % paths.length] as string);
  }

  async function until(name: keyof typeof counts, more: number): Promise<void> {
    const wanted = counts[name] + more;
    const waiting = eventually(() => {
      if (counts[name] < wanted) throw new Error(`Too few ${name}: ${JSON.stringify(counts)}`);
    }, WAIT_MS);
    await Promise.race([waiting, load]);
  }

  /** Names of all live transactions. */
  async function allRows(): Promise<{ id: string; name: string }[]> {
    const rows: { id: string; name: string }[] = [];
    for (let cursor = ''; ;) {
      const page = (await request('GET', `/transactions?limit=500${cursor}`)).json;
      rows.push(...page.transactions);
      if (page.has_more !== true) return rows;
      cursor = `&cursor=${page.next_cursor}`;
    }
  }

  async function checkTags(): Promise<void> {
    const tags = (await request('GET', '/tags')).json as { name: string }[];
    const names = tags.map(({ name }) => name).filter((name) => /^(Kept|Loose)/.test(name));
    const known = new Set([...made.tags, ...made.unsure]);
    expect(made.tags.filter((name) => !names.includes(name))).toEqual([]);
    expect(made.unchanged.filter((name) => names.includes(name))).toEqual([]);
    expect(names.filter((name) => !known.has(name))).toEqual([]);
    expect(new Set(names).size).toBe(names.length);
  }

  async function checkRows(): Promise<void> {
    await insist('/rules/apply-all', {}, 'at the end');
    const rows = await allRows();
    expect(rows).toHaveLength(made.files * ROWS_PER_FILE);
    expect(new Set(rows.map(({ name }) => name)).size).toBe(rows.length);
    for (const { id } of rows.slice(0, 50)) {
      expect((await request('GET', `/transactions/${id}/comments`)).json).toHaveLength(1);
    }
  }

  async function checkNothingIsLeftOpen(): Promise<void> {
    expect((await request('GET', '/jobs?status=queued&status=running')).json).toEqual([]);
    for (const status of ['queued', 'running']) {
      expect((await request('GET', `/imports?status=${status}`)).json.imports).toEqual([]);
    }
  }

  await request('POST', '/users', { name: 'Ada' });
  await request('POST', '/rules', { name: 'Seen', actions: [{ type: 'add_comment', content: 'Seen' }] });
  const load = Promise.all([
    writeWithKey(1),
    writeWithKey(2),
    writeWithoutKey(),
    importFiles(),
    runRules(),
    read(['/transactions?limit=50', '/transactions?search=row&search_mode=fuzzy', '/transactions/count']),
    read(['/transactions/export?format=json', '/transactions/summary?group_by=category_month', '/accounts']),
  ]);
  load.catch(() => undefined);

  return {
    untilAnswers: (count) => until('answers', count),
    untilRefusals: (count) => until('refusals', count),
    async end() {
      isOver = true;
      await load;
    },
    async check() {
      await checkTags();
      await checkRows();
      await checkNothingIsLeftOpen();
      return { ...counts, writes: made.tags.length + made.files, unsure: made.unsure.length };
    },
  };
}
