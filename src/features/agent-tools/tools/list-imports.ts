import { z } from 'zod';

import type { OutputOf } from '../../../contract/operation.ts';
import { getImport, listImportRows, listImports as operation } from '../../imports/imports.contract.ts';
import { refuseBeside, refuseUnless } from '../parts/argument-pairs.ts';
import { Import, ImportRow, ImportSummary } from '../../imports/import-records.contract.ts';
import { Cursor } from '../../../contract/common.ts';
import { fieldsOf } from '../results/result-schema.ts';
import { callOperation, pick } from '../call-operation.ts';
import { CURSOR_ARGUMENT, defineReadTool } from '../tool.ts';

const SUMMARY = [
  'id',
  'status',
  'format',
  'file_name',
  'account_id',
  'counts',
  'first_date',
  'last_date',
  'created_at',
] as const;
const DETAILS = ['totals', 'balance_proof', 'warnings', 'error', 'change_set_id'] as const;
const ImportListed = fieldsOf(ImportSummary, SUMMARY).extend({ proof: ImportSummary.shape.balance_proof.shape.status });

export const listImports = defineReadTool({
  name: 'list_imports',
  title: 'List imports',
  description:
    'Imports of bank files, newest first, with their counts and whether the balances in the file confirm them. With ' +
    'import_id: that import and a page of its rows; outcome narrows them, for example to ["invalid"].',
  scope: 'read_only',
  input: {
    import_id: z.string().optional(),
    outcome: z.array(z.enum(['added', 'updated', 'duplicate', 'deleted', 'skipped', 'invalid'])).optional(),
    account_id: z.string().optional(),
    status: z.array(z.string()).optional(),
    from: z.string().optional(),
    to: z.string().optional(),
    limit: z.int().min(1).max(500).default(20),
    cursor: CURSOR_ARGUMENT.optional(),
  },
  output: {
    imports: z.array(ImportListed).optional(),
    import: ImportListed.extend(fieldsOf(Import, DETAILS).shape).optional(),
    rows: z.array(ImportRow).optional(),
    next_cursor: Cursor,
    has_more: z.boolean(),
  },
  operations: ['listImports', 'getImport', 'listImportRows'],
  examples: [{ arguments: { limit: 5 }, says: 'Which files were imported last?' }],
  run: async (context, input) => {
    const { import_id: id, outcome, limit, cursor, ...filters } = input;
    refuseUnless(id !== undefined, input, ['outcome'], 'import_id');
    refuseBeside('import_id', input, Object.keys(filters));
    if (id === undefined) {
      const { imports, next_cursor, has_more } = await callOperation(context, operation, {
        query: { ...filters, limit, cursor },
      });
      return { imports: imports.map(summaryOf), next_cursor, has_more };
    }
    const found = await callOperation(context, getImport, { params: { id } });
    const { rows, next_cursor, has_more } = await callOperation(context, listImportRows, {
      params: { id },
      query: { outcome, limit, cursor },
    });
    return { import: { ...summaryOf(found), ...pick(found, DETAILS) }, rows, next_cursor, has_more };
  },
});

type Summary = OutputOf<typeof operation>['imports'][number];

function summaryOf(record: Summary): object {
  return { ...pick(record, SUMMARY), proof: record.balance_proof.status };
}
