import { sql } from 'kysely';

import type { Database } from '../../src/db/unit-of-work.ts';

/** Names of the tables that hold rows of ours, the same on both engines; search indexes are left out. */
export async function tableNames(database: Database): Promise<string[]> {
  return database.read(async ({ q }) => {
    const query =
      database.engineName === 'sqlite'
        ? sql<{ name: string }>`select name from pragma_table_list where schema = 'main' and type = 'table'
            and name not like 'sqlite%'`
        : sql<{ name: string }>`select relname as name from pg_class
            where relnamespace = current_schema()::regnamespace and relkind = 'r'`;
    const { rows } = await query.execute(q);
    return rows.map((row) => row.name).sort();
  });
}

/** Every row of every table, as sorted JSON text: equal before and after means nothing was written. */
export async function allRows(database: Database, without: readonly string[] = []): Promise<Record<string, string[]>> {
  const names = (await tableNames(database)).filter((name) => !without.includes(name));
  return database.read(async ({ q }) => {
    const found: Record<string, string[]> = Object.fromEntries(names.map((name) => [name, []]));
    // Most tables are empty in most tests, and one query tells.
    const filled = sql.join(
      names.map((name) => sql`select ${sql.lit(name)} as name where exists (select 1 from ${sql.table(name)})`),
      sql` union all `,
    );
    for (const { name } of (await sql<{ name: string }>`${filled}`.execute(q)).rows) {
      const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(q);
      found[name] = rows.map((row) => JSON.stringify(row)).sort();
    }
    return found;
  });
}

/** Rows of one query, for what no answer of the service shows. */
export async function rowsOf<T = Record<string, unknown>>(database: Database, query: string): Promise<T[]> {
  return database.read(async ({ q }) => (await sql.raw<T>(query).execute(q)).rows);
}
