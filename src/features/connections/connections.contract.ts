import { z } from 'zod';

import { AnyId, ConnectionStatus, Id, Instant, Provider, ShortId, UserRef } from '../../contract/common.ts';
import { defineOperation } from '../../contract/operation.ts';
import { exampleCsvResult } from '../imports/import-examples.contract.ts';
import { CsvImportFields, Flag, words } from '../imports/import-fields.contract.ts';
import { CsvResult, ImportPreview } from '../imports/import-records.contract.ts';
import { fileUpload, IMPORT_ERRORS } from '../imports/imports.contract.ts';

/** A link to a bank, or a group of accounts kept by bank files (30.1). */
export const Connection = z
  .object({
    id: Id,
    short_id: ShortId,
    user_id: UserRef,
    user_name: z.string(),
    provider: Provider,
    institution_name: z.string().nullable(),
    institution_id: z.string().nullable(),
    status: ConnectionStatus,
    paused: z.boolean(),
    sync_interval_seconds: z.int().nullable(),
    last_sync_at: Instant.nullable(),
    next_sync_at: Instant.nullable(),
    account_count: z.int(),
    error_code: z.string().nullable(),
    error_message: z.string().nullable(),
    consecutive_failures: z.int(),
    last_error_at: Instant.nullable(),
    consent_expires_at: Instant.nullable(),
    new_accounts_available: z.boolean(),
    created_at: Instant,
    updated_at: Instant,
  })
  .meta({ id: 'Connection' });

const exampleConnection = {
  id: exampleCsvResult.connection_id,
  short_id: 'c9KfT2xA',
  user_id: 'a1B2c3D4',
  user_name: 'Ana',
  provider: 'csv',
  institution_name: 'january',
  institution_id: null,
  status: 'active',
  paused: false,
  sync_interval_seconds: null,
  last_sync_at: '2026-04-26T06:00:00.100Z',
  next_sync_at: null,
  account_count: 1,
  error_code: null,
  error_message: null,
  consecutive_failures: 0,
  last_error_at: null,
  consent_expires_at: null,
  new_accounts_available: false,
  created_at: '2026-04-26T06:00:00.000Z',
  updated_at: '2026-04-26T06:00:00.000Z',
};

const ConnectionMade = Connection.extend(CsvResult.shape).meta({ id: 'ConnectionMade' });

export const createConnection = defineOperation({
  name: 'createConnection',
  group: 'connections',
  method: 'POST',
  path: '/api/v1/connections',
  scope: 'full_access',
  summary: 'Import a delimited bank file into a new or existing connection',
  description:
    'In JSON, all fields of the import, including `dry_run` and `prefer`, go inside `credentials`; in a form, they are ' +
    'form fields. The response is the connection with the result of the import (201), what is known before the file is ' +
    'written (202), or the preview if `dry_run` is true (200).',
  body: z.strictObject({
    provider: words(['csv']),
    user_id: AnyId.optional().meta({ description: 'Household member who will own a new connection' }),
    credentials: CsvImportFields.omit({ user_id: true }).meta({ id: 'CsvCredentials' }),
    allow_duplicate: Flag.default(false).meta({ description: 'Has no effect on bank files' }),
  }),
  upload: { ...fileUpload, rawTypes: [], wrapperField: 'credentials' },
  response: z.union([ConnectionMade, CsvResult, ImportPreview]),
  status: 201,
  alsoStatus: [200, 202],
  answers: { 200: ImportPreview, 201: ConnectionMade, 202: CsvResult },
  errors: IMPORT_ERRORS,
  effect: 'background',
  weight: 'heavy',
  example: { response: { ...exampleConnection, ...exampleCsvResult } },
});

export const operations = [createConnection];
