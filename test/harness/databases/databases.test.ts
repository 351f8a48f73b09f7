import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import pg from 'pg';
import { expect, test } from 'vitest';

import { createPostgresDatabase, temporaryDirectory } from './databases.ts';

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

test('a database is empty, speaks UTF-8 and finds trigrams of any letter', async () => {
  const database = await createPostgresDatabase();
  await query(database.url, 'create extension pg_trgm');
  expect(await query(database.url, `select lower('É') as lower, similarity('café', 'café') as same`)).toEqual([
    { lower: 'é', same: 1 },
  ]);
  expect(await query(database.url, `select word_similarity('über', 'taxi über alles') as found`)).toEqual([
    { found: 1 },
  ]);
  await database.drop();
  await expect(query(database.url, 'select 1')).rejects.toThrow('does not exist');
});

test('a database can have a collation in which order differs from that of bytes', async () => {
  const sorted = `select string_agg(x, '' order by x) as order from unnest(array['a','B','c']) as x`;
  const plain = await createPostgresDatabase();
  const english = await createPostgresDatabase({ icuLocale: 'en-US' });
  expect(await query(plain.url, sorted)).toEqual([{ order: 'Bac' }]);
  expect(await query(english.url, sorted)).toEqual([{ order: 'aBc' }]);
  await Promise.all([plain.drop(), english.drop()]);
});

test('a temporary directory is removed with its content', () => {
  const directory = temporaryDirectory();
  writeFileSync(join(directory.path, 'file'), 'x');
  directory.remove();
  expect(existsSync(directory.path)).toBe(false);
});
