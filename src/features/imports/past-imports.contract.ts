import { z } from 'zod';

import { AnyId, page, queryInteger, queryList } from '../../contract/common.ts';
import { defineOperation } from '../../contract/operation.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { RevertBody, RevertResult, exampleRevertResult } from '../change-sets/change-sets.contract.ts';
import { exampleImport, exampleImportRow } from './import-examples.contract.ts';
import { Outcome } from './import-fields.contract.ts';
import { Import, ImportRow } from './import-records.contract.ts';

/** What can be asked of an import afterwards: its records one by one (36.10), and to take it back (36.11). */

const group = 'imports';

/** Why a record has its outcome: how it was matched, why it was left out, or what could not be read in it. */
const REASONS = [
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
  'NOT_A_ROW',
  'OPENING_BALANCE',
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
  summary: 'List what became of every record of an import, by line',
  description: 'Also of an import that was taken back. While an import waits or runs the list is empty.',
  params: z.object({ id: AnyId }),
  query: z.object({
    limit: queryInteger(1, LIMITS.pageMax).default(LIMITS.pageDefault),
    cursor: z.string().optional(),
    outcome: queryList(Outcome).optional(),
    reason: queryList(z.enum(REASONS, `one of ${REASONS.join(', ')}`).meta({ id: 'ImportReason' })).optional(),
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
  summary: 'Take an import back: its rows go, and what it changed is as before',
  description:
    'The same as reverting the change set of the import. Rows that people worked on since are conflicts: skip leaves ' +
    'them, force takes them out with the rest. Having reviewed a row is none: its tag needs-review taken off, a flag, ' +
    'a category confirmed. Importing the file again brings the rows back under their ids.',
  params: z.object({ id: AnyId }),
  body: RevertBody,
  bodyOptional: true,
  response: RevertResult.extend({
    deleted_count: z.int().meta({ description: 'Rows taken out' }),
    restored_count: z.int().meta({ description: 'Rows that were put back, or have their former values again' }),
    import: Import,
  }),
  status: 200,
  errors: ['NOT_FOUND', 'CONFLICT', 'NOT_REVERTIBLE', 'ALREADY_REVERTED', 'REVERT_CONFLICT', 'VALIDATION_ERROR'],
  effect: 'write',
  weight: 'heavy',
  mcp: { tool: 'revert_import', title: 'Take an import back' },
  cli: { command: 'imports revert', confirm: true },
  example: {
    params: { id: 'Qm3x8ZpA' },
    body: { on_conflict: 'refuse' },
    response: {
      ...exampleRevertResult,
      deleted_count: 1,
      restored_count: 0,
      import: { ...exampleImport, status: 'reverted' },
    },
  },
});
