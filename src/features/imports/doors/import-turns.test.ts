import { expect, test } from 'vitest';

import { csvOf, importFile, listed, previewFile } from '../../../../test/harness/bank-files/bank-files.ts';
import { eventually } from '../../../../test/harness/eventually.ts';
import {
  endedImport,
  endImport,
  keepLease,
  lapse,
  startEndlessImport,
  resumeImport,
} from '../../../../test/harness/bank-files/import-queue.ts';
import { addMember, openHousehold } from '../../../../test/harness/ledger.ts';
import { runProgram } from '../../../../test/harness/programs/program.ts';
import { rowsOf } from '../../../../test/harness/table-rows.ts';
import { forEachDatabase, type Answer, type TestApp } from '../../../../test/harness/test-app.ts';
import { instantNow, systemClock } from '../../../kernel/clock.ts';
import { LIMITS } from '../../../kernel/limits.ts';

const FILE = csvOf('2026-01-02 COFFEE -3.50', '2026-01-05 SALARY 1000.00');
const LATER = { headers: { prefer: 'respond-async' } };
const LISTENING = { env: { PORT: '0' } };

forEachDatabase((database) => {
  const household = (): Promise<TestApp> => openHousehold(database);

  async function stateOf(app: TestApp, id: string) {
    const { status, error } = (await app.request('GET', `/api/v1/imports/${id}`)).json;
    return [status, error?.code ?? null];
  }

  /** Nobody can write until the result is called. */
  async function holdWriting(app: TestApp): Promise<() => Promise<void>> {
    const [begun, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const writing = app.write('test.hold', async () => {
      begun.resolve();
      await held.promise;
    });
    await begun.promise;
    return async () => {
      held.resolve();
      await writing;
    };
  }

  test('an import that no one works on any longer is marked as failed when a server starts', async () => {
    const app = await household();
    const queued = (await importFile(app, FILE)).json.import.id;
    const ids = [await startEndlessImport(app), queued];
    await resumeImport(app, queued, 'queued');
    await app.close();
    const command = await app.again();
    for (const id of ids) expect((await stateOf(command, id))[1]).toBeNull();
    const server = await app.again(LISTENING);
    await server.app.listen();
    for (const id of ids) expect(await stateOf(server, id)).toEqual(['failed', 'UNAVAILABLE']);
    expect(
      await rowsOf(server.app.instance.database, "select name from leases where name not like 'server:%'"),
    ).toEqual([]);
  });

  test('other servers and commands leave a running import alone until its lease lapses', async () => {
    const app = await household();
    const id = await startEndlessImport(app);
    const made = await runProgram(['src/start.js', 'keys', 'create', '--name', 'Beside'], { env: app.env });
    expect([made.code, made.out]).toEqual([0, expect.stringMatching(/^hl_/)]);
    expect(await stateOf(app, id)).toEqual(['running', null]);
    const other = await app.again(LISTENING);
    await other.app.listen();
    expect(await stateOf(app, id)).toEqual(['running', null]);
    await other.close();
    await lapse(app, `import:${id}`);
    const late = await app.again(LISTENING);
    await late.app.listen();
    expect(await stateOf(app, id)).toEqual(['failed', 'UNAVAILABLE']);
  });

  test('an import that waits longer than its lease lasts is not given up: its process renews the lease', async () => {
    const app = await household();
    const before = await startEndlessImport(app);
    const { id } = (await importFile(app, FILE, { account_name: 'Waiting' }, LATER)).json.import;
    const leaseEnd = async (): Promise<string> => {
      const asked = `select expires_at from leases where name = 'import:${id}'`;
      return (await rowsOf<{ expires_at: string }>(app.app.instance.database, asked))[0]?.expires_at ?? '';
    };
    for (let time = 0; time < 2; time++) {
      const end = await leaseEnd();
      await keepLease(app, { kind: 'import', id: before });
      app.clock.advance(0.8 * LIMITS.workLeaseMs);
      await eventually(async () => expect((await leaseEnd()) > end).toBe(true));
    }
    const other = await app.again(LISTENING);
    await other.app.listen();
    expect(await stateOf(app, id)).toEqual(['queued', null]);
    await endImport(app, before);
    expect(await endedImport(app, id)).toMatchObject({ status: 'completed' });
  });

  test('a running import shows its progress before any of its rows are visible', async () => {
    const app = await household();
    const rows = Array.from({ length: 2_400 }, (_, index) => `2026-04-01,Row ${index},-${index + 1}.00`);
    const file = `Date,Description,Amount\n${rows.join('\n')}\n`;
    await app.request('GET', '/api/v1/imports');
    const { instance } = app.app;
    const seen: Promise<Answer>[] = [];
    instance.failpoint = (point) => {
      if (point === 'import:rows-written') seen.push(app.request('GET', '/api/v1/imports'));
    };
    const { json } = await importFile(app, file, { account_name: 'Long' });
    const told = (await Promise.all(seen)).map((look) => look.json.imports[0].progress);
    // A look is answered a moment after it began, when more may be written.
    const written = [1_000, 2_000, 2_400].map((count) => ({
      phase: 'writing',
      done: count,
      total: 2_400,
      percent: Math.min(99, Math.floor(count / 24)),
    }));
    expect(told).toHaveLength(3);
    expect(written).toContainEqual(told[0]);
    const done = { phase: 'done', done: 2_400, total: 2_400, percent: 100 };
    expect(json.import.progress).toEqual(done);
    expect((await app.request('GET', `/api/v1/imports/${json.import.id}`)).json.progress).toEqual(done);
  });

  test('an import is queued behind the one before it, then shows that it runs', async () => {
    const app = await household();
    const before = await startEndlessImport(app);
    const [second, third] = [
      await importFile(app, FILE, { account_name: 'Second' }, LATER),
      await importFile(app, FILE, { account_name: 'Third' }, LATER),
    ];
    for (const { json } of [second, third]) {
      expect(json.import).toMatchObject({
        status: 'queued',
        started_at: null,
        progress: { phase: 'waiting', done: 0 },
      });
    }
    const { instance } = app.app;
    const seen: Promise<Answer>[] = [];
    // The first look loads the code of the list; later ones look at once.
    await app.request('GET', '/api/v1/imports');
    instance.failpoint = (point) => {
      if (point === 'import:matched') seen.push(app.request('GET', '/api/v1/imports'));
    };
    app.clock.advance(5_000);
    await endImport(app, before);
    await endedImport(app, third.json.import.id);
    const states = (await Promise.all(seen)).map(({ json }) =>
      json.imports.map((one: Record<string, unknown>) => [one['status'], one['progress']]),
    );
    const [waiting, matching, writing, written, rules, done] = (
      [
        ['waiting', 0, 0],
        ['matching', 0, 0],
        ['writing', 0, 0],
        ['writing', 2, 99],
        ['rules', 2, 99],
        ['done', 2, 100],
      ] as const
    ).map(([phase, count, percent]) => ({ phase, done: count, total: 2, percent }));
    const running = [matching, writing, written, rules].map((progress) => ['running', progress]);
    // A server answers the look through a connection of its own, so it may come just after the commit.
    const underWay = database.name === 'SQLite' ? running : [...running, ['completed', done]];
    const [first = [], last = []] = states.map((state) => state.slice(0, 2));
    expect(first[0]).toEqual(['queued', waiting]);
    expect(underWay).toContainEqual(first[1]);
    expect(underWay).toContainEqual(last[0]);
    expect(last[1]).toEqual(['completed', done]);
    const { json } = await app.request('GET', `/api/v1/imports/${second.json.import.id}`);
    expect([json.created_at < json.started_at, json.started_at <= json.finished_at]).toEqual([true, true]);
  });

  test('an import does not wait for one whose process is gone', async () => {
    const app = await household();
    const gone = await app.again();
    const id = await startEndlessImport(gone);
    await gone.close();
    expect((await importFile(app, FILE)).status).toBe(201);
    expect(await stateOf(app, id)).toEqual(['failed', 'UNAVAILABLE']);
  });

  test.for([0, 2])(
    'a server that stops keeps nobody waiting for imports before its own; %d threads',
    async (workers) => {
      const other = await database.open({ expectsFailures: true });
      // Threads have the time of the machine, and leases run out by it.
      other.clock.set(instantNow(systemClock));
      await addMember(other, 'Ana');
      const before = await startEndlessImport(other);
      const known = await listed(other);
      const app = await other.again({ workers });
      const tea = csvOf('2026-02-02 TEA -1.00');
      const waiting = importFile(app, tea);
      const [{ id }] = await eventually(async () => {
        const { imports } = (await other.request('GET', '/api/v1/imports', { query: { status: 'queued' } })).json;
        expect(imports).toHaveLength(1);
        return imports;
      });
      await app.close();
      const answer = await waiting;
      expect([answer.status, answer.json.error?.code], answer.text.slice(0, 600)).toEqual([503, 'UNAVAILABLE']);
      expect((await other.request('GET', `/api/v1/imports/${id}`)).json).toMatchObject({
        status: 'failed',
        error: { code: 'UNAVAILABLE' },
        started_at: null,
        change_set_id: null,
      });
      await endImport(other, before);
      expect(await listed(other)).toEqual(known);
      expect((await importFile(other, tea)).json.imported_transactions).toBe(1);
    },
  );

  test('an import that was given up while waiting writes nothing', async () => {
    const app = await database.open({ expectsFailures: true });
    await addMember(app, 'Ana');
    const before = await startEndlessImport(app);
    const known = await listed(app);
    const { id } = (await importFile(app, csvOf('2026-02-02 TEA -1.00'), {}, LATER)).json.import;
    await endImport(app, id);
    await endImport(app, before);
    await eventually(() => expect(app.logs.some((line) => line.includes(id))).toBe(true));
    expect(await listed(app)).toEqual(known);
    expect((await importFile(app, csvOf('2026-02-02 TEA -1.00'))).json.imported_transactions).toBe(1);
  });

  test('an import that is given up between its turn and its write writes nothing', async () => {
    const app = await database.open({ expectsFailures: true });
    await addMember(app, 'Ana');
    const before = await startEndlessImport(app);
    const known = await listed(app);
    const { id } = (await importFile(app, csvOf('2026-02-02 TEA -1.00'), {}, LATER)).json.import;
    const { database: db } = app.app.instance;
    const [ending, holding] = [endImport(app, before), holdWriting(app)];
    // Both are under way, so the next to write is the import, whose turn comes with the end of the first.
    const [writeBare, turn] = [db.writeBare.bind(db), Promise.withResolvers<void>()];
    db.writeBare = (fn, beforeCommit) => {
      turn.resolve();
      return writeBare(fn, beforeCommit);
    };
    await ending;
    const goOn = await holding;
    await turn.promise;
    const givenUp = endImport(app, id);
    await goOn();
    await givenUp;
    await eventually(() => expect(app.logs.some((line) => line.includes(id))).toBe(true));
    expect((await app.request('GET', `/api/v1/imports/${id}`)).json).toMatchObject({
      status: 'failed',
      started_at: expect.any(String),
      change_set_id: null,
    });
    expect(await listed(app)).toEqual(known);
  });

  test('waiting imports do not stop other files from being read', async () => {
    const app = await household();
    const before = await startEndlessImport(app);
    const waiting = Array.from({ length: LIMITS.importsReadAtOnce }, (_, i) =>
      importFile(app, FILE, { account_name: `A${i}` }),
    );
    await eventually(async () => {
      const { imports } = (await app.request('GET', '/api/v1/imports', { query: { status: 'queued' } })).json;
      expect(imports).toHaveLength(LIMITS.importsReadAtOnce);
    });
    expect((await previewFile(app, FILE)).status).toBe(200);
    await endImport(app, before);
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([201, 201, 201, 201]);
  });

  test(`at most ${LIMITS.importsReadAtOnce} files are read at once`, async () => {
    const app = await household();
    const goOn = await holdWriting(app);
    const sent = Array.from({ length: LIMITS.importsReadAtOnce + 1 }, (_, i) =>
      importFile(app, FILE, { account_name: `A${i}` }),
    );
    for (const refused of [await Promise.race(sent), await previewFile(app, FILE)]) {
      expect([refused.status, refused.json.error?.code, refused.headers['retry-after']]).toEqual([
        503,
        'UNAVAILABLE',
        '2',
      ]);
    }
    expect((await importFile(app, FILE)).status).toBe(503);
    // Linking a bank is the same operation as importing a file as a connection, but reads none.
    const [member] = (await app.request('GET', '/api/v1/users')).json;
    const credentials = { access_token: 'token', enrollment_id: 'enrollment', institution_name: 'Bank' };
    const bank = { provider: 'teller', user_id: member.id, credentials };
    expect((await app.request('POST', '/api/v1/connections', { body: bank })).json.error.code).toBe(
      'PROVIDER_NOT_CONFIGURED',
    );
    await goOn();
    const statuses = (await Promise.all(sent)).map(({ status }) => status);
    expect(statuses.toSorted((a, b) => a - b)).toEqual([201, 201, 201, 201, 503]);
    for (let i = 0; i <= LIMITS.importsReadAtOnce; i++) expect((await importFile(app, '')).status).toBe(422);
    expect((await previewFile(app, FILE)).status).toBe(200);
  });

  test(`at most ${LIMITS.importsWaiting} imports wait, and they do not stop reading`, async () => {
    const app = await household();
    const before = await startEndlessImport(app);
    const waiting: string[] = [];
    for (let i = 0; i < LIMITS.importsWaiting; i++) {
      const answer = await importFile(app, csvOf(`2026-03-02 ROW${i} -${i + 1}.00`), { account_name: 'Card' }, LATER);
      expect([i, answer.status]).toEqual([i, 202]);
      waiting.push(answer.json.import.id);
    }
    const refused = await importFile(app, FILE, {}, LATER);
    expect([refused.status, refused.json.error.code, refused.headers['retry-after']]).toEqual([
      503,
      'UNAVAILABLE',
      '2',
    ]);
    expect((await previewFile(app, FILE)).status).toBe(200);
    await endImport(app, before);
    for (const id of waiting)
      expect(await endedImport(app, id)).toMatchObject({ status: 'completed', counts: { added: 1 } });
    const created = await rowsOf(
      app.app.instance.database,
      `select name from transactions where name like 'ROW%' order by id`,
    );
    expect(created.map((row) => row['name'])).toEqual(waiting.map((_, i) => `ROW${i}`));
  });

  test('waiting imports keep no thread from other imports and previews', async () => {
    const other = await database.open();
    other.clock.set(instantNow(systemClock));
    await addMember(other, 'Ana');
    const before = await startEndlessImport(other);
    const app = await other.again({ workers: 3 });
    const waiting: string[] = [];
    for (let i = 0; i < 4; i++) {
      const answer = await importFile(app, csvOf(`2026-03-02 ROW${i} -${i + 1}.00`), { account_name: 'Card' }, LATER);
      expect([i, answer.status, answer.json.import?.status]).toEqual([i, 202, 'queued']);
      waiting.push(answer.json.import.id);
    }
    expect((await previewFile(app, FILE)).status).toBe(200);
    await endImport(other, before);
    for (const id of waiting) {
      expect(await endedImport(other, id)).toMatchObject({ status: 'completed', counts: { added: 1 } });
    }
    const rows = (await listed(other)).filter((row) => row.includes('ROW'));
    expect(rows).toEqual(waiting.map((_, i) => `2026-03-02 ROW${i} ${i + 1}.00`).toReversed());
  });

  test('a thread frees its place when its file is read, refused or lost', async () => {
    const app = await database.open({ workers: 2 });
    await addMember(app, 'Ana');
    for (let i = 0; i < 2 * LIMITS.importsReadAtOnce; i++) {
      expect((await importFile(app, '')).status).toBe(422);
    }
    const before = await startEndlessImport(app);
    const held = importFile(app, FILE, { account_name: 'Held' }, LATER);
    expect((await held).status).toBe(202);
    await endImport(app, before);
    await endedImport(app, (await held).json.import.id);
  });
});
