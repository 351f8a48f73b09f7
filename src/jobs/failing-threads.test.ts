import type { Runnable } from '../features/handler.ts';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';

import { describe, expect, onTestFinished, test } from 'vitest';

import { operations } from '../contract/registry.ts';
import type { Call } from '../features/run-operation.ts';
import { eventually } from '../../test/harness/eventually.ts';
import { temporaryDirectory } from '../../test/harness/databases/databases.ts';
import { addAccount, addMember, addTransactions } from '../../test/harness/ledger.ts';
import { LATE_THREADS, NO_THREADS } from '../../test/harness/programs/stub-thread.ts';
import { forEachDatabase, type TestApp } from '../../test/harness/test-app.ts';
import { createWriteGate } from '../db/write-gate.ts';
import { LIMITS } from '../kernel/limits.ts';
import { createLogger } from '../kernel/logger.ts';
import { readConfig } from '../kernel/config.ts';
import { createLiveProgress } from './live-progress.ts';
import { createWorkerPool, type WorkerPool } from './worker-pool.ts';

const ENTRY = new URL('../../test/harness/programs/stub-thread.ts', import.meta.url);
// A thread that is merely slow, on a busy machine, must not count as one that hangs.
const SOON = { askMs: 20, stuckMs: 1_000, lostMs: 3_000, unreadMs: 200 };

interface StubOptions {
  directory: ReturnType<typeof temporaryDirectory>;
  newPresence: () => string;
  spentMs: number;
}

async function stubPool(
  size: number,
  { directory = temporaryDirectory(), newPresence = () => 'a thread', spentMs = 60_000 }: Partial<StubOptions> = {},
): Promise<WorkerPool> {
  const { trustedProxies: _unused, ...config } = readConfig({ HOMELEDGER_DATA_DIR: directory.path });
  const pool = createWorkerPool({
    entry: ENTRY,
    setup: {
      config,
      keys: { masterKey: new Uint8Array(32), keySource: 'file', keyFile: null, numberKey: null },
      settingsWrites: new SharedArrayBuffer(4),
      checkAnswers: false,
      crashAt: '',
      storage: null,
    },
    size,
    gate: createWriteGate(),
    logger: await createLogger({ level: 'error', format: 'json', destination: { write: () => undefined } }),
    progress: createLiveProgress(),
    newPresence,
    onLost: () => undefined,
    watch: SOON,
    spentMs,
  });
  onTestFinished(async () => {
    await pool.close();
    directory.remove();
  });
  return pool;
}

const call = (body: unknown): Call => ({
  input: { params: {}, query: {}, body },
  principal: null,
  request: { id: 'x', surface: 'rest', reason: null, baseUrl: '', client: null, prefer: null },
  file: null,
  unread: null,
  claim: null,
});

/** What the stub thread does for an operation of this name. */
const doing = (
  name: 'answer' | 'fill' | 'die' | 'dieStreaming' | 'stream' | 'hang',
  effect: 'read' | 'write' = 'read',
): Runnable => ({
  name,
  group: 'stub',
  effect,
  weight: 'heavy',
});

const UNCLONABLE = (): void => undefined;

describe('the pool', () => {
  test('gives calls in a row to one thread, and starts no other in between', async () => {
    let started = 0;
    const pool = await stubPool(3, { newPresence: () => `thread ${(started += 1)}` });
    for (let i = 0; i < 200; i++) await pool.run(doing('answer'), call({}));
    expect(started).toBe(1);
  });

  test('a thread remains after a write, however long, also for what follows a write that has filled its heap', async () => {
    let started = 0;
    const pool = await stubPool(1, { newPresence: () => `thread ${(started += 1)}` });
    for (const [name, effect] of [
      ['answer', 'write'],
      ['fill', 'read'],
      ['fill', 'write'],
      ['fill', 'write'],
      ['answer', 'write'],
    ] as const) {
      await pool.run(doing(name, effect), call({}));
      expect([name, effect, started]).toEqual([name, effect, 1]);
    }
  });

  test('a thread ends soon after a write has filled its heap, even if reads follow that leave it full', async () => {
    let started = 0;
    const pool = await stubPool(1, { newPresence: () => `thread ${(started += 1)}`, spentMs: 0 });
    await pool.run(doing('fill', 'write'), call({}));
    await eventually(async () => {
      await pool.run(doing('fill'), call({}));
      expect(started).toBe(2);
    });
  });

  test('lets no call wait for a thread that starts once another is free', async () => {
    const directory = temporaryDirectory();
    const pool = await stubPool(2, { directory });
    await pool.run(doing('answer'), call({}));
    const late = join(directory.path, LATE_THREADS);
    writeFileSync(late, '');
    const both = [1, 2].map(() => pool.run(doing('answer'), call({})));
    expect(await Promise.all(both)).toHaveLength(2);
    rmSync(late);
  });

  test('only the call whose input cannot be passed on fails, whether its thread is starting or idle', async () => {
    for (const size of [1, 3]) {
      const pool = await stubPool(size);
      for (let i = 0; i < 10; i++) {
        const failed = pool.run(doing('answer'), call(UNCLONABLE));
        await expect(failed).rejects.toThrow('could not be passed to a worker thread');
      }
      const mixed = [UNCLONABLE, {}, UNCLONABLE, {}].map((body) => pool.run(doing('answer'), call(body)));
      const ends = (await Promise.allSettled(mixed)).map(({ status }) => status);
      expect(ends).toEqual(['rejected', 'fulfilled', 'rejected', 'fulfilled']);
      expect(pool.canWork()).toBe(true);
    }
  });

  test('a thread that dies is replaced, and its caller told what that means', async () => {
    const pool = await stubPool(1);
    for (const [effect, code, advice] of [
      ['read', 'UNAVAILABLE', 'Try again'],
      ['write', 'INTERNAL_ERROR', 'check first'],
    ] as const) {
      const next = pool.run(doing('answer'), call({}));
      await expect(pool.run(doing('die', effect), call({}))).rejects.toMatchObject({
        code,
        message: expect.stringContaining(advice),
      });
      expect((await next).body).toBe('done');
      expect((await pool.run(doing('answer'), call({}))).body).toBe('done');
      expect(pool.canWork()).toBe(true);
    }
  });

  test('a thread that dies amid a streamed answer breaks the answer off instead of leaving its reader waiting', async () => {
    const pool = await stubPool(1);
    const { body } = await pool.run(doing('dieStreaming'), call({}));
    const read = async (): Promise<void> => {
      for await (const piece of body as AsyncIterable<string>) expect(piece).toBe('piece');
    };
    await expect(read()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect((await pool.run(doing('answer'), call({}))).body).toBe('done');
  });

  test('an answer that nobody reads is kept until others wait for its thread; one that is read goes on', async () => {
    const pool = await stubPool(2);
    const stream = async () => (await pool.run(doing('stream'), call({}))).body as ReadableStream<string>;
    const left = (await stream()).getReader();
    const begun = performance.now();
    while (performance.now() - begun < 2 * SOON.unreadMs) await pool.run(doing('answer'), call({}));
    expect(await left.read()).toEqual({ done: false, value: 'piece' });

    const read = (await stream()).getReader();
    const progress = { isAnswered: false };
    const answer = async (): Promise<unknown> => {
      const { body } = await pool.run(doing('answer'), call({}));
      progress.isAnswered = true;
      return body;
    };
    const answered = answer();
    while (!progress.isAnswered) {
      expect(await read.read()).toEqual({ done: false, value: 'piece' });
      await setImmediate();
    }
    expect(await answered).toBe('done');
    await expect(left.read()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await read.cancel();
  });

  test('a thread that hangs is replaced; while all do, no work can be done', async () => {
    const pool = await stubPool(2);
    const hanging = [pool.run(doing('hang'), call({})), pool.run(doing('hang'), call({}))];
    const waiting = pool.run(doing('answer'), call({}));
    const ends = Promise.allSettled(hanging);
    await eventually(() => expect(pool.canWork()).toBe(false));
    expect((await ends).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect((await waiting).body).toBe('done');
    expect(pool.canWork()).toBe(true);
  });
});

forEachDatabase(({ open }) => {
  test('readiness fails while no thread can be started, and says so', async () => {
    const app = await open({ workers: 1, threads: { entry: ENTRY, watch: SOON }, expectsFailures: true });
    const ready = async (): Promise<unknown> => {
      const answer = await app.request('GET', '/health/ready', { key: null });
      return [answer.status, answer.json.error?.details?.map(({ path }: { path: string }) => path)];
    };
    expect(await ready()).toEqual([200, undefined]);
    const obstacle = join(app.app.instance.config.dataDir, NO_THREADS);
    writeFileSync(obstacle, '');
    expect((await app.request('GET', '/api/v1/transactions/count')).status).toBe(503);
    expect(await ready()).toEqual([503, ['threads']]);
    rmSync(obstacle);
    await eventually(async () => expect(await ready()).toEqual([200, undefined]));
    expect((await app.request('GET', '/api/v1/transactions/count')).text).toBe('done');
  });

  test(
    'bodies nested 4,000 deep are refused by every heavy operation, and threads go on',
    { timeout: 60_000 },
    async () => {
      const app = await open({ workers: 2 });
      await ledger(app);
      const deep = `${'['.repeat(4_000)}${']'.repeat(4_000)}`;
      const heavy = operations.filter(({ method, weight }) => method !== 'GET' && weight !== 'light');
      expect(heavy.map(({ name }) => name)).toEqual(
        expect.arrayContaining(['bulkRecategorizeTransactions', 'previewRule', 'importFile']),
      );
      for (const state of ['cold', 'warm']) {
        for (const { method, path, name } of heavy) {
          const url = path.replaceAll(/\{\w+\}/g, 'x');
          const body = `{"condition":{"field":"name","op":"eq","value":${deep}},"filter":{"search":${deep}}}`;
          expect([state, name, (await app.request(method, url, { body })).status]).toEqual([state, name, 400]);
        }
        expect((await app.request('GET', '/api/v1/transactions/count')).json).toEqual({ count: 3 });
      }
      const large = `{"filter":{"search":${deep}},"pad":"${'x'.repeat(LIMITS.bodyReadInPlaceBytes)}"}`;
      expect((await app.request('POST', '/api/v1/rules/preview', { body: large })).status).toBe(400);
      const { error } = (
        await app.request('POST', '/api/v1/transactions/bulk-recategorize', { body: `{"filter":{"search":${deep}}}` })
      ).json;
      expect(error.code).toBe('VALIDATION_ERROR');
      expect(error.details[0].path).toMatch(/^filter\.search\[0\]/);
      expect(error.message).toContain('64 levels');
    },
  );
});

async function ledger(app: TestApp): Promise<void> {
  const account = await addAccount(app, await addMember(app, 'Ana'));
  const rows = [1, 2, 3].map((cents) => ({ account, date: '2025-01-01', amount_cents: cents, name: `ROW ${cents}` }));
  await addTransactions(app, rows);
}
