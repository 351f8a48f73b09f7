import { z } from 'zod';

import { revertImport as operation } from '../../imports/imports.contract.ts';
import { Sentence } from '../../../contract/common.ts';
import { answerOf } from '../results/result-schema.ts';
import { callOperation } from '../call-operation.ts';
import { REVERT_ARGUMENTS, revertAsAgent } from '../parts/revert-fields.ts';
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
  output: { ...answerOf(operation).shape, message: Sentence.nullable() },
  errors: ['REVERT_CONFLICT', 'NOT_REVERTIBLE', 'ALREADY_REVERTED', 'CONFLICT'],
  operations: ['revertImport'],
  examples: [{ arguments: { import_id: 'Qm3x8ZpA' }, says: 'What would undoing this import delete?' }],
  run: async (context, { import_id: id, dry_run, on_conflict }) =>
    revertAsAgent(dry_run, () => callOperation(context, operation, { params: { id }, body: { dry_run, on_conflict } })),
});
