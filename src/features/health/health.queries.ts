import { sql } from 'kysely';

import { programVersion } from '../../db/migrate.ts';
import type { Database } from '../../db/unit-of-work.ts';

/** Whether the schema is exactly the one this program was written for. */
export async function isSchemaCurrent(database: Database): Promise<boolean> {
  return database.read(async (tx) => {
    const { rows } = await sql<{ version: number }>`select max(version) as version from schema_migrations`.execute(
      tx.q,
    );
    return rows[0]?.version === programVersion();
  });
}
