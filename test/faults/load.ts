import { expect } from 'vitest';

import { base64, csvOf } from '../harness/bank-files/bank-files.ts';
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
  const clients = new Clients(address, key, ended);
  await clients.begin();
  return clients;
}

class Clients implements Load {
  readonly #address: string;
  readonly #key: string;
  readonly #died: Promise<never>;
  readonly #made = { tags: [] as string[], files: 0, unchanged: [] as string[], unsure: [] as string[] };
  readonly #counts = { answers: 0, refusals: 0 };
  #isOver = false;
  #load: Promise<unknown> = Promise.resolve();

  constructor(address: string, key: string, ended: Promise<unknown>) {
    this.#address = address;
    this.#key = key;
    this.#died = ended.then(() => Promise.reject(new Error('The service ended.')));
    this.#died.catch(() => undefined);
  }

  async begin(): Promise<void> {
    await this.#request('POST', '/users', { name: 'Ada' });
    await this.#request('POST', '/rules', { name: 'Seen', actions: [{ type: 'add_comment', content: 'Seen' }] });
    this.#load = Promise.all([
      this.#writeWithKey(1),
      this.#writeWithKey(2),
      this.#writeWithoutKey(),
      this.#importFiles(),
      this.#runRules(),
      this.#read(['/transactions?limit=50', '/transactions?search=row&search_mode=fuzzy', '/transactions/count']),
      this.#read(['/transactions/export?format=json', '/transactions/summary?group_by=category_month', '/accounts']),
    ]);
    this.#load.catch(() => undefined);
  }

  untilAnswers(count: number): Promise<void> {
    return this.#until('answers', count);
  }

  untilRefusals(count: number): Promise<void> {
    return this.#until('refusals', count);
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await this.#load;
  }

  async check(): Promise<Readonly<Record<string, number>>> {
    await this.#checkTags();
    await this.#checkRows();
    await this.#checkNothingIsLeftOpen();
    const { tags, files, unsure } = this.#made;
    return { ...this.#counts, writes: tags.length + files, unsure: unsure.length };
  }

  async #request(method: string, path: string, body?: unknown, idempotencyKey?: string): Promise<Answered> {
    const headers: Record<string, string> = { 'x-api-key': this.#key };
    if (body !== undefined) headers['content-type'] = 'application/json';
    if (idempotencyKey !== undefined) headers['idempotency-key'] = idempotencyKey;
    const sent = fetch(`${this.#address}/api/v1${path}`, {
      method,
      headers,
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const response = await Promise.race([sent, this.#died]);
    // What was begun to be sent can only break off.
    const text = await response.text().catch(() => 'null');
    const answer = { status: response.status, json: text === '' ? null : JSON.parse(text) };
    if (response.ok) this.#counts.answers += 1;
    else {
      expect([method, path, answer.status, answer.json?.error?.code], text).toEqual([method, path, 503, 'UNAVAILABLE']);
      this.#counts.refusals += 1;
    }
    return answer;
  }

  /** As a careful client does: the same request with the same key, until it is answered. */
  async #insist(path: string, body: unknown, idempotencyKey: string): Promise<Answered> {
    for (;;) {
      const answer = await this.#request('POST', path, body, idempotencyKey);
      if (answer.status !== 503) return answer;
    }
  }

  async #writeWithKey(writer: number): Promise<void> {
    for (let n = 0; !this.#isOver; n += 1) {
      const name = `Kept ${writer} ${n}`;
      await this.#insist('/tags', { name }, name);
      this.#made.tags.push(name);
    }
  }

  async #writeWithoutKey(): Promise<void> {
    for (let n = 0; !this.#isOver; n += 1) {
      const name = `Loose ${n}`;
      const { status, json } = await this.#request('POST', '/tags', { name });
      if (status === 201) this.#made.tags.push(name);
      else if (NOTHING_CHANGED.test(json.error.message)) this.#made.unchanged.push(name);
      else this.#made.unsure.push(name);
    }
  }

  async #importFiles(): Promise<void> {
    for (let n = 0; !this.#isOver; n += 1) {
      const rows = Array.from({ length: ROWS_PER_FILE }, (_, row) => `2026-01-02 ROW-${n}-${row} -1.00`);
      const body = { csv_base64: base64(csvOf(...rows)), account_name: 'Card', sign: 'positive_is_in' };
      const { json } = await this.#insist('/connections/csv/import', body, `file ${n}`);
      expect(json.imported_transactions, JSON.stringify(json)).toBe(ROWS_PER_FILE);
      this.#made.files += 1;
    }
  }

  async #runRules(): Promise<void> {
    for (let n = 0; !this.#isOver; n += 1) await this.#insist('/rules/apply-all', {}, `rules ${n}`);
  }

  async #read(paths: readonly string[]): Promise<void> {
    for (let n = 0; !this.#isOver; n += 1) await this.#request('GET', paths[n % paths.length] as string);
  }

  async #until(name: 'answers' | 'refusals', more: number): Promise<void> {
    const wanted = this.#counts[name] + more;
    const waiting = eventually(() => {
      if (this.#counts[name] < wanted) throw new Error(`Too few ${name}: ${JSON.stringify(this.#counts)}`);
    }, WAIT_MS);
    await Promise.race([waiting, this.#load]);
  }

  /** Names of all live transactions. */
  async #allRows(): Promise<{ id: string; name: string }[]> {
    const rows: { id: string; name: string }[] = [];
    for (let cursor = ''; ;) {
      const page = (await this.#request('GET', `/transactions?limit=500${cursor}`)).json;
      rows.push(...page.transactions);
      if (page.has_more !== true) return rows;
      cursor = `&cursor=${page.next_cursor}`;
    }
  }

  async #checkTags(): Promise<void> {
    const tags = (await this.#request('GET', '/tags')).json as { name: string }[];
    const names = tags.map(({ name }) => name).filter((name) => /^(Kept|Loose)/.test(name));
    const known = new Set([...this.#made.tags, ...this.#made.unsure]);
    expect(this.#made.tags.filter((name) => !names.includes(name))).toEqual([]);
    expect(this.#made.unchanged.filter((name) => names.includes(name))).toEqual([]);
    expect(names.filter((name) => !known.has(name))).toEqual([]);
    expect(new Set(names).size).toBe(names.length);
  }

  async #checkRows(): Promise<void> {
    await this.#insist('/rules/apply-all', {}, 'at the end');
    const rows = await this.#allRows();
    expect(rows).toHaveLength(this.#made.files * ROWS_PER_FILE);
    expect(new Set(rows.map(({ name }) => name)).size).toBe(rows.length);
    for (const { id } of rows.slice(0, 50)) {
      expect((await this.#request('GET', `/transactions/${id}/comments`)).json).toHaveLength(1);
    }
  }

  async #checkNothingIsLeftOpen(): Promise<void> {
    expect((await this.#request('GET', '/jobs?status=queued&status=running')).json).toEqual([]);
    for (const status of ['queued', 'running']) {
      expect((await this.#request('GET', `/imports?status=${status}`)).json.imports).toEqual([]);
    }
  }
}
