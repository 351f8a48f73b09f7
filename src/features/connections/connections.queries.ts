import type { ConnectionsTable } from '../../db/schema.ts';
import type { ReadTx } from '../../db/unit-of-work.ts';

/** A connection with its member, and how many accounts it has. */
export type ConnectionRow = ConnectionsTable & {
  user_short_id: string;
  user_name: string;
  account_count: number | string;
};

export async function findConnectionRow(tx: ReadTx, id: string): Promise<ConnectionRow | undefined> {
  return tx.q
    .selectFrom('connections')
    .innerJoin('users', 'users.id', 'connections.user_id')
    .selectAll('connections')
    .select(['users.short_id as user_short_id', 'users.name as user_name'])
    .select((row) =>
      row
        .selectFrom('accounts')
        .select((account) => account.fn.countAll().$castTo<number | string>().as('n'))
        .whereRef('accounts.connection_id', '=', 'connections.id')
        .where('accounts.deleted_at', 'is', null)
        .as('account_count'),
    )
    .where('connections.id', '=', id)
    .$castTo<ConnectionRow>()
    .executeTakeFirst();
}
