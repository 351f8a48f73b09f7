import pg from 'pg';
import { beforeEach, expect, onTestFinished, test } from 'vitest';

import { createPostgresDatabase } from './databases.ts';
import { keepRows, rewindable, type RewindableDatabase } from './rewindable-database.ts';

const ROWS = 3_000;

let content: RewindableDatabase;
let url: string;

beforeEach(async () => {
  const database = await createPostgresDatabase();
  url = database.url;
  await query(`create table houses (id int primary key, name text, upper text generated always as (upper(name)) stored);
    create table rooms (house int references houses, n int);
    insert into houses values (1, 'a'), (2, 'b')`);
  await keepRows(url);
  content = await rewindable(url);
  return async () => {
    await content.close();
    await database.drop();
  };
});

async function query(sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

async function everything(): Promise<unknown> {
  const [houses, rooms] = ['houses', 'rooms'].map((name) => query(`select * from ${name} order by 1, 2`));
  return { houses: await houses, rooms: await rooms };
}

test('every row is as it was at first, however often rows were added, changed and deleted', async () => {
  const start = await everything();
  expect(start).toMatchObject({ houses: [{ id: 1, upper: 'A' }, { id: 2 }], rooms: [] });
  for (const times of [1, 2]) {
    await query(`insert into rooms select 1, n from generate_series(1, ${ROWS * times}) as n`);
    await query(`update houses set name = 'c' where id = 1; delete from houses where id = 2`);
    expect(await content.rewind()).toBe(true);
    expect(await everything()).toEqual(start);
  }
  expect(await query(`select pg_relation_size('rooms')::int as size`)).toEqual([{ size: 0 }]);
});

test.each([
  ['a changed row', `update houses set name = 'c' where id = 1`],
  ['a missing row', 'delete from houses where id = 2'],
  ['a replaced row', `delete from houses where id = 2; insert into houses values (3, 'b')`],
  ['a row of a savepoint', `begin; savepoint a; update houses set name = 'c' where id = 1; release a; commit`],
  ['an added row', 'insert into rooms values (1, 1)'],
  ['an added and a missing row', `insert into houses values (3, 'c'); delete from houses where id = 1`],
  ['an added and a changed row', `insert into houses values (3, 'c'); update houses set name = 'c' where id = 1`],
])('%s is noticed, whatever the other tables say', async (_what, change) => {
  const start = await everything();
  for (let i = 0; i < 2; i++) {
    await query(change);
    expect(await content.rewind()).toBe(true);
    expect(await everything()).toEqual(start);
  }
});

test('rows that nothing touched stay where they are beside those that were added', async () => {
  const places = () => query('select ctid, id from houses order by id');
  const start = await places();
  for (let i = 0; i < 2; i++) {
    await query(`insert into houses values (3, 'b'), (4, 'd')`);
    expect(await content.rewind()).toBe(true);
    expect(await places()).toEqual(start);
  }
});

test('a connection that still holds a row is closed', async () => {
  const holder = new pg.Client({ connectionString: url });
  const thrownOut = new Promise((resolve) => holder.on('error', resolve));
  await holder.connect();
  onTestFinished(async () => holder.end().catch(() => undefined));
  await holder.query('begin; delete from houses');
  expect(await content.rewind()).toBe(true);
  await thrownOut;
  expect(await query('select id from houses order by id')).toEqual([{ id: 1 }, { id: 2 }]);
});

test('a changed schema is not rewound; one whose change was rolled back is', async () => {
  await query('begin; create index by_name on houses (name); rollback');
  expect(await content.rewind()).toBe(true);
  for (const change of ['create index by_name on houses (name)', 'alter table rooms rename column n to size']) {
    await query(change);
    expect([change, await content.rewind()]).toEqual([change, false]);
  }
});
