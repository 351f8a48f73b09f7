import { z } from 'zod';

import { AnyId, QueryInstant, page, queryInteger, queryList } from '../../contract/common.ts';
import { defineOperation } from '../../contract/operation.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { exampleCsvResult, exampleImport, exampleImportSummary, examplePreview } from './import-examples.contract.ts';
import { CsvImportFields, Format } from './import-fields.contract.ts';
import { importFile } from './imports-door.contract.ts';
import { listImportRows, revertImport } from './past-imports.contract.ts';
import { CsvResult, Import, ImportStatus, ImportPreview, ImportSummary } from './import-records.contract.ts';
import { fileUpload, IMPORT_ERRORS, READING_ERRORS } from './import-upload.contract.ts';

const group = 'imports';

export const previewCsv = defineOperation({
  name: 'previewCsv',
  group,
  method: 'POST',
  path: '/api/v1/connections/csv/preview',
  scope: 'full_access',
  summary: 'Read a delimited bank file and show what an import of it would do; nothing is written',
  description:
    'Ambiguities, unreadable rows, a broken balance proof and conflicts are listed in `blockers`; an import with the ' +
    'same fields is refused with the first of them. What cannot be read as a table is an error here too.',
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
    'Up to 5,000 records are imported before the answer (201); larger files, or `Prefer: respond-async`, are answered ' +
    'with 202 once they have been read, and `Location` names the import to follow. `dry_run` answers the preview (200).',
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
  mcp: { tool: 'list_imports', title: 'List imports' },
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
  summary: 'Get one import; shows its progress while it runs',
  params: z.object({ id: AnyId }),
  response: Import,
  status: 200,
  errors: ['NOT_FOUND'],
  effect: 'read',
  weight: 'light',
  cli: { command: 'imports get' },
  example: { params: { id: 'Qm3x8ZpA' }, response: exampleImport },
});

export const operations = [previewCsv, importCsv, importFile, listImports, getImport, listImportRows, revertImport];
