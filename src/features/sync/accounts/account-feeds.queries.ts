import { sql, type Selectable } from 'kysely';

import type { AccountFeedsTable, AccountsTable, ConnectionsTable } from '../../../db/schema.ts';
import type { BareWriteTx, ReadTx } from '../../../db/unit-of-work.ts';
import type { AccountCandidate } from '../../../engines/sync/accounts-plan.ts';

/** The bank's side of an account. */
export type AccountFeed = Selectable<AccountFeedsTable>;

/** External account id → account, of these ids of a provider. Deleted accounts are not found. */
export async function selectAccountAliases(
  tx: ReadTx,
  namespace: string,
  externalIds: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await sql<{ external_id: string; account_id: string }>`
    select l.external_id, l.account_id from account_aliases l join accounts a on a.id = l.account_id
    where l.namespace = ${namespace} and ${tx.portable.inList(sql.ref('l.external_id'), externalIds)}
      and a.deleted_at is null`.execute(tx.q);
  return new Map(rows.map(({ external_id: externalId, account_id: accountId }) => [externalId, accountId]));
}

export async function putAccountAlias(
  tx: BareWriteTx,
  namespace: string,
  externalId: string,
  accountId: string,
): Promise<void> {
  await tx.insertMany(
    'account_aliases',
    ['namespace', 'external_id', 'account_id', 'first_seen_at', 'last_seen_at'],
    [[namespace, externalId, accountId, tx.now, tx.now]],
    `on conflict (namespace, external_id) do update set account_id = excluded.account_id,
      last_seen_at = excluded.last_seen_at`,
  );
}

interface CandidateColumns {
  id: string;
  provider: string;
  institution_id: string | null;
  institution_name: string | null;
  persistent_external_id: string | null;
  name: string;
  official_name: string | null;
  type: string;
  subtype: string | null;
  mask: string | null;
  created_at: string;
  connection_id: string | null;
  fed_by: string | null;
}

/** Accounts that an account of this connection may be, reported under a new id (contract 30.8.1, rule 2). */
export async function selectCandidates(
  tx: ReadTx,
  connection: Pick<ConnectionsTable, 'id' | 'user_id'>,
): Promise<AccountCandidate[]> {
  const { rows } = await sql<CandidateColumns>`
    select a.id, coalesce(former.provider, a.provider) as provider, c.institution_id,
      coalesce(a.institution_name, c.institution_name) as institution_name, a.persistent_external_id, a.name,
      a.official_name, a.type, a.subtype, a.mask, a.created_at, a.connection_id, former.id as fed_by
    from accounts a
      left join account_feeds f on f.account_id = a.id
      left join connections former on former.id = f.connection_id and former.status = 'disconnected'
        and former.user_id = ${connection.user_id}
      left join connections c on c.id = coalesce(former.id, a.connection_id)
    where a.deleted_at is null and (a.connection_id = ${connection.id} or former.id is not null
      or (a.provider = 'csv' and coalesce(c.user_id, a.owner_user_id) = ${connection.user_id}))
    order by a.id`.execute(tx.q);
  return rows.map((row) => ({
    id: row.id,
    source: row.connection_id === connection.id ? 'same' : row.fed_by === null ? 'csv' : 'former',
    provider: row.provider,
    institution: { id: row.institution_id, name: row.institution_name },
    persistentId: row.persistent_external_id,
    name: row.name,
    officialName: row.official_name,
    type: row.type,
    subtype: row.subtype,
    mask: row.mask,
    createdAt: row.created_at,
  }));
}

export async function getAccounts(tx: ReadTx, ids: readonly string[]): Promise<Map<string, AccountsTable>> {
  const rows = await tx.q
    .selectFrom('accounts')
    .selectAll()
    .where(tx.portable.inList(sql.ref('id'), ids))
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** The feeds of a connection, by account. */
export async function selectFeeds(tx: ReadTx, connectionId: string): Promise<Map<string, AccountFeed>> {
  const rows = await tx.q
    .selectFrom('account_feeds')
    .innerJoin('accounts', 'accounts.id', 'account_feeds.account_id')
    .selectAll('account_feeds')
    .where('account_feeds.connection_id', '=', connectionId)
    .where('accounts.deleted_at', 'is', null)
    .execute();
  return new Map(rows.map((row) => [row.account_id, row]));
}

export async function findFeed(tx: ReadTx, accountId: string): Promise<AccountFeed | undefined> {
  return tx.q.selectFrom('account_feeds').selectAll().where('account_id', '=', accountId).executeTakeFirst();
}

export async function putFeed(tx: BareWriteTx, feed: AccountFeed): Promise<void> {
  const { account_id: _id, ...rest } = feed;
  await tx.q
    .insertInto('account_feeds')
    .values(feed)
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(rest))
    .execute();
}
