import type { z } from 'zod';

import type { ImportProfilesTable } from '../../db/schema.ts';
import type { ColumnChoice, ProfileSettings, StoredProfile } from '../../engines/imports/analysis.ts';
import type { BuiltInProfile } from '../../engines/imports/profiles/built-in-profiles.ts';
import { findColumn } from '../../engines/imports/columns/column-choice.ts';
import { IDS, json, recorded, reference, STAMPS, unjournaled } from '../../journal/columns.ts';
import { defineEntity } from '../../journal/entity.ts';
import type { ImportProfile } from './import-profiles.contract.ts';
import { findProfile, findProfileOf } from './import-profiles.queries.ts';

/**
 * What people save and delete is journaled here. What imports remember is not: it is reverted together with the import
 * (`remember-profile.ts`).
 */
export const importProfiles = defineEntity('import_profiles', {
  type: 'import_profile',
  columns: {
    ...IDS,
    slug: recorded,
    name: recorded,
    institution_name: recorded,
    format: recorded,
    header_signature: recorded,
    headers: json,
    account_id: reference('accounts', 'deleted_at'),
    settings: json,
    use_count: unjournaled,
    last_used_at: unjournaled,
    import_id: unjournaled,
    ...STAMPS,
  },
  undo: {
    unique: ['slug'],
    async findObstacle(tx, id, fields) {
      const current = await findProfile(tx, id);
      const { header_signature: signature, account_id: accountId } = { ...current, ...fields } as ImportProfilesTable;
      const twin = signature === null ? undefined : await findProfileOf(tx, signature, accountId);
      if (!twin || twin.id === id) return null;
      return {
        reason: 'exists',
        fields: ['header_signature', 'account_id'],
        message: `The profile ${twin.slug} now has the same header and account.`,
      };
    },
  },
});

type ProfileRecord = z.output<typeof ImportProfile>;

export function toProfile(row: ImportProfilesTable): ProfileRecord {
  return {
    id: row.id,
    short_id: row.short_id,
    slug: row.slug,
    name: row.name,
    institution_name: row.institution_name,
    built_in: false,
    strength: 'strong',
    format: row.format,
    header_signature: row.header_signature,
    headers: JSON.parse(row.headers) as string[],
    account_id: row.account_id,
    settings: JSON.parse(row.settings) as ProfileRecord['settings'],
    use_count: row.use_count,
    last_used_at: row.last_used_at,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}

/** A profile as the file reader uses it; null for one without a header. */
export function toStored(row: ImportProfilesTable): StoredProfile | null {
  if (row.header_signature === null) return null;
  const headers = JSON.parse(row.headers) as string[];
  return {
    id: row.id,
    slug: row.slug,
    name: row.name,
    institution_name: row.institution_name,
    header_signature: row.header_signature,
    account_id: row.account_id,
    isGeneral: row.import_id === null && row.account_id === null,
    headers,
    settings: byNumber(JSON.parse(row.settings) as ProfileSettings, headers),
  };
}

/** Files without a header have no column names, so the names that a person gave to columns become their numbers. */
function byNumber(settings: ProfileSettings, headers: readonly string[]): ProfileSettings {
  if (settings.has_header !== false || settings.column_mapping === undefined) return settings;
  const table = { headers, width: headers.length };
  const numbered = (one: number | string): number | string => findColumn(one, table) ?? one;
  const mapping = Object.entries(settings.column_mapping).map(([field, choice]): [string, ColumnChoice] => {
    if (choice === null) return [field, null];
    return [field, typeof choice === 'object' ? choice.map(numbered) : numbered(choice)];
  });
  return { ...settings, column_mapping: Object.fromEntries(mapping) };
}

export function toBuiltIn(profile: BuiltInProfile): ProfileRecord {
  const { slug, name, institution, strength, headers, columns, sign, feeMode, accountType } = profile;
  return {
    id: null,
    short_id: null,
    slug,
    name,
    institution_name: institution,
    built_in: true,
    strength,
    format: 'csv',
    header_signature: null,
    headers: (headers[0] ?? '').split('|').map((one) => one.replace(/^\[(.*)\]$/, '$1')),
    account_id: null,
    settings: {
      ...(headers.length === 0 ? { has_header: false } : {}),
      column_mapping: structuredClone(columns) as NonNullable<ProfileRecord['settings']['column_mapping']>,
      ...(sign === undefined ? {} : { sign }),
      ...(feeMode === undefined ? {} : { fee_mode: feeMode }),
      ...(accountType === undefined ? {} : { account_type: accountType[0], account_subtype: accountType[1] }),
    },
    use_count: 0,
    last_used_at: null,
    created_at: null,
    updated_at: null,
  };
}
