import { CompiledQuery } from 'kysely';
import { expect, inject, onTestFinished, test } from 'vitest';
import pg from 'pg';

import { createPostgresDatabase } from '../../../test/harness/databases/databases.ts';
import type { Engine } from '../engine.ts';
import { openPostgres } from './postgres.ts';

const ALLOWED = 6;

/** A database of a role that may have few connections, and how to open it. */
async function fewConnections(): Promise<{ open: (size: number) => Engine; used: () => Promise<number> }> {
  const database = await createPostgresDatabase();
  const url = new URL(database.url);
  const name = url.pathname.slice(1);
  const admin = new pg.Client({ connectionString: inject('postgresUrl') });
  await admin.connect();
  await admin.query(`create role ${name} login connection limit ${ALLOWED}; alter database ${name} owner to ${name}`);
  url.username = name;
  const opened: Engine[] = [];
  onTestFinished(async () => {
    for (const engine of opened) await engine.close();
    await database.drop();
    await admin.query(`drop role ${name}`);
    await admin.end();
  });
  return {
    open(size) {
      const engine = openPostgres(url.href, size, () => undefined);
      opened.push(engine);
      return engine;
    },
    async used() {
      const asked = 'select count(*)::int as n from pg_stat_activity where usename = $1';
      return (await admin.query<{ n: number }>(asked, [name])).rows[0]?.n ?? 0;
    },
  };
}

const slow = (engine: Engine): Promise<unknown> =>
  engine.read((connection) => connection.executeQuery(CompiledQuery.raw('select pg_sleep(0.2)', [])));

test('where the server allows few connections, a burst of reads keeps none from the threads of imports', async () => {
  const { open } = await fewConnections();
  const main = open(10);
  await main.announceAlive('00000000-0000-0000-0000-000000000001');
  await Promise.all(Array.from({ length: 30 }, () => slow(main)));
  const thread = open(3);
  await thread.announceAlive('00000000-0000-0000-0000-000000000002');
  expect(await thread.isPresent('00000000-0000-0000-0000-000000000001')).toBe(true);
  await thread.write((connection) => connection.execute('create table things (id bigint primary key)'));
  const both = [main, thread].flatMap((engine) => Array.from({ length: 10 }, () => slow(engine)));
  await Promise.all(both);
});

test('a burst on several threads waits for connections instead of failing', async () => {
  const { open, used } = await fewConnections();
  const engines = [open(10), open(3), open(3), open(3)];
  await Promise.all(engines.flatMap((engine) => Array.from({ length: 10 }, () => slow(engine))));
  expect(await used()).toBeLessThanOrEqual(ALLOWED);
});
