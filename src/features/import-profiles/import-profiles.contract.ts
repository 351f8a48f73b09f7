import { z } from 'zod';

import { AnyId, Code, Id, Instant, name, QueryBoolean, ShortId, Slug, text } from '../../contract/common.ts';
import { describedAs } from '../../contract/described-as.ts';
import { defineOperation } from '../../contract/operation.ts';
import { LIMITS } from '../../kernel/limits.ts';
import {
  ColumnMapping,
  DecimalSeparator,
  Delimiter,
  DirectionValues,
  Encoding,
  FeeMode,
  PendingRows,
  Sign,
} from '../imports/import-fields.contract.ts';

export const PROFILE_SLUG = /^[a-z0-9][a-z0-9_-]{0,62}$/;

/** How files with one header are read (36.12); what is absent is detected for each file. */
export const ProfileSettings = z
  .strictObject({
    encoding: Encoding,
    delimiter: Delimiter,
    has_header: z.boolean(),
    column_mapping: ColumnMapping.meta({ description: 'Field → name of its column' }),
    date_format: text(100, 1),
    decimal_separator: DecimalSeparator,
    sign: Sign,
    has_debit_credit: z.boolean(),
    direction_values: DirectionValues,
    fee_mode: FeeMode,
    pending: PendingRows,
    account_type: text(50, 1),
    account_subtype: text(50, 1),
    iso_currency_code: z.string().regex(/^[A-Z]{3}$/, 'must be three upper-case letters, such as EUR'),
  })
  .partial()
  .meta({ id: 'ImportProfileSettings' });

export const ImportProfile = z
  .object({
    id: Id.nullable().meta({ description: 'null for built-in profiles' }),
    short_id: ShortId.nullable(),
    slug: Slug,
    name: z.string(),
    institution_name: z.string().nullable(),
    built_in: z.boolean(),
    strength: z.enum(['strong', 'weak']),
    format: Code,
    header_signature: z.string().nullable(),
    headers: z.array(z.string()),
    account_id: Id.nullable().meta({ description: 'Account that its files went to' }),
    settings: ProfileSettings,
    use_count: z.int(),
    last_used_at: Instant.nullable(),
    created_at: Instant.nullable(),
    updated_at: Instant.nullable(),
  })
  .meta({ id: 'ImportProfile' });

const example = {
  id: '019a8c5e-9a11-7a3b-9c41-5f2e8d7b6a91',
  short_id: 'Zk81mPq0',
  slug: 'ing-giro',
  name: 'ING Giro',
  institution_name: 'ING',
  built_in: false,
  strength: 'strong' as const,
  format: 'csv',
  header_signature: '5d0f8f0e5c2f1b7a4f0f6f4c1d1a6a2f0c6d3d6d8f3d1c6f7b8a9e0d1c2b3a4f',
  headers: ['Buchung', 'Betrag'],
  account_id: null,
  settings: {
    date_format: 'DD.MM.YYYY',
    decimal_separator: ',' as const,
    sign: 'positive_is_in' as const,
  },
  use_count: 3,
  last_used_at: '2026-02-01T08:00:00.000Z',
  created_at: '2026-01-01T08:00:00.000Z',
  updated_at: '2026-02-01T08:00:00.000Z',
};
const group = 'import-profiles';
const params = z.object({ id: AnyId.meta({ description: 'Slug, UUID or short_id' }) });

export const listImportProfiles = defineOperation({
  name: 'listImportProfiles',
  group,
  method: 'GET',
  path: '/api/v1/import-profiles',
  scope: 'read_only',
  summary: 'List import profiles',
  description:
    'A profile says how files with a certain header are read. Imports remember profiles, you can write your own, and ' +
    'profiles of known banks are built in.',
  query: z.object({
    built_in: describedAs(
      z.union([QueryBoolean, z.literal('all')], 'must be true, false or all').default(false),
      z.enum(['true', 'false', 'all']).default('false'),
    ).meta({ description: 'true: only built-in profiles; false: only the others; all: both' }),
    header_signature: z.string().max(64).optional(),
    account_id: AnyId.optional(),
  }),
  response: z.array(ImportProfile),
  status: 200,
  errors: ['INVALID_PARAMETER'],
  effect: 'read',
  weight: 'light',
  etag: true,
  cli: { command: 'import-profiles list' },
  example: { query: { built_in: 'false' }, response: [example] },
});

export const getImportProfile = defineOperation({
  name: 'getImportProfile',
  group,
  method: 'GET',
  path: '/api/v1/import-profiles/{id}',
  scope: 'read_only',
  summary: 'Get one import profile',
  params,
  response: ImportProfile,
  status: 200,
  errors: ['NOT_FOUND'],
  effect: 'read',
  weight: 'light',
  etag: true,
  beside: ['use_count', 'last_used_at'],
  cli: { command: 'import-profiles get' },
  example: { params: { id: 'ing-giro' }, response: example },
});

export const saveImportProfile = defineOperation({
  name: 'saveImportProfile',
  group,
  method: 'PUT',
  path: '/api/v1/import-profiles/{id}',
  scope: 'full_access',
  summary: 'Create or replace an import profile',
  description:
    'Fields that are left out return to their defaults, except the headers of an existing profile, which stay.',
  params,
  body: z.strictObject({
    name: name().optional().meta({ description: 'Derived from the slug if omitted' }),
    institution_name: name().nullable().default(null),
    headers: z
      .array(text(LIMITS.importFieldBytes))
      .min(1, 'must have at least one column')
      .max(LIMITS.importColumns)
      .optional()
      .meta({
        description:
          'Column names in file order; required for a new profile. The profile is used for files with this header',
      }),
    account_id: AnyId.nullable()
      .default(null)
      .meta({ description: 'If set, the profile is preferred only for this account' }),
    settings: ProfileSettings.default({}),
  }),
  response: ImportProfile,
  status: 200,
  alsoStatus: [201],
  errors: ['NOT_FOUND', 'CONFLICT', 'VALIDATION_ERROR', 'INVALID_PARAMETER'],
  effect: 'write',
  weight: 'light',
  cli: { command: 'import-profiles save' },
  example: {
    params: { id: 'ing-giro' },
    body: { name: example.name, institution_name: 'ING', headers: example.headers, settings: example.settings },
    response: example,
  },
});

export const deleteImportProfile = defineOperation({
  name: 'deleteImportProfile',
  group,
  method: 'DELETE',
  path: '/api/v1/import-profiles/{id}',
  scope: 'full_access',
  summary: 'Delete an import profile',
  description: 'Transactions do not change.',
  params,
  response: null,
  status: 204,
  errors: ['NOT_FOUND', 'CONFLICT'],
  effect: 'write',
  weight: 'light',
  cli: { command: 'import-profiles delete', confirm: true },
  example: { params: { id: 'ing-giro' }, response: null },
});

export const operations = [listImportProfiles, getImportProfile, saveImportProfile, deleteImportProfile];
