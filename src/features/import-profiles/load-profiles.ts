import type { ReadTx } from '../../db/unit-of-work.ts';
import type { StoredProfile } from '../../engines/imports/analysis.ts';
import { invalidParameter } from '../../kernel/errors.ts';
import { findProfile, selectProfiles } from './import-profiles.queries.ts';
import { toStored } from './import-profiles.table.ts';
import { isBuiltInSlug } from './profile-slug.ts';

/** Every remembered profile, the last used first. */
export async function loadProfiles(tx: ReadTx): Promise<StoredProfile[]> {
  return (await selectProfiles(tx)).map(toStored).filter((one) => one !== null);
}

/** The slug of the profile that a request names by any form of its id. @throws INVALID_PARAMETER */
export async function profileChoice(tx: ReadTx, named: string | undefined): Promise<string | undefined> {
  if (named === undefined || named === 'none' || isBuiltInSlug(named)) return named;
  const row = await findProfile(tx, named);
  if (!row) throw invalidParameter('profile', 'profile: there is no such profile. Send its slug, or none.');
  return row.slug;
}
