import { sql, type RawBuilder } from 'kysely';

/**
 * UUID of an account's effective owner: the override, else the owner of its connection (contract 10.1.3). For a
 * query that joins both tables under these names; attribution of a transaction comes before it.
 */
export function effectiveOwner(account = 'accounts', connection = 'connections'): RawBuilder<string | null> {
  const override = sql.ref(`${account}.owner_user_id`);
  return sql<string | null>`coalesce(${override}, ${sql.ref(`${connection}.user_id`)})`;
}
