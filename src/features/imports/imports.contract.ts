import { z } from 'zod';

import { AnyId, Id, QueryInstant, page, queryInteger, queryList } from '../../contract/common.ts';
import { defineOperation, type Upload } from '../../contract/operation.ts';
import type { ErrorCode } from '../../kernel/errors.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { RevertBody, RevertResult, exampleRevertResult } from '../change-sets/change-sets.contract.ts';
import {
  exampleCsvResult,
  exampleImport,
  exampleImportRow,
  exampleImportSummary,
  examplePreview,
} from './import-examples.contract.ts';
import { CsvImportFields, Format, ImportFields, Outcome } from './import-fields.contract.ts';
import { CsvResult, Import, ImportRow, ImportStatus, ImportPreview, ImportSummary } from './import-records.contract.ts';

const group = 'imports';

/** How a bank file can be sent (36.3.1); its format does not depend on the declared media type. */
export const fileUpload: Upload = {
  part: 'file',
  base64Fields: ['csv_base64', 'csv_data', 'file_base64'],
  rawTypes: [
    'text/csv',
    'text/tab-separated-values',
    'text/plain',
    'application/octet-stream',
    'application/x-ofx',
    'application/vnd.intu.qfx',
    'application/qif',
    'application/xml',
    'text/xml',
  ],
  maxBytes: LIMITS.importFileBytes,
};

const READING_ERRORS: readonly ErrorCode[] = [
  'INVALID_BODY',
  'VALIDATION_ERROR',
  'INVALID_PARAMETER',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'EMPTY_FILE',
  'NOT_TEXT',
  'NO_HEADER',
  'NO_ROWS',
  'INVALID_FILE',
  'UNAVAILABLE',
];

export const IMPORT_ERRORS: readonly ErrorCode[] = [
  ...READING_ERRORS,
  'CONNECTION_DISCONNECTED',
  'CONFLICT',
  'ALREADY_IMPORTED',
  'WRONG_MAPPING',
  'INVALID_ROWS',
  'AMBIGUOUS_FORMAT',
  'BALANCE_MISMATCH',
];

export const previewCsv = defineOperation({
  name: 'previewCsv',
  group,
  method: 'POST',
  path: '/api/v1/connections/csv/preview',
  scope: 'full_access',
  summary: 'Preview the import of a delimited bank file',
  description:
    'Nothing is written. `blockers` lists ambiguities, unreadable rows, a broken balance proof and conflicts; an import ' +
    'with the same fields would be refused with the first of them. A file that is not a table is an error here too.',
  body: CsvImportFields,
  bodyOptional: true,
  upload: fileUpload,
  response: ImportPreview,
  status: 200,
  errors: READING_ERRORS,
  effect: 'background',
  weight: 'heavy',
  example: { response: examplePreview },
});

export const importCsv = defineOperation({
  name: 'importCsv',
  group,
  method: 'POST',
  path: '/api/v1/connections/csv/import',
  scope: 'full_access',
  summary: 'Import a delimited bank file',
  description:
    'Files of up to 5,000 records are imported before the response (201). Larger files, and requests with ' +
    '`Prefer: respond-async`, get 202 once the file has been read; `Location` is the import to follow. `dry_run` returns ' +
    'the preview (200) and writes nothing.',
  body: CsvImportFields,
  bodyOptional: true,
  upload: fileUpload,
  response: z.union([CsvResult, ImportPreview]),
  status: 201,
  alsoStatus: [200, 202],
  answers: { 200: ImportPreview, 201: CsvResult, 202: CsvResult },
  errors: IMPORT_ERRORS,
  effect: 'background',
  weight: 'heavy',
  example: { response: exampleCsvResult },
});

export const importFile = defineOperation({
  name: 'importFile',
  group,
  method: 'POST',
  path: '/api/v1/imports',
  scope: 'full_access',
  summary: 'Import a bank file of any format: CSV, OFX, QFX, QIF, CAMT.053 or MT940',
  description:
    'The format is detected from the content. Files of up to 5,000 records are imported before the response (201). ' +
    'Larger files, and requests with `Prefer: respond-async`, get 202 once the file has been read; `Location` is the ' +
    'import to follow. `dry_run` returns the preview (200) and writes nothing.',
  body: ImportFields,
  bodyOptional: true,
  upload: fileUpload,
  response: z.union([Import, ImportPreview]),
  status: 201,
  alsoStatus: [200, 202],
  answers: { 200: ImportPreview, 201: Import, 202: Import },
  errors: IMPORT_ERRORS,
  effect: 'background',
  weight: 'heavy',
  example: { response: exampleImport },
});

export const listImports = defineOperation({
  name: 'listImports',
  group,
  method: 'GET',
  path: '/api/v1/imports',
  scope: 'read_only',
  summary: 'List imports, newest first',
  query: z.object({
    limit: queryInteger(1, LIMITS.pageMax).default(LIMITS.pageDefault),
    cursor: z.string().optional(),
    account_id: AnyId.optional(),
    connection_id: AnyId.optional(),
    user_id: AnyId.optional(),
    status: queryList(ImportStatus).optional(),
    format: queryList(Format).optional(),
    from: QueryInstant.optional().meta({ description: 'Created at or after this instant' }),
    to: QueryInstant.optional().meta({ description: 'Created before this instant' }),
  }),
  response: page('imports', ImportSummary),
  status: 200,
  errors: ['INVALID_PARAMETER', 'INVALID_CURSOR'],
  effect: 'read',
  weight: 'light',
  cli: { command: 'imports list' },
  example: {
    query: { status: 'completed' },
    response: { imports: [exampleImportSummary], next_cursor: '', has_more: false, limit: 50 },
  },
});

export const getImport = defineOperation({
  name: 'getImport',
  group,
  method: 'GET',
  path: '/api/v1/imports/{id}',
  scope: 'read_only',
  summary: 'Get one import, with its progress while it runs',
  params: z.object({ id: AnyId }),
  response: Import,
  status: 200,
  errors: ['NOT_FOUND'],
  effect: 'read',
  weight: 'light',
  etag: true,
  cli: { command: 'imports get' },
  example: { params: { id: 'Qm3x8ZpA' }, response: exampleImport },
});

/** Why a record has its outcome: how it was matched, why it was left out, or what could not be read. */
const REASONS = [
  'SAME_FILE',
  'SAME_BANK_ID',
  'SAME_CONTENT',
  'SAME_AS_PROVIDER',
  'SIMILAR',
  'BROUGHT_BACK',
  'CHANGED_BY_BANK',
  'CURRENCY_FILLED',
  'POSTED',
  'RESTORED',
  'DELETED_BY_PERSON',
  'REPEATED_HEADER',
  'REPEATED_ROW',
  'NOT_A_ROW',
  'OPENING_BALANCE',
  'STATED_BALANCE',
  'PENDING',
  'STATUS_IGNORED',
  'OTHER_ACCOUNT',
  'EXCLUDED',
  'UNSUPPORTED_RECORD',
  'DATE_MISSING',
  'DATE_INVALID',
  'DATE_OUT_OF_RANGE',
  'AMOUNT_MISSING',
  'AMOUNT_INVALID',
  'AMOUNT_PRECISION',
  'AMOUNT_OUT_OF_RANGE',
  'DIRECTION_UNKNOWN',
  'CURRENCY_INVALID',
  'FIELD_COUNT',
];

export const listImportRows = defineOperation({
  name: 'listImportRows',
  group,
  method: 'GET',
  path: '/api/v1/imports/{id}/rows',
  scope: 'read_only',
  summary: 'List the outcome of every record of an import, ordered by line',
  description: 'Also works for reverted imports. While an import waits or runs, the list is empty.',
  params: z.object({ id: AnyId }),
  query: z.object({
    limit: queryInteger(1, LIMITS.pageMax).default(LIMITS.pageDefault),
    cursor: z.string().optional(),
    outcome: queryList(Outcome).optional(),
    reason: queryList(z.enum(REASONS, `must be one of ${REASONS.join(', ')}`).meta({ id: 'ImportReason' })).optional(),
  }),
  response: page('rows', ImportRow),
  status: 200,
  errors: ['NOT_FOUND', 'INVALID_PARAMETER', 'INVALID_CURSOR'],
  effect: 'read',
  weight: 'light',
  cli: { command: 'imports rows' },
  example: {
    params: { id: 'Qm3x8ZpA' },
    query: { outcome: 'duplicate' },
    response: { rows: [exampleImportRow], next_cursor: '', has_more: false, limit: 50 },
  },
});

export const revertImport = defineOperation({
  name: 'revertImport',
  group,
  method: 'POST',
  path: '/api/v1/imports/{id}/revert',
  scope: 'full_access',
  summary: 'Revert an import',
  description:
    'Deletes the transactions it added and restores those it changed, like reverting its change set. Transactions that ' +
    'people have worked on since are conflicts: `skip` keeps them, `force` deletes them too. A review alone is not a ' +
    'conflict: removing the tag needs-review, flagging, or confirming the category. Importing the file again restores ' +
    'the transactions with their ids.',
  params: z.object({ id: AnyId }),
  body: RevertBody,
  bodyOptional: true,
  response: RevertResult.extend({
    reverted_change_set_id: Id.nullable().meta({ description: 'null for an import that changed nothing itself' }),
    deleted_count: z.int().meta({ description: 'Transactions deleted' }),
    restored_count: z.int().meta({ description: 'Transactions restored, or returned to their previous values' }),
    kept_count: z.int().meta({ description: 'Transactions that stay because another import or a bank delivers them' }),
    import: Import,
  }),
  status: 200,
  errors: ['NOT_FOUND', 'CONFLICT', 'NOT_REVERTIBLE', 'ALREADY_REVERTED', 'REVERT_CONFLICT', 'VALIDATION_ERROR'],
  effect: 'write',
  weight: 'heavy',
  cli: { command: 'imports revert', confirm: true },
  example: {
    params: { id: 'Qm3x8ZpA' },
    body: { on_conflict: 'refuse' },
    response: {
      ...exampleRevertResult,
      deleted_count: 1,
      restored_count: 0,
      kept_count: 0,
      import: { ...exampleImport, status: 'reverted' },
    },
  },
});

export const operations = [previewCsv, importCsv, importFile, listImports, getImport, listImportRows, revertImport];
