import { sql } from 'kysely';
import { expect, test } from 'vitest';

import { rowsOf } from '../../test/harness/table-rows.ts';
import { sampleLedger } from '../../test/harness/ledgers/sample-ledger.ts';
import { forEachDatabase, type TestApp } from '../../test/harness/test-app.ts';
import type { Database } from './unit-of-work.ts';

interface Reference {
  table: string;
  column: string;
  type: 'TEXT' | 'INTEGER';
  parent: string;
}

/** SQLite knows the references as they are declared, so its list says what both databases have to check. */
const DECLARED = `select t.name as "table", c.name as "column", c.type, f."table" as parent
  from pragma_table_list t join pragma_foreign_key_list(t.name) f join pragma_table_info(t.name) c
  where t.schema = 'main' and c.name = f."from" order by 1, 2`;

/** PostgreSQL: references with a constraint of their own, and those that a trigger checks for a whole statement. */
const CONSTRAINED = `select conrelid::regclass::text || '.' || attname as reference from pg_constraint
  join pg_attribute on attrelid = conrelid and attnum = any(conkey) where contype = 'f'`;
const CHECKS = `select p.proname as name, p.prosrc as source, c.relname as "table" from pg_trigger t
  join pg_proc p on p.oid = t.tgfoid join pg_class c on c.oid = t.tgrelid where not t.tgisinternal`;

const declared: Reference[] = [];

forEachDatabase((database) => {
  test('no row can refer to a row that does not exist', async () => {
    const app = await filledLedger(await database.open());
    const { database: db } = app.app.instance;
    if (db.engineName === 'sqlite') declared.push(...(await rowsOf<Reference>(db, DECLARED)));
    let tried = 0;
    for (const reference of declared) {
      if (!(await hasRows(db, reference.table))) continue;
      tried += 1;
      const { table, column, type } = reference;
      const unknown = type === 'INTEGER' ? '-1' : `'unknown'`;
      const update = `update ${table} set ${column} = ${unknown}
        where coalesce(cast(${column} as text), '') = (select max(coalesce(cast(${column} as text), '')) from ${table})`;
      await expect(written(app, update), `${table}.${column}`).rejects.toThrow(
        /FOREIGN KEY|foreign key|refers to a row/,
      );
    }
    expect(tried).toBeGreaterThan(30);
  });

  test('a row that others refer to cannot be deleted', async () => {
    const app = await filledLedger(await database.open());
    for (const [table, column, parent] of [
      ['transactions', 'account_id', 'accounts'],
      ['transactions', 'category_id', 'categories'],
      ['transactions', 'name_text_id', 'texts'],
      ['transaction_tags', 'tag_id', 'tags'],
      ['transaction_tags', 'transaction_id', 'transactions'],
      ['transaction_origins', 'transaction_id', 'transactions'],
      ['import_rows', 'import_id', 'imports'],
      ['changes', 'change_set_id', 'change_sets'],
    ] as const) {
      const deletion = `delete from ${parent} where id in (select ${column} from ${table})`;
      await expect(written(app, deletion), `${table}.${column}`).rejects.toThrow(
        /FOREIGN KEY|foreign key|refers to it/,
      );
    }
  });
});

forEachDatabase(
  (database) => {
    test('every reference is checked from both sides', async () => {
      const { database: db } = (await database.open()).app.instance;
      const constrained = new Set((await rowsOf<{ reference: string }>(db, CONSTRAINED)).map((row) => row.reference));
      const checks = await rowsOf<{ name: string; source: string; table: string }>(db, CHECKS);
      const missing: string[] = [];
      for (const { table, column, parent } of declared) {
        if (constrained.has(`${table}.${column}`)) continue;
        const written = `(select 1 from ${parent} p where p.id = r.${column}) is null`;
        const writes = checks.filter((check) => check.table === table && check.source.includes(written));
        const deleted = `old_rows o join ${table} r on r.${column} = o.id`;
        const deletions = checks.filter((check) => check.table === parent && check.source.includes(deleted));
        // One trigger for inserts and one for updates.
        if (writes.length !== 2 || deletions.length !== 1) missing.push(`${table}.${column}`);
      }
      expect(declared.length).toBeGreaterThan(30);
      expect(missing).toEqual([]);
    });
  },
  ['PostgreSQL'],
);

const FILE = 'Date,Description,Amount,Transaction ID\n2026-03-01,Corner Cafe,-4.50,a1\n2026-03-02,Bakery,-3.20,a2\n';

/** Rows by hand, by a file and with tags. */
async function filledLedger(app: TestApp): Promise<TestApp> {
  const { ana } = await sampleLedger(app);
  const imported = await app.request('POST', '/api/v1/connections/csv/import', {
    query: { user_id: ana.id, account_name: 'Card', iso_currency_code: 'USD' },
    body: FILE,
    headers: { 'content-type': 'text/csv' },
  });
  expect(imported.json.import.counts.added).toBe(2);
  return app;
}

async function hasRows(db: Database, table: string): Promise<boolean> {
  return (await rowsOf(db, `select 1 from ${table} limit 1`)).length > 0;
}

async function written(app: TestApp, statement: string): Promise<unknown> {
  return app.write('test', (tx) => sql.raw(statement).execute(tx.q));
}
