import fc from 'fast-check';
import { CompiledQuery } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';

import { createPostgresDatabase } from '../../../test/harness/databases/databases.ts';
import { eventually } from '../../../test/harness/eventually.ts';
import type { Engine, EngineConnection } from '../engine.ts';
import { openPostgres } from './postgres.ts';

const BY_ID = 'select * from things where id = $1';
const BY_RANGE = 'select * from things where id >= $1';

async function emptyDatabase(connections = 1): Promise<Engine> {
  return (await emptyServer('', connections)).engine;
}

/** A database whose server prefers these settings (`set …`), and how to open it a second time. */
async function emptyServer(settings: string, connections = 1): Promise<{ engine: Engine; again: () => Engine }> {
  const database = await createPostgresDatabase();
  const opened: Engine[] = [];
  const again = (): Engine => {
    const engine = openPostgres(database.url, connections, () => undefined);
    opened.push(engine);
    return engine;
  };
  onTestFinished(async () => {
    for (const engine of opened) await engine.close();
    await database.drop();
  });
  if (settings !== '') {
    const before = openPostgres(database.url, 1, () => undefined);
    const name = new URL(database.url).pathname.slice(1);
    await before.write((connection) => connection.execute(`alter database ${name} ${settings}`));
    await before.close();
  }
  const engine = again();
  await engine.write((connection) => connection.execute('create table things (id bigint primary key, name text)'));
  return { engine, again };
}

async function rows(connection: EngineConnection, sql: string, ...values: unknown[]): Promise<unknown[]> {
  return (await connection.executeQuery(CompiledQuery.raw(sql, values))).rows;
}

test('a statement that is repeated is planned once, unless its plan depends on the values', async () => {
  const engine = await emptyDatabase();
  for (let time = 0; time < 3; time++) {
    await engine.read((connection) => rows(connection, BY_ID, 1), 'one query');
    await engine.read((connection) => rows(connection, BY_RANGE, 1), 'one query');
  }
  const planned = await engine.read((connection) => rows(connection, 'select statement from pg_prepared_statements'));
  expect(planned).toEqual([{ statement: BY_ID }]);
});

test.for([
  ['default_transaction_read_only', 'on', 'The database server is read-only.'],
  ['temp_file_limit', '8kB', 'temporary file size exceeds'],
])('a server that would not take a write, because of %s, is not ready', async ([name, value, says]) => {
  const { engine, again } = await emptyServer('');
  await engine.ping(1_000);
  const [database] = (await engine.read((connection) => rows(connection, 'select current_database() as name'))) as {
    name: string;
  }[];
  await engine.write((connection) => connection.execute(`alter database ${database?.name} set ${name} = '${value}'`));
  await expect(again().ping(1_000)).rejects.toThrow(says);
});

test('a range whose values the planner cannot see is planned once', async () => {
  const engine = await emptyDatabase();
  const things = ['one', 'two'].map((name, id) => [id, name]);
  await engine.write((connection) => connection.insertMany('things', ['id', 'name'], things, ''));
  const hidden = `with given as materialized (select $1::text as v1, $2::text as v2, $3::bigint[] as v3)
    select found.* from given cross join lateral
    (select id from things where name >= given.v1 and name < given.v2 and id = any(given.v3) order by id) as found`;
  const between = async (from: string, to: string): Promise<unknown> =>
    engine.read((connection) => rows(connection, hidden, from, to, [0, 1]), 'one query');
  expect(await between('o', 'p')).toEqual([{ id: 0 }]);
  expect(await between('p', 'z')).toEqual([{ id: 1 }]);
  expect(await between('a', 'z')).toEqual([{ id: 0 }, { id: 1 }]);
  const planned = await engine.read((connection) => rows(connection, 'select statement from pg_prepared_statements'));
  expect(planned).toEqual([{ statement: hidden }]);
});

test('bulk inserts of the same columns are planned once, however many rows they have', async () => {
  const engine = await emptyDatabase();
  const insert = async (...things: [number, string][]): Promise<unknown> =>
    engine.write((connection) => connection.insertMany('things', ['id', 'name'], things, ''));
  await insert([1, 'one']);
  await insert([2, 'two'], [3, 'three']);
  await insert([4, 'four']);
  const planned = await engine.read((connection) => rows(connection, 'select statement from pg_prepared_statements'));
  expect(planned).toEqual([{ statement: expect.stringContaining('insert into things') }]);
});

test.for(['one query', 'snapshot'] as const)('a read (%s) survives that its plan no longer fits', async (scope) => {
  const engine = await emptyDatabase(2);
  const read = async (): Promise<unknown[]> => engine.read((connection) => rows(connection, BY_ID, 1), scope);
  await engine.write((connection) => connection.insertMany('things', ['id', 'name'], [[1, 'one']], ''));
  for (let time = 0; time < 3; time++) await read();
  await engine.write((connection) => connection.execute('alter table things add column colour text'));
  expect(await read()).toEqual([{ id: 1, name: 'one', colour: null }]);
});

test('a write whose plan no longer fits is rolled back and says so, and the next one succeeds', async () => {
  const engine = await emptyDatabase();
  const write = async (name: string): Promise<unknown> =>
    engine.write(async (connection) => {
      await rows(connection, 'insert into things (id, name) values ($1, $2)', name.length, name);
      return rows(connection, BY_ID, 1);
    });
  await write('a');
  await write('be');
  await write('sea');
  await engine.write((connection) => connection.execute('alter table things add column colour text'));
  await expect(write('four')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  expect(await write('fifth')).toEqual([{ id: 1, name: 'a', colour: null }]);
  expect(await engine.read((connection) => rows(connection, 'select id from things order by id'))).toEqual(
    [1, 2, 3, 5].map((id) => ({ id })),
  );
});

test('behind a pooler that loses named statements, reads go on without them', async () => {
  const engine = await emptyDatabase();
  const read = async (): Promise<unknown[]> => engine.read((connection) => rows(connection, BY_ID, 1), 'one query');
  for (let time = 0; time < 3; time++) await read();
  await engine.read((connection) => connection.execute('deallocate all'));
  for (let time = 0; time < 3; time++) expect(await read()).toEqual([]);
  expect(await engine.read((connection) => rows(connection, 'select * from pg_prepared_statements'))).toEqual([]);
});

test('a read of one query refuses a second one', async () => {
  const engine = await emptyDatabase();
  const twice = async (connection: EngineConnection): Promise<unknown> => {
    await rows(connection, BY_ID, 1);
    return rows(connection, BY_ID, 2);
  };
  await expect(engine.read(twice, 'one query')).rejects.toThrow('second');
  await engine.read(twice);
});

test('queries of a read that are sent at once see one state', async () => {
  const engine = await emptyDatabase(3);
  const counts = await engine.read(async (connection) => {
    const asked = [1, 2, 3].map(() => rows(connection, 'select count(*) as n from things'));
    await Promise.all(asked);
    await engine.write((other) => other.insertMany('things', ['id'], [[1]], ''));
    return Promise.all([...asked, rows(connection, 'select count(*) as n from things')]);
  });
  expect(counts).toEqual(Array.from({ length: 4 }, () => [{ n: 0 }]));
});

test('a table that has grown much by an import is measured, and one that has not is left to the server', async () => {
  const engine = await emptyDatabase();
  const insert = async (from: number, count: number): Promise<unknown> =>
    engine.write((connection) =>
      connection.insertMany(
        'things',
        ['id'],
        Array.from({ length: count }, (_, index) => [from + index]),
        '',
      ),
    );
  const measured = async (): Promise<unknown> =>
    engine.read((connection) => rows(connection, `select reltuples::int as n from pg_class where relname = 'things'`));
  await insert(0, 999);
  expect(await measured()).toEqual([{ n: -1 }]);
  await insert(999, 9_001);
  await eventually(async () => expect(await measured()).toEqual([{ n: 10_000 }]));
  await insert(10_000, 2_000);
  await insert(12_000, 2_000);
  await eventually(async () => expect(await measured()).toEqual([{ n: 14_000 }]));
});

const TEXT = fc.oneof(
  fc.string(),
  fc.constantFrom('', 'NULL', 'null', '{}', '"', '\\', ',', ' a ', '\n', 'naïve €', '𝄞'),
);
const ROW = fc.tuple(
  fc.option(TEXT.map((text) => text.replaceAll('\0', ''))),
  fc.option(fc.maxSafeInteger()),
  fc.option(fc.uint8Array()),
);

test('rows that are inserted and updated in bulk come back as they were given', async () => {
  const engine = await emptyDatabase();
  await engine.write((connection) => connection.execute('alter table things add amount bigint, add bytes bytea'));
  const columns = ['name', 'amount', 'bytes'];
  const all = 'select name, amount, bytes from things order by id';
  const stored = async (): Promise<unknown[]> => engine.read((connection) => rows(connection, all));
  const expected = (given: readonly [string | null, number | null, Uint8Array | null][]): unknown[] =>
    given.map(([name, amount, bytes]) => ({ name, amount, bytes: bytes === null ? null : Buffer.from(bytes) }));
  await fc.assert(
    fc.asyncProperty(fc.array(ROW, { minLength: 1, maxLength: 5 }), async (given) => {
      const numbered = given.map((row, index) => [index, ...row]);
      const changed = given.toReversed();
      await engine.write(async (connection) => {
        await connection.execute('delete from things');
        await connection.insertMany('things', ['id', ...columns], numbered, '');
      });
      expect(await stored()).toEqual(expected(given));
      await engine.write((connection) =>
        connection.updateMany(
          'things',
          columns,
          changed.map((row, index) => [index, ...row]),
        ),
      );
      expect(await stored()).toEqual(expected(changed));
    }),
    { numRuns: 200 },
  );
});

test('a bulk update may name the id among its columns, as undo does', async () => {
  const engine = await emptyDatabase();
  await engine.write((connection) => connection.insertMany('things', ['id', 'name'], [[1, 'one']], ''));
  await engine.write((connection) => connection.updateMany('things', ['name', 'id'], [[1, 'two', 1]]));
  expect(await engine.read((connection) => rows(connection, BY_ID, 1))).toEqual([{ id: 1, name: 'two' }]);
});

test.for([
  'set statement_timeout = 50',
  'set lock_timeout = 50',
  `set default_transaction_isolation = 'repeatable read'`,
  'set default_transaction_isolation = serializable',
])('writers wait for their turn, and see what the one before wrote, on a server with %s', async (settings) => {
  const { engine, again } = await emptyServer(settings);
  const other = again();
  await engine.write((connection) => connection.insertMany('things', ['id', 'name'], [[1, '']], ''));
  const add = async (to: Engine, letter: string): Promise<void> =>
    to.write(async (connection) => {
      const [thing] = (await rows(connection, BY_ID, 1)) as [{ name: string }];
      await rows(connection, 'select pg_sleep(0.15)');
      await rows(connection, 'update things set name = $1 where id = 1', thing.name + letter);
    });
  await Promise.all([add(engine, 'a'), add(other, 'b')]);
  const [thing] = (await engine.read((connection) => rows(connection, BY_ID, 1))) as [{ name: string }];
  expect([...thing.name].toSorted()).toEqual(['a', 'b']);
});

test('a writer may think for longer than the server lets transactions be idle', async () => {
  const { engine, again } = await emptyServer('set idle_in_transaction_session_timeout = 50');
  const other = again();
  await engine.write(async (connection) => {
    await connection.insertMany('things', ['id'], [[1]], '');
    await other.read((elsewhere) => rows(elsewhere, 'select pg_sleep(0.15)'));
  });
  expect(await engine.read((connection) => rows(connection, 'select id from things'))).toEqual([{ id: 1 }]);
});

test('who runs holds back no VACUUM, whatever isolation level the server prefers', async () => {
  const { engine } = await emptyServer(`set default_transaction_isolation = 'repeatable read'`, 2);
  await engine.announceAlive('one');
  const held = `select backend_xmin is not null as "holdsBack" from pg_stat_activity
    where datname = current_database() and state = 'idle in transaction'`;
  expect(await engine.read((connection) => rows(connection, held))).toEqual([{ holdsBack: false }]);
});

test('a query that the server ends after its statement_timeout is answered with 503 and advice', async () => {
  const { engine } = await emptyServer('set statement_timeout = 50');
  const read = engine.read((connection) => rows(connection, 'select pg_sleep(1)'));
  await expect(read).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    message: expect.stringContaining('statement_timeout'),
  });
});
