import { sql } from 'kysely';

import type { ImportProfilesTable } from '../../db/schema.ts';
import { idColumn } from '../../db/short-ids.ts';
import type { BareWriteTx, ReadTx } from '../../db/unit-of-work.ts';

interface ProfileFilter {
  headerSignature?: string;
  accountId?: string;
}

/** The last used first, then by name. */
export async function selectProfiles(tx: ReadTx, filter: ProfileFilter = {}): Promise<ImportProfilesTable[]> {
  let query = tx.q.selectFrom('import_profiles').selectAll();
  if (filter.headerSignature !== undefined) query = query.where('header_signature', '=', filter.headerSignature);
  if (filter.accountId !== undefined) query = query.where('account_id', '=', filter.accountId);
  return query
    .orderBy(sql`coalesce(last_used_at, '')`, 'desc')
    .orderBy('name')
    .orderBy('slug')
    .execute();
}

/** Looks for a slug first, then a UUID or short_id. */
export async function findProfile(tx: ReadTx, named: string): Promise<ImportProfilesTable | undefined> {
  const by = (name: 'slug' | 'id' | 'short_id') =>
    tx.q.selectFrom('import_profiles').selectAll().where(name, '=', named).executeTakeFirst();
  const column = idColumn(named);
  return (await by('slug')) ?? (column && by(column));
}

/** The profile for a header and an account. A profile without an account matches null alone. */
export async function findProfileOf(
  tx: ReadTx,
  headerSignature: string,
  accountId: string | null,
): Promise<ImportProfilesTable | undefined> {
  return tx.q
    .selectFrom('import_profiles')
    .selectAll()
    .where('header_signature', '=', headerSignature)
    .where('account_id', accountId === null ? 'is' : '=', accountId)
    .executeTakeFirst();
}

export async function countProfiles(tx: ReadTx): Promise<number> {
  const row = await tx.q.selectFrom('import_profiles').select(tx.q.fn.countAll().as('n')).executeTakeFirst();
  return Number(row?.n ?? 0);
}

/** The remembered profile that has not been used for the longest time. */
export async function findLeastUsed(tx: ReadTx): Promise<ImportProfilesTable | undefined> {
  return tx.q
    .selectFrom('import_profiles')
    .selectAll()
    .where('import_id', 'is not', null)
    .orderBy(sql`coalesce(last_used_at, created_at)`)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
}

export async function insertProfile(tx: BareWriteTx, row: ImportProfilesTable): Promise<void> {
  await tx.q.insertInto('import_profiles').values(row).execute();
}

export async function updateProfile(tx: BareWriteTx, id: string, set: Partial<ImportProfilesTable>): Promise<void> {
  await tx.q.updateTable('import_profiles').set(set).where('id', '=', id).execute();
}

export async function deleteProfile(tx: BareWriteTx, id: string): Promise<void> {
  await tx.q.deleteFrom('import_profiles').where('id', '=', id).execute();
}

/** The UUID of an account by any form of its id. */
export async function findAccountId(tx: ReadTx, anyId: string): Promise<string | undefined> {
  const column = idColumn(anyId);
  if (column === undefined) return undefined;
  const accounts = tx.q.selectFrom('accounts').select('id').where('deleted_at', 'is', null);
  const row = await accounts.where(column, '=', anyId).executeTakeFirst();
  return row?.id;
}
