import { readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { tableNames, rowsOf } from '../../test/harness/table-rows.ts';
import { forEachDatabase } from '../../test/harness/test-app.ts';
import { JOURNALED_TABLES, OWN_RECORD_TABLES } from '../journal/entities.ts';

/** Tables that no query of a feature names. */
const INTERNAL = ['schema_migrations'];
/** Columns that only one engine has, for its own search. */
const ENGINE_COLUMNS = ['texts.trigrams'];

forEachDatabase((database) => {
  test('has the tables and columns that the queries are typed with, and no others', async () => {
    const { database: db } = (await database.open()).app.instance;
    const found: Record<string, string[]> = {};
    for (const table of await tableNames(db)) {
      const query =
        db.engineName === 'sqlite'
          ? `select name from pragma_table_xinfo('${table}') where hidden <> 1`
          : `select column_name as name from information_schema.columns
             where table_schema = current_schema() and table_name = '${table}'`;
      const columns = (await rowsOf<{ name: string }>(db, query)).map(({ name }) => name);
      if (!isIndex(table)) found[table] = columns.filter((name) => !ENGINE_COLUMNS.includes(`${table}.${name}`)).sort();
    }
    for (const table of INTERNAL) delete found[table];
    expect(found).toEqual(typedTables());
  });

  test('says of every table whether the journal accounts for it', async () => {
    const { database: db } = (await database.open()).app.instance;
    const tables = (await tableNames(db)).filter((table) => !isIndex(table) && !INTERNAL.includes(table));
    const listed = (table: string): boolean => table in JOURNALED_TABLES !== OWN_RECORD_TABLES.has(table);
    expect(tables.filter((table) => !listed(table))).toEqual([]);
  });
});

/** Tables that a full-text index of SQLite keeps for itself. */
function isIndex(table: string): boolean {
  return table.startsWith('texts_trigrams');
}

/** The interface Schema of the schema files as data; types leave no trace at run time. */
function typedTables(): Record<string, string[]> {
  const files = [
    'schema.ts',
    'schema-identity.ts',
    'schema-imports.ts',
    'schema-journal.ts',
    'schema-rules.ts',
    'schema-sync.ts',
    'schema-totals.ts',
    'schema-agents.ts',
    'schema-workflows.ts',
  ];
  const source = files.map((file) => readFileSync(new URL(file, import.meta.url), 'utf8')).join('\n');
  const fields = (name: string): Map<string, string> => {
    const declared = new RegExp(`interface ${name} (?:extends Omit<(\\w+), '(\\w+)'> )?\\{([^}]*)\\}`).exec(source);
    const [, base, left, body = ''] = declared ?? [];
    const own = [...body.matchAll(/^ {2}(\w+): (.+);$/gm)].map((match) => [match[1] as string, match[2] as string]);
    const inherited = base === undefined ? [] : [...fields(base)].filter(([field]) => field !== left);
    return new Map([...inherited, ...own] as [string, string][]);
  };
  return Object.fromEntries([...fields('Schema')].map(([table, type]) => [table, [...fields(type).keys()].sort()]));
}
