import { sql } from 'kysely';

import { programVersion } from '../../db/migrate.ts';
import type { ReadTx } from '../../db/unit-of-work.ts';

export interface Counts {
  users: number;
  logins: number;
  api_keys: number;
  connections: number;
  accounts: number;
  transactions: number;
}

/** No login with role admin exists (20.7). */
export async function isFirstRun(tx: ReadTx): Promise<boolean> {
  const admin = await tx.q.selectFrom('logins').select('id').where('role', '=', 'admin').executeTakeFirst();
  return admin === undefined;
}

export async function schemaState(tx: ReadTx): Promise<{ version: number; isCurrent: boolean }> {
  const { rows } = await sql<{ version: number }>`select max(version) as version from schema_migrations`.execute(tx.q);
  const version = rows[0]?.version ?? 0;
  return { version, isCurrent: version === programVersion() };
}

export async function countEverything(tx: ReadTx, now: string): Promise<Counts> {
  const { rows } = await sql<Counts>`select
    (select count(*) from users) as users,
    (select count(*) from logins) as logins,
    (select count(*) from api_keys where revoked_at is null and (expires_at is null or expires_at > ${now})) as api_keys,
    (select count(*) from connections where status <> 'disconnected') as connections,
    (select count(*) from accounts where deleted_at is null) as accounts,
    (select count(*) from transactions where deleted_at is null) as transactions`.execute(tx.q);
  return rows[0] as Counts;
}
