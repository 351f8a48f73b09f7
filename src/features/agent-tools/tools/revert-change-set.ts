import { z } from 'zod';

import { revertChangeSet as operation } from '../../change-sets/change-sets.contract.ts';
import { Sentence } from '../../../contract/common.ts';
import { answerOf } from '../results/result-schema.ts';
import { callOperation } from '../call-operation.ts';
import { REVERT_ARGUMENTS, revertAsAgent } from '../parts/revert-fields.ts';
import { defineWriteTool } from '../tool.ts';

export const revertChangeSet = defineWriteTool({
  name: 'revert_change_set',
  title: 'Revert a change set',
  description:
    'Undoes everything that one write did, as a new change set. dry_run defaults to true: check the counts and ' +
    '`skipped` first. Anything changed since is a conflict: refuse (default) reverts nothing, skip leaves conflicts ' +
    'alone and reverts the rest. list_change_sets finds the id.',
  action: 'change_set.revert',
  isDestructive: true,
  isIdempotent: true,
  weight: 'heavy',
  input: { change_set_id: z.string(), ...REVERT_ARGUMENTS },
  output: { ...answerOf(operation).shape, message: Sentence.nullable() },
  errors: ['REVERT_CONFLICT', 'NOT_REVERTIBLE', 'ALREADY_REVERTED'],
  operations: ['revertChangeSet'],
  examples: [{ arguments: { change_set_id: 'Ch4nge5e' }, says: 'What would undoing this write change?' }],
  run: async (context, { change_set_id: id, dry_run, on_conflict }) =>
    revertAsAgent(dry_run, () => callOperation(context, operation, { params: { id }, body: { dry_run, on_conflict } })),
});
