import { shortIdFor } from '../../db/short-ids.ts';
import type { ImportProfilesTable } from '../../db/schema.ts';
import type { BareWriteTx } from '../../db/unit-of-work.ts';
import type { ProfileSettings } from '../../engines/imports/analysis.ts';
import { LIMITS } from '../../kernel/limits.ts';
import {
  countProfiles,
  deleteProfile,
  findLeastUsed,
  findProfileOf,
  insertProfile,
  updateProfile,
} from './import-profiles.queries.ts';
import { ProfileSettings as ProfileSettingsShape } from './import-profiles.contract.ts';
import { freeSlug } from './profile-slug.ts';

/** How an import read its file, to be used for the next one of this header and account. */
export interface Reading {
  headerSignature: string;
  headers: readonly string[];
  /** Whether the file names its columns; else the names are made up, and no better than those known. */
  isNamed: boolean;
  accountId: string | null;
  institutionName: string | null;
  settings: ProfileSettings;
  /** As the caller wants the profile called. */
  wantedName: string | undefined;
  name: string;
  importId: string;
}

const ORDER = Object.keys(ProfileSettingsShape.shape) as (keyof ProfileSettings)[];

/** A profile before an import and after it; null where there is none. */
export interface Exchanged {
  before: ImportProfilesTable | null;
  after: ImportProfilesTable | null;
}

/** Settings that a file need not show again: using a profile keeps them unless the file shows others. */
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

/** Remembers how a file was read (36.12). It is the import's own trace, and no change of the ledger. */
export async function rememberProfile(tx: BareWriteTx, reading: Reading): Promise<Exchanged> {
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

/** In the order of their contract, so that the same settings are the same text. */
function settingsText(settings: ProfileSettings): string {
  const entries = ORDER.flatMap((key) => (settings[key] === undefined ? [] : [[key, settings[key]] as const]));
  return JSON.stringify(Object.fromEntries(entries));
}

async function create(tx: BareWriteTx, reading: Reading): Promise<ImportProfilesTable> {
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

/** Of the remembered profiles the one not used for longest makes room for another (36.16). */
export async function makeRoom(tx: BareWriteTx): Promise<void> {
  if ((await countProfiles(tx)) < LIMITS.importProfiles) return;
  const oldest = await findLeastUsed(tx);
  if (oldest) await deleteProfile(tx, oldest.id);
}
