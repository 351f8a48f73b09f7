import { shortIdFor } from '../../src/db/short-ids.ts';
import { toAccount } from '../../src/features/accounts/accounts.table.ts';
import { toUser } from '../../src/features/users/index.ts';
import type { WriteTx } from '../../src/journal/write.ts';
import { fold } from '../../src/kernel/fold.ts';
import type { Household, HouseholdConnection } from '../household.ts';
import { morningOf, recordCreation } from './record-creation.ts';

export interface WrittenMember {
  id: string;
  short_id: string;
  name: string;
}

export interface WrittenAccount {
  id: string;
  /** What its provider calls it; null for accounts kept by hand. */
  externalId: string | null;
  provider: HouseholdConnection['provider'];
  /** The member whose connection it has, who writes the comments. */
  member: WrittenMember;
}

interface WrittenConnection {
  id: string;
  short_id: string;
  provider: HouseholdConnection['provider'];
  institution_name: string;
  member: WrittenMember;
}

/** What a provider calls an item or account of the household. */
export function demoId(key: string): string {
  return `demo-${key}`;
}

/** Writes members, connections, accounts and their balances. Returns the accounts by key. */
export async function writeAccounts(tx: WriteTx, household: Household): Promise<Map<string, WrittenAccount>> {
  const members = await writeMembers(tx, household);
  const connections = await writeConnections(tx, household, members);
  const created = morningOf(household.since);
  const lastDay = household.balances.at(-1)?.date ?? household.since;
  const updated = morningOf(lastDay);
  const written = new Map<string, WrittenAccount>();
  for (const { key, connection: connectionKey, owner, is_excluded, ...account } of household.accounts) {
    const connection = mustGet(connections, connectionKey);
    const override = owner === null ? null : mustGet(members, owner);
    const externalId = connection.provider === 'csv' ? null : demoId(key);
    const row = {
      id: tx.ids.uuid(),
      short_id: await shortIdFor(tx, 'accounts'),
      connection_id: connection.id,
      provider: connection.provider,
      institution_name: connection.institution_name,
      external_id: externalId,
      persistent_external_id: null,
      ...account,
      balance_date: lastDay,
      balance_updated_at: updated,
      is_excluded: is_excluded ? (1 as const) : (0 as const),
      is_dependent_linked: 0 as const,
      is_dependent_by_hand: 0 as const,
      owner_user_id: override?.id ?? null,
      relinked_at: null,
      created_at: created,
      updated_at: updated,
      deleted_at: null,
    };
    await tx.q.insertInto('accounts').values(row).execute();
    const owners = {
      connection_short_id: connection.short_id,
      connection_status: 'active',
      connection_user_name: connection.member.name,
      user_short_id: connection.member.short_id,
      owner_short_id: override?.short_id ?? null,
      owner_user_name: (override ?? connection.member).name,
    };
    recordCreation(tx, 'account', toAccount({ ...row, ...owners }, undefined));
    written.set(key, { id: row.id, externalId, provider: connection.provider, member: connection.member });
  }
  await writeAccountAliases(tx, written, created, updated);
  await writeBalances(tx, household, written);
  return written;
}

async function writeMembers(tx: WriteTx, household: Household): Promise<Map<string, WrittenMember>> {
  const stamp = morningOf(household.since);
  const members = new Map<string, WrittenMember>();
  for (const { key, name, kind, email } of household.members) {
    const row = {
      id: tx.ids.uuid(),
      short_id: await shortIdFor(tx, 'users'),
      name,
      name_folded: fold(name),
      kind,
      email,
      created_at: stamp,
      updated_at: stamp,
    };
    await tx.q.insertInto('users').values(row).execute();
    recordCreation(tx, 'user', toUser(row));
    members.set(key, row);
  }
  return members;
}

async function writeConnections(
  tx: WriteTx,
  household: Household,
  members: ReadonlyMap<string, WrittenMember>,
): Promise<Map<string, WrittenConnection>> {
  const created = morningOf(household.since);
  const synced = morningOf(household.balances.at(-1)?.date ?? household.since);
  const connections = new Map<string, WrittenConnection>();
  for (const { key, member: memberKey, provider, institution_name, status } of household.connections) {
    const member = mustGet(members, memberKey);
    const row = {
      id: tx.ids.uuid(),
      short_id: await shortIdFor(tx, 'connections'),
      user_id: member.id,
      provider,
      institution_id: null,
      institution_name,
      external_id: provider === 'csv' ? null : demoId(key),
      status,
      paused: 0 as const,
      sync_interval_seconds: null,
      last_sync_at: provider === 'csv' ? null : synced,
      next_sync_at: null,
      error_code: null,
      error_message: null,
      consecutive_failures: 0,
      consent_expires_at: null,
      credentials: null,
      sync_position: null,
      created_at: created,
      updated_at: synced,
    };
    await tx.q.insertInto('connections').values(row).execute();
    recordCreation(tx, 'connection', {
      id: row.id,
      short_id: row.short_id,
      user_id: member.short_id,
      provider,
      institution_name,
      status,
      created_at: created,
      updated_at: synced,
    });
    connections.set(key, { id: row.id, short_id: row.short_id, provider, institution_name, member });
  }
  return connections;
}

async function writeAccountAliases(
  tx: WriteTx,
  accounts: ReadonlyMap<string, WrittenAccount>,
  firstSeen: string,
  lastSeen: string,
): Promise<void> {
  const named = [...accounts.values()].filter(({ externalId }) => externalId !== null);
  await tx.insertMany(
    'account_aliases',
    ['namespace', 'external_id', 'account_id', 'first_seen_at', 'last_seen_at'],
    named.map(({ provider, externalId, id }) => [provider, externalId, id, firstSeen, lastSeen]),
  );
}

async function writeBalances(
  tx: WriteTx,
  household: Household,
  accounts: ReadonlyMap<string, WrittenAccount>,
): Promise<void> {
  const byKey = new Map(household.accounts.map((account) => [account.key, account]));
  const lastDay = household.balances.at(-1)?.date;
  await tx.insertMany(
    'balance_snapshots',
    [
      'account_id',
      'date',
      'iso_currency_code',
      'balance_current_cents',
      'balance_available_cents',
      'balance_limit_cents',
      'source',
      'recorded_at',
    ],
    household.balances.map(({ account: key, date, balance_current_cents }) => {
      const account = mustGet(byKey, key);
      const written = mustGet(accounts, key);
      // Banks report the available balance only for today.
      const isLast = date === lastDay;
      return [
        written.id,
        date,
        account.iso_currency_code,
        balance_current_cents,
        isLast ? account.balance_available_cents : null,
        account.balance_limit_cents,
        written.provider === 'csv' ? 'import' : 'sync',
        morningOf(date),
      ];
    }),
  );
}

/** The value of a key to which the household refers, and which must therefore exist. */
function mustGet<T>(map: ReadonlyMap<string, T>, key: string): T {
  const value = map.get(key);
  if (value === undefined) throw new Error(`The household refers to ${key}, which is not in it.`);
  return value;
}
