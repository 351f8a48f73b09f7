import type { ImportProfilesTable } from '../../db/schema.ts';
import { shortIdFor } from '../../db/short-ids.ts';
import type { BareWriteTx, ReadTx } from '../../db/unit-of-work.ts';
import type { ProfileSettings, StoredProfile } from '../../engines/imports/analysis.ts';
import { unknownId } from '../../kernel/errors.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { ProfileSettings as ProfileSettingsShape } from './import-profiles.contract.ts';
import { toStored } from './import-profiles.entity.ts';
import {
  countProfiles,
  deleteProfile,
  findLeastUsed,
  findProfile,
  findProfileOf,
  insertProfile,
  selectProfiles,
  updateProfile,
} from './import-profiles.queries.ts';
import { freeSlug, isBuiltInSlug } from './profile-slug.ts';

/** Every remembered profile, the last used first. */
export async function loadProfiles(tx: ReadTx): Promise<StoredProfile[]> {
  return (await selectProfiles(tx)).map(toStored).filter((one) => one !== null);
}

/** The slug of the profile that a request names by any form of its id. @throws INVALID_PARAMETER */
export async function profileChoice(tx: ReadTx, named: string | undefined): Promise<string | undefined> {
  if (named === undefined || named === 'none' || isBuiltInSlug(named)) return named;
  const row = await findProfile(tx, named);
  if (!row) throw unknownId('profile', 'import profile', named);
  return row.slug;
}

/** How an import read its file, for the next file with this header that goes to this account. */
interface ProfileToRemember {
  headerSignature: string;
  headers: readonly string[];
  /** Whether the file names its columns. If not, the names are made up and never replace known ones. */
  isNamed: boolean;
  accountId: string | null;
  institutionName: string | null;
  settings: ProfileSettings;
  /** The name that the caller gives to the profile. */
  wantedName: string | undefined;
  name: string;
  importId: string;
}

const ORDER = Object.keys(ProfileSettingsShape.shape) as (keyof ProfileSettings)[];

/** A profile before and after an import; null where there is none. */
export interface ProfileChange {
  before: ImportProfilesTable | null;
  after: ImportProfilesTable | null;
}

/** Settings that stay when a later file does not show them. */
const KEPT = [
  'account_type',
  'account_subtype',
  'iso_currency_code',
  'direction_values',
  'date_format',
  'decimal_separator',
  'sign',
  'fee_mode',
  'pending',
] as const;

/** Remembers how a file was read (36.12). This is reverted with the import, and is not a change of its own. */
export async function rememberProfile(tx: BareWriteTx, reading: ProfileToRemember): Promise<ProfileChange> {
  const known = await findProfileOf(tx, reading.headerSignature, reading.accountId);
  if (!known) return { before: null, after: await create(tx, reading) };
  const stored = JSON.parse(known.settings) as ProfileSettings;
  const kept = Object.fromEntries(KEPT.flatMap((key) => (stored[key] === undefined ? [] : [[key, stored[key]]])));
  const content = {
    name: reading.wantedName ?? known.name,
    headers: reading.isNamed ? JSON.stringify(reading.headers) : known.headers,
    settings: settingsText({ ...kept, ...reading.settings }),
  };
  const isChanged = Object.entries(content).some(([name, value]) => known[name as keyof typeof content] !== value);
  const set = {
    ...content,
    use_count: known.use_count + 1,
    last_used_at: tx.now,
    ...(isChanged ? { updated_at: tx.now } : {}),
  };
  await updateProfile(tx, known.id, set);
  return { before: known, after: { ...known, ...set } };
}

/** In the order of the contract, so that equal settings are equal texts. */
function settingsText(settings: ProfileSettings): string {
  const entries = ORDER.flatMap((key) => (settings[key] === undefined ? [] : [[key, settings[key]] as const]));
  return JSON.stringify(Object.fromEntries(entries));
}

async function create(tx: BareWriteTx, reading: ProfileToRemember): Promise<ImportProfilesTable> {
  await makeRoom(tx);
  const name = reading.wantedName ?? reading.name;
  const row: ImportProfilesTable = {
    id: tx.ids.uuid(),
    short_id: await shortIdFor(tx, 'import_profiles'),
    slug: await freeSlug(tx, name),
    name,
    institution_name: reading.institutionName,
    format: 'csv',
    header_signature: reading.headerSignature,
    headers: JSON.stringify(reading.headers),
    account_id: reading.accountId,
    settings: settingsText(reading.settings),
    use_count: 1,
    last_used_at: tx.now,
    import_id: reading.importId,
    created_at: tx.now,
    updated_at: tx.now,
  };
  await insertProfile(tx, row);
  return row;
}

/** At the limit, deletes the remembered profile that has not been used for the longest time (36.16). */
export async function makeRoom(tx: BareWriteTx): Promise<void> {
  if ((await countProfiles(tx)) < LIMITS.importProfiles) return;
  const oldest = await findLeastUsed(tx);
  if (oldest) await deleteProfile(tx, oldest.id);
}

/**
 * Turns a profile from what it was before a change into what it is after it; a revert swaps the two. A profile that has
 * changed since stays as it is, which is never a conflict (36.11). Returns whether the profile was changed.
 */
export async function applyProfileChange(
  tx: BareWriteTx,
  { before: from, after: to }: ProfileChange,
): Promise<boolean> {
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
