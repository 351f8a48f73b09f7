import pg from 'pg';

import { migrations } from '../../src/db/migrations/index.ts';
import { JOURNALED_TABLES, OWN_RECORD_TABLES } from '../../src/journal/entities.ts';

const TABLES = `select table_name from information_schema.tables
  where table_schema = 'public' and table_type = 'BASE TABLE' order by table_name`;
const OTHERS_OUT = `select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid()`;
/** Several times as fast as making a database; foreign keys wait because the order does not matter here. */
const WITHOUT_TRIGGERS = 'set session_replication_role = replica';

/** The tables of every engine; those named after them are indexes that only SQLite keeps as tables. */
const KNOWN_TABLES = [...Object.keys(JOURNALED_TABLES), ...OWN_RECORD_TABLES, 'schema_migrations']
  .filter((name) => !/^texts_(substrings|trigrams)$/.test(name))
  .sort()
  .join();

/** Takes every row out of a database, but no table; false when a test changed the schema. */
export async function emptied(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(OTHERS_OUT);
    const tables = (await client.query<{ table_name: string }>(TABLES)).rows.map((row) => row.table_name);
    if (tables.sort().join() !== KNOWN_TABLES) return false;
    const { rows: steps } = await client.query<{ version: string }>('select version from schema_migrations');
    if (steps.length !== migrations.length || steps.some(({ version }) => Number(version) > migrations.length))
      return false;
    const deletions = tables.filter((name) => name !== 'schema_migrations').map((name) => `delete from ${name}`);
    await client.query([WITHOUT_TRIGGERS, ...deletions].join(';'));
    return true;
  } finally {
    await client.end();
  }
}
