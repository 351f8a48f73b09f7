import { z } from 'zod';

import { revertImport as operation } from '../../imports/imports.contract.ts';
import { callOperation } from '../call-operation.ts';
import { ROW_TEXTS } from './list-imports.ts';
import { REVERT_ARGUMENTS, REVERT_RESULT, REVERT_TEXTS, revertAsAgent } from '../parts/revert-fields.ts';
import { defineWriteTool } from '../tool.ts';

export const revertImport = defineWriteTool({
  name: 'revert_import',
  title: 'Revert an import',
  description:
    'Deletes the transactions that an import added and restores those that it changed. dry_run defaults to true. ' +
    'Transactions that people have worked on since are conflicts: refuse (default) reverts nothing, skip keeps them. ' +
    'list_imports finds the id.',
  action: 'change_set.revert',
  isDestructive: true,
  isIdempotent: true,
  weight: 'heavy',
  input: { import_id: z.string(), ...REVERT_ARGUMENTS },
  output: { ...REVERT_RESULT, deleted_count: z.int(), restored_count: z.int(), import: z.looseObject({}) },
  untrusted: [
    ...REVERT_TEXTS,
    'import.file_name',
    'import.actor_name',
    'import.accounts[].file_value',
    'import.accounts[].account_name',
    'import.profile.name',
    'import.warnings[].message',
    'import.detection',
    'import.mapping',
    'import.unmatched_categories[].text',
    ...ROW_TEXTS.map((name) => `import.skipped_rows[].${name}`),
  ],
  errors: ['REVERT_CONFLICT', 'NOT_REVERTIBLE', 'ALREADY_REVERTED', 'CONFLICT'],
  operations: ['revertImport'],
  examples: [{ arguments: { import_id: 'Qm3x8ZpA' }, says: 'What would undoing this import delete?' }],
  run: async (context, { import_id: id, dry_run, on_conflict }) =>
    revertAsAgent(dry_run, () => callOperation(context, operation, { params: { id }, body: { dry_run, on_conflict } })),
});
