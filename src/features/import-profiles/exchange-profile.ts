import type { BareWriteTx } from '../../db/unit-of-work.ts';
import type { ImportProfilesTable } from '../../db/schema.ts';
import { deleteProfile, findProfile, findProfileOf, insertProfile, updateProfile } from './import-profiles.queries.ts';
import type { Exchanged } from './remember-profile.ts';

/**
 * Puts a profile back as it was before an import, or after it when that is reverted the other way. One that changed
 * meanwhile stays: it is never a conflict (36.11). Answers whether it was done.
 */
export async function exchangeProfile(tx: BareWriteTx, { before: from, after: to }: Exchanged): Promise<boolean> {
  const id = from?.id ?? to?.id;
  if (id === undefined) return false;
  const current = (await findProfile(tx, id)) ?? null;
  if (!isEqual(current, from)) return false;
  if (to === null) await deleteProfile(tx, id);
  else {
    const { header_signature: signature, account_id: accountId, slug } = to;
    const twin = signature === null ? undefined : await findProfileOf(tx, signature, accountId);
    const namesake = await findProfile(tx, slug);
    if ([twin, namesake].some((other) => other !== undefined && other.id !== id)) return false;
    if (current) await updateProfile(tx, id, to);
    else await insertProfile(tx, to);
  }
  return true;
}

function isEqual(one: ImportProfilesTable | null, other: ImportProfilesTable | null): boolean {
  if (one === null || other === null) return one === other;
  return Object.entries(one).every(([column, value]) => other[column as keyof ImportProfilesTable] === value);
}
