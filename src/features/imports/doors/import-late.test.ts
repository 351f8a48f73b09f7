import { expect, test } from 'vitest';

import { csvOf, importFile, listed, sendBytes, base64 } from '../../../../test/harness/bank-files/bank-files.ts';
import { eventually } from '../../../../test/harness/eventually.ts';
import { endedImport, endImport, startEndlessImport } from '../../../../test/harness/bank-files/import-queue.ts';
import { addMember } from '../../../../test/harness/ledger.ts';
import { setLimit } from '../../../../test/harness/limits.ts';
import { forEachDatabase, type Answer, type RequestOptions, type TestApp } from '../../../../test/harness/test-app.ts';

const FILE = csvOf('2026-02-02 TEA -1.00', '2026-02-03 BREAD -2.00');

forEachDatabase((database) => {
  async function household(expectsFailures = false): Promise<TestApp> {
    const app = await database.open({ expectsFailures });
    await addMember(app, 'Ana');
    return app;
  }

  async function newest(app: TestApp) {
    return (await app.request('GET', '/api/v1/imports')).json.imports[0];
  }

  function expectAccepted(answer: Answer, importId: string): void {
    expect(answer.status, answer.text).toBe(202);
    expect(answer.headers).toMatchObject({ location: `/api/v1/imports/${importId}`, 'retry-after': '1' });
    for (const name of ['preference-applied', 'x-change-set-id']) expect(answer.headers[name]).toBeUndefined();
  }

  const doors: Record<string, (app: TestApp, more: RequestOptions) => Promise<Answer>> = {
    'the CSV door': (app, more) => importFile(app, FILE, { account_name: 'Card' }, more),
    'a new connection': (app, more) =>
      app.request('POST', '/api/v1/connections', {
        body: { provider: 'csv', credentials: { csv_base64: base64(FILE), account_name: 'Card' } },
        ...more,
      }),
    'the door for every format': (app, more) => sendBytes(app, FILE, { account_name: 'Card' }, more),
  };

  test.for(Object.keys(doors))(
    'at %s an import that takes longer than its caller waits goes on after 202',
    async (door) => {
      const app = await household();
      const before = await startEndlessImport(app);
      const known = await listed(app);
      setLimit('preferWaitMs', 1);
      const answer = (await doors[door]?.(app, { headers: { prefer: 'wait' } })) as Answer;
      const { id, status } = answer.json.import ?? answer.json;
      expectAccepted(answer, id);
      expect(status).toBe('queued');
      expect(await listed(app)).toEqual(known);
      await endImport(app, before);
      const record = await endedImport(app, id);
      expect(record).toMatchObject({
        status: 'completed',
        error: null,
        counts: { total: 2, added: 2 },
        change_set_id: expect.any(String),
        progress: { phase: 'done', done: 2, total: 2, percent: 100 },
      });
      expect(await listed(app)).toEqual(['2026-02-03 BREAD 2.00', '2026-02-02 TEA 1.00', ...known]);
    },
  );

  /** An import's write waits at its end until `commit` is called. */
  function holdCommit(app: TestApp): { commit: () => void } {
    const { instance } = app.app;
    const { database: db } = instance;
    const writeBare = db.writeBare.bind(db);
    const held = Promise.withResolvers<void>();
    let isAtEnd = false;
    instance.failpoint = (point) => {
      if (point === 'import:before-commit') isAtEnd = true;
    };
    db.writeBare = (fn, beforeCommit) =>
      writeBare(fn, async (tx) => {
        await beforeCommit(tx);
        if (isAtEnd) await held.promise;
      });
    return { commit: held.resolve };
  }

  test('an import goes on after its caller has waited long enough', async () => {
    const app = await household();
    const { commit } = holdCommit(app);
    setLimit('preferWaitMs', 1);
    const answer = await importFile(app, FILE);
    const { id, status, progress } = answer.json.import;
    expectAccepted(answer, id);
    expect([status, progress.percent < 100, answer.json.imported_transactions]).toEqual(['running', true, 0]);
    expect(await listed(app)).toEqual([]);
    commit();
    expect(await endedImport(app, id)).toMatchObject({ status: 'completed', counts: { added: 2 } });
    expect(await listed(app)).toHaveLength(2);
  });

  test('an import that fails after its caller has left says so in its record, and can be repeated', async () => {
    const app = await household(true);
    const before = await startEndlessImport(app);
    const known = await listed(app);
    setLimit('preferWaitMs', 1);
    const { id } = (await importFile(app, FILE)).json.import;
    app.app.instance.failpoint = (point) => {
      if (point === 'import:before-commit') throw new Error('planned');
    };
    await endImport(app, before);
    expect(await endedImport(app, id)).toMatchObject({ status: 'failed', error: { code: 'INTERNAL_ERROR' } });
    await eventually(() => expect(app.logs.some((line) => line.includes(id) && line.includes('failed'))).toBe(true));
    expect(await listed(app)).toEqual(known);
    app.app.instance.failpoint = () => {};
    const { id: second } = (await importFile(app, FILE)).json.import;
    expect(await endedImport(app, second)).toMatchObject({ status: 'completed', counts: { added: 2 } });
  });

  test('one key is one import: refused while its caller waits, then repeated as 202', async () => {
    const app = await household();
    const before = await startEndlessImport(app);
    const send = (): Promise<Answer> => importFile(app, FILE, {}, { headers: { 'idempotency-key': 'once' } });
    const waiting = send();
    await eventually(async () => expect((await newest(app)).status).toBe('queued'));
    const early = await send();
    expect([early.status, early.json.error.code]).toEqual([409, 'CONFLICT']);
    await endImport(app, before);
    const done = await waiting;
    expect(done.status).toBe(201);
    expect((await send()).text).toBe(done.text);

    const other = await startEndlessImport(app);
    setLimit('preferWaitMs', 1);
    const late = (): Promise<Answer> =>
      importFile(app, csvOf('2026-03-02 RICE -4.00'), {}, { headers: { 'idempotency-key': 'twice' } });
    const first = await late();
    const { id } = first.json.import;
    expectAccepted(first, id);
    const meanwhile = await late();
    await endImport(app, other);
    await endedImport(app, id);
    for (const again of [meanwhile, await late()]) {
      expectAccepted(again, id);
      expect([again.headers['idempotency-replayed'], again.text]).toEqual(['true', first.text]);
    }
    expect((await listed(app)).filter((row) => row.includes('RICE'))).toHaveLength(1);
    expect((await app.request('GET', '/api/v1/imports')).json.imports).toHaveLength(4);
  });
});
