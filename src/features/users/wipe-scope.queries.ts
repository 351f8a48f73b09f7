import { sql, type RawBuilder } from 'kysely';

import type {
  AccountsTable,
  ConnectionsTable,
  ImportProfilesTable,
  ImportsTable,
  UsersTable,
} from '../../db/schema.ts';
import type { BareWriteTx, ReadTx } from '../../db/unit-of-work.ts';

/** What a wipe erases, by UUID. */
export interface WipeScope {
  user: UsersTable;
  connectionIds: readonly string[];
  /** Connections that went with the last of their accounts: only the journal still knows them. */
  formerConnectionIds: readonly string[];
  accounts: readonly ErasedAccount[];
  accountIds: readonly string[];
  /** Finished, failed and running ones. */
  importIds: readonly string[];
  profileIds: readonly string[];
  /** Hosted links for the member, through which a bank could still come. */
  linkSessionIds: readonly string[];
}

export type ErasedAccount = Pick<AccountsTable, 'id' | 'short_id' | 'name' | 'display_name' | 'owner_user_id'>;

/** Everything that came through the member's own connections, in any status, deleted accounts included. */
export async function selectWipeScope(tx: ReadTx, user: UsersTable): Promise<WipeScope> {
  const connections = await tx.q.selectFrom('connections').select('id').where('user_id', '=', user.id).execute();
  const connectionIds = connections.map(({ id }) => id);
  const formerConnectionIds = await selectFormerConnections(tx, user);
  const accounts = await selectAccountsOf(tx, connectionIds, formerConnectionIds);
  const accountIds = accounts.map(({ id }) => id);
  const importIds = await selectImportsOf(tx, { user, connectionIds, accountIds });
  const profileIds = await selectProfilesOf(tx, accountIds, importIds);
  const links = await tx.q.selectFrom('link_sessions').select('id').where('user_id', '=', user.id).execute();
  const linkSessionIds = links.map(({ id }) => id);
  return { user, connectionIds, formerConnectionIds, accounts, accountIds, importIds, profileIds, linkSessionIds };
}

export function isEmpty({ connectionIds, accountIds, importIds, profileIds, linkSessionIds }: WipeScope): boolean {
  return [connectionIds, accountIds, importIds, profileIds, linkSessionIds].every(({ length }) => length === 0);
}

async function selectFormerConnections(tx: ReadTx, user: UsersTable): Promise<string[]> {
  const removed = await tx.q
    .selectFrom('changes')
    .select(['entity_id', 'before'])
    .where('entity_type', '=', 'connection')
    .where('operation', '=', 'delete')
    .execute();
  const own = removed.filter(({ before }) => fieldOf(before, 'user_id') === user.short_id);
  return [...new Set(own.flatMap(({ entity_id: id }) => (id === null ? [] : [id])))];
}

/** A deleted account has left its connection; the journal says which that was. */
async function selectAccountsOf(
  tx: ReadTx,
  connectionIds: readonly string[],
  formerConnectionIds: readonly string[],
): Promise<ErasedAccount[]> {
  const wanted = new Set([...connectionIds, ...formerConnectionIds]);
  const { rows } = await sql<ErasedAccount & { connection_id: string | null; before: string | null }>`
    select a.id, a.short_id, a.name, a.display_name, a.owner_user_id, a.connection_id, c.before
    from accounts a left join changes c on a.connection_id is null
      and c.entity_type = 'account' and c.entity_id = a.id and c.operation = 'delete'
    where a.connection_id is null or ${among(tx, 'a.connection_id', connectionIds)}
    order by a.id, c.change_set_id`.execute(tx.q);
  const found = new Map<string, ErasedAccount & { connectionId: unknown }>();
  for (const { connection_id, before, ...account } of rows) {
    found.set(account.id, { ...account, connectionId: connection_id ?? fieldOf(before, 'connection_id') });
  }
  return [...found.values()].flatMap(({ connectionId, ...account }) =>
    wanted.has(connectionId as string) ? [account] : [],
  );
}

function fieldOf(json: string | null, field: string): unknown {
  return json === null ? undefined : (JSON.parse(json) as Record<string, unknown>)[field];
}

/** An import goes when all accounts that it fed do. One that fed none is where its request said, else its member's. */
async function selectImportsOf(
  tx: ReadTx,
  { user, connectionIds, accountIds }: Pick<WipeScope, 'user' | 'connectionIds' | 'accountIds'>,
): Promise<string[]> {
  type Found = Pick<ImportsTable, 'id' | 'connection_id' | 'account_id'> & { fed: string | null };
  const { rows } = await sql<Found>`
    select i.id, i.connection_id, i.account_id, f.account_id as fed
    from imports i left join import_accounts f on f.import_id = i.id
    where i.user_id = ${user.id} or ${among(tx, 'i.connection_id', connectionIds)}
      or i.id in (select import_id from import_accounts
        where ${among(tx, 'import_accounts.account_id', accountIds)})`.execute(tx.q);
  const isErased = new Map<string, boolean>();
  const [accounts, connections] = [new Set(accountIds), new Set(connectionIds)];
  for (const { id, fed, account_id, connection_id } of rows) {
    const account = fed ?? account_id;
    const own = account === null ? connection_id === null || connections.has(connection_id) : accounts.has(account);
    isErased.set(id, (isErased.get(id) ?? true) && own);
  }
  return [...isErased].flatMap(([id, isOwn]) => (isOwn ? [id] : []));
}

async function selectProfilesOf(
  tx: ReadTx,
  accountIds: readonly string[],
  importIds: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from import_profiles
    where ${among(tx, 'account_id', accountIds)}
      or (account_id is null and ${among(tx, 'import_id', importIds)})`.execute(tx.q);
  return rows.map(({ id }) => id);
}

export async function countTransactionsOf(tx: ReadTx, accountIds: readonly string[]): Promise<number> {
  const { count } = await tx.q
    .selectFrom('transactions')
    .select((all) => all.fn.countAll<number | string>().as('count'))
    .where(among(tx, 'account_id', accountIds))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** What another member would lose: an account by owner override, or live transactions attributed to them. */
export interface SharedAccount {
  account: ErasedAccount;
  userName: string;
  /** 0 for an owner override. */
  transactionCount: number;
}

export async function selectShared(tx: ReadTx, { user, accounts, accountIds }: WipeScope): Promise<SharedAccount[]> {
  const { rows } = await sql<{ account_id: string; user_name: string; n: number | string }>`
    select accounts.id as account_id, users.name as user_name, 0 as n
    from accounts join users on users.id = accounts.owner_user_id
    where ${among(tx, 'accounts.id', accountIds)} and users.id <> ${user.id}
    union all
    select transactions.account_id, users.name, count(*)
    from transactions join users on users.id = transactions.attributed_user_id
    where ${among(tx, 'transactions.account_id', accountIds)} and users.id <> ${user.id}
      and transactions.deleted_at is null
    group by transactions.account_id, users.id, users.name`.execute(tx.q);
  const known = new Map(accounts.map((account) => [account.id, account]));
  return rows
    .map(({ account_id, user_name: userName, n }) => ({
      account: known.get(account_id) as ErasedAccount,
      userName,
      transactionCount: Number(n),
    }))
    .sort((a, b) => (a.account.id < b.account.id ? -1 : 1));
}

/** Whether a running import or sync belongs to the member. */
export async function isWorkRunning(tx: ReadTx, scope: WipeScope): Promise<boolean> {
  const imports = await tx.q.selectFrom('imports').select('id').where('status', '=', 'running').execute();
  if (imports.some(({ id }) => scope.importIds.includes(id))) return true;
  const syncs = await tx.q.selectFrom('sync_turns').select('connection_id').where('holder', 'is not', null).execute();
  return syncs.some(({ connection_id: id }) => scope.connectionIds.includes(id));
}

type StoredAccess = Pick<ConnectionsTable, 'id' | 'provider' | 'external_id' | 'credentials'>;

/** The connections among these whose access is stored. */
export async function selectCredentials(tx: ReadTx, connectionIds: readonly string[]): Promise<StoredAccess[]> {
  return tx.q
    .selectFrom('connections')
    .select(['id', 'provider', 'external_id', 'credentials'])
    .where(among(tx, 'id', connectionIds))
    .where('credentials', 'is not', null)
    .execute();
}

/** What a wipe leaves traces in, and others may share. */
export interface Wipe extends WipeScope {
  /** Entities by type whose changes the journal lists, besides transactions and their comments. */
  entityIds: Readonly<Record<string, readonly string[]>>;
  /** Change sets about erased rows, and their reverts. */
  changeSetIds: readonly string[];
  /** Imports that fed erased accounts and others. */
  sharedImportIds: readonly string[];
  /** Of the erased profiles, which are named after their accounts and may have helped to read files of others. */
  profileSlugs: readonly string[];
  /** What erased transactions refer to. */
  effectIds: readonly number[];
}

/** Must be called while everything is still there. */
export async function prepareWipe(tx: BareWriteTx, scope: WipeScope): Promise<Wipe> {
  const profiles = [...(await selectProfiles(tx, scope.profileIds)), ...(await selectFormerProfiles(tx, scope))];
  const entityIds = {
    account: scope.accountIds,
    connection: [...scope.connectionIds, ...scope.formerConnectionIds],
    import: scope.importIds,
    import_profile: profiles.map(({ id }) => id),
  };
  return {
    ...scope,
    entityIds,
    sharedImportIds: await selectSharedImports(tx, scope),
    profileSlugs: profiles.flatMap(({ slug }) => (typeof slug === 'string' ? [slug] : [])),
    changeSetIds: await selectChangeSetsAbout(tx, { ...scope, entityIds }),
    effectIds: await selectEffectsOf(tx, scope),
  };
}

async function selectEffectsOf(tx: ReadTx, { accountIds }: WipeScope): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select distinct creation_effects_id as id from transactions
    where ${among(tx, 'account_id', accountIds)} and creation_effects_id is not null`.execute(tx.q);
  return rows.map(({ id }) => id);
}

async function selectProfiles(tx: ReadTx, ids: readonly string[]): Promise<Pick<ImportProfilesTable, 'id' | 'slug'>[]> {
  return tx.q
    .selectFrom('import_profiles')
    .select(['id', 'slug'])
    .where(among(tx, 'id', ids))
    .execute();
}

/** Import profiles of erased accounts that people deleted. A change of some fields has no slug; the deletion has. */
async function selectFormerProfiles(tx: ReadTx, { accountIds }: WipeScope): Promise<{ id: string; slug: unknown }[]> {
  const changes = await tx.q
    .selectFrom('changes')
    .select(['entity_id', 'before', 'after'])
    .where('entity_type', '=', 'import_profile')
    .execute();
  const isAbout = (json: string | null): boolean => accountIds.some((id) => json?.includes(id));
  return changes.flatMap(({ entity_id: id, before, after }) =>
    id !== null && (isAbout(before) || isAbout(after)) ? [{ id, slug: fieldOf(before ?? after, 'slug') }] : [],
  );
}

async function selectSharedImports(tx: ReadTx, { accountIds, importIds }: WipeScope): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select distinct import_id as id from import_accounts
    where ${among(tx, 'account_id', accountIds)} and not ${among(tx, 'import_id', importIds)}`.execute(tx.q);
  return rows.map(({ id }) => id);
}

async function selectChangeSetsAbout(
  tx: ReadTx,
  wipe: Pick<Wipe, 'accountIds' | 'importIds' | 'entityIds'>,
): Promise<string[]> {
  const entities = Object.entries(wipe.entityIds).map(
    ([type, ids]) => sql`union select change_set_id from changes
      where entity_type = ${type} and ${among(tx, 'entity_id', ids)}`,
  );
  const { rows } = await sql<{ id: string }>`with recursive about (id) as (
      select id from (
        select change_set_id as id from changes where transaction_id in ${transactionsOf(tx, wipe)}
        ${sql.join(entities, sql` `)}
        union select created_change_set_id from transactions where ${among(tx, 'account_id', wipe.accountIds)}
        union select id from change_sets where ${among(tx, 'import_id', wipe.importIds)}) as direct
      union select s.id from change_sets s join about on s.reverts_change_set_id = about.id)
    select id from about where id is not null`.execute(tx.q);
  return rows.map(({ id }) => id);
}

/** The condition that a column is among these values. */
export function among(tx: ReadTx, column: string, values: readonly (string | number)[]): RawBuilder<boolean> {
  return tx.portable.inList(sql.ref(column), values);
}

/** A subquery with the ids of all transactions of the accounts. */
export function transactionsOf(tx: ReadTx, { accountIds }: Pick<Wipe, 'accountIds'>): RawBuilder<unknown> {
  return sql`(select id from transactions where ${among(tx, 'account_id', accountIds)})`;
}
