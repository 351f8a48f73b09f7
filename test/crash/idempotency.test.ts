import { expect, test } from 'vitest';

import { base64, csvOf, listed } from '../harness/bank-files/bank-files.ts';
import { eventually } from '../harness/eventually.ts';
import { addAccount, addMember, addTransactions } from '../harness/ledger.ts';
import { runProgram } from '../harness/programs/program.ts';
import { rowsOf } from '../harness/table-rows.ts';
import { forEachDatabase, type Answer, type TestApp } from '../harness/test-app.ts';

interface Sent {
  path: string;
  body: unknown;
}

const ROWS = 12;
const KEY = 'once';

const retry = (app: TestApp, { path, body }: Sent): Promise<Answer> =>
  app.request('POST', path, { body, headers: { 'idempotency-key': KEY } });

/** A server database notices the end of a killed process when it next looks; until then the answer says to try again. */
async function retryOnceNoticed(app: TestApp, sent: Sent): Promise<Answer> {
  return eventually(async () => {
    const answer = await retry(app, sent);
    expect([answer.status, answer.json.error?.code]).not.toEqual([409, 'CONFLICT']);
    return answer;
  });
}

forEachDatabase((database) => {
  async function household(): Promise<TestApp> {
    const app = await database.open();
    const account = await addAccount(app, await addMember(app, 'Ada'));
    const day = { account, date: '2026-04-01', amount_cents: 100 };
    await addTransactions(
      app,
      Array.from({ length: ROWS }, (_, n) => ({ ...day, name: `Row ${n}` })),
    );
    const actions = [{ type: 'add_comment', content: 'Seen' }];
    await app.request('POST', '/api/v1/rules', { body: { name: 'Seen', actions } });
    return app;
  }

  async function sendAndDie(app: TestApp, point: string, { path, body }: Sent, workers: number): Promise<void> {
    const words = ['test/crash/send-request.ts', point, String(workers), app.key, KEY, path, JSON.stringify(body)];
    const { signal, out, err } = await runProgram(words, { env: app.env });
    expect([point, signal, out], err).toEqual([point, 'SIGKILL', '']);
  }

  const count = async (app: TestApp, table: string): Promise<number> =>
    (await rowsOf(app.app.instance.database, `select 1 as n from ${table}`)).length;

  const tag = { path: '/api/v1/tags', body: { name: 'Coffee' } };
  const bulk = {
    path: '/api/v1/transactions/bulk-recategorize',
    body: { filter: { search: 'row' }, target_category_id: 'travel' },
  };
  const file = csvOf('2026-01-02 COFFEE -3.50', '2026-01-05 BREAD -2.00');
  const bankFile = {
    path: '/api/v1/connections/csv/import',
    body: { csv_base64: base64(file), account_name: 'Card' },
  };
  const rules = { path: '/api/v1/rules/apply-all', body: {} };

  test.for([
    ['a write', tag, 'write', 0],
    ['a write in a thread', bulk, 'write', 1],
    ['an import', bankFile, 'import', 0],
    ['an import in a thread', bankFile, 'import', 1],
  ] as const)('%s is not done twice, whenever its process is killed', async ([, sent, point, workers]) => {
    for (const [moment, isKept] of [
      ['before-commit', false],
      ['committed', true],
    ] as const) {
      const app = await household();
      const before = await count(app, 'change_sets');
      await sendAndDie(app, `${point}:${moment}`, sent, workers);
      expect(await count(app, 'change_sets')).toBe(before + (isKept ? 1 : 0));

      const again = await retryOnceNoticed(app, sent);
      expect([200, 201], again.text).toContain(again.status);
      expect(again.headers['idempotency-replayed']).toBe(isKept ? 'true' : undefined);
      expect(again.headers['x-change-set-id']).toMatch(/^[0-9a-f-]{36}$/);
      expect(await count(app, 'change_sets')).toBe(before + 1);
      expect((await retry(app, sent)).text).toBe(again.text);
      if (sent === bankFile) {
        expect(again.json).toMatchObject({ imported_transactions: 2, import: { status: 'completed' } });
        expect(await listed(app)).toHaveLength(ROWS + 2);
      }
    }
  });

  test.for(['rules:chunk-committed', 'rules:ended'])('a run of rules killed at %s is not done twice', async (point) => {
    const app = await household();
    await sendAndDie(app, point, rules, 0);
    const again = await retryOnceNoticed(app, rules);
    const isDone = point === 'rules:ended';
    expect([again.status, again.headers['idempotency-replayed']]).toEqual([200, isDone ? 'true' : undefined]);
    expect(again.json.affected_count).toBe(isDone ? ROWS : 0);
    expect(await count(app, 'comments')).toBe(ROWS);
  });

  test('a key is held while the process that claimed it lives, and only as long', async () => {
    const app = await household();
    const other = await app.again();
    const held = Promise.withResolvers<void>();
    const entered = Promise.withResolvers<void>();
    const { database: db } = other.app.instance;
    const writeBare = db.writeBare.bind(db);
    db.writeBare = async (fn, beforeCommit) => {
      if ((await count(app, 'idempotent_answers')) > 0) {
        entered.resolve();
        await held.promise;
      }
      return writeBare(fn, beforeCommit);
    };
    const first = retry(other, tag);
    await entered.promise;
    const refused = await retry(app, tag);
    expect([refused.status, refused.json.error.code]).toEqual([409, 'CONFLICT']);
    held.resolve();
    expect((await first).status).toBe(201);
    const again = await retry(app, tag);
    expect([again.status, again.headers['idempotency-replayed']]).toEqual([201, 'true']);
  });

  test('a request whose key was taken over by another writes nothing', async () => {
    const app = await household();
    const { database: db } = app.app.instance;
    const writeBare = db.writeBare.bind(db);
    db.writeBare = async (fn, beforeCommit) => {
      // As if this process had been taken for dead, between its claim and its write.
      await writeBare(
        async (tx) => tx.q.updateTable('idempotent_answers').set({ claim_id: tx.ids.uuid() }).execute(),
        async () => undefined,
      );
      return writeBare(fn, beforeCommit);
    };
    const before = await count(app, 'change_sets');
    const late = await retry(app, tag);
    expect([late.status, late.json.error.code]).toEqual([409, 'CONFLICT']);
    expect(await count(app, 'change_sets')).toBe(before);
  });
});
