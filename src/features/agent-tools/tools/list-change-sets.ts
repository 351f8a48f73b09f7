import { z } from 'zod';

import {
  Change,
  ChangeSet,
  getChangeSet,
  listChangeSets as operation,
} from '../../change-sets/change-sets.contract.ts';
import { refuseBeside } from '../parts/argument-pairs.ts';
import { Cursor } from '../../../contract/common.ts';
import { fieldsOf } from '../results/result-schema.ts';
import { callOperation, pick } from '../call-operation.ts';
import { CURSOR_ARGUMENT, defineReadTool } from '../tool.ts';

const SUMMARY = [
  'id',
  'created_at',
  'actor_type',
  'actor_name',
  'surface',
  'source',
  'action',
  'reason',
  'summary',
  'created_count',
  'updated_count',
  'deleted_count',
  'status',
  'revertible',
] as const;

export const listChangeSets = defineReadTool({
  name: 'list_change_sets',
  title: 'List change sets',
  description:
    'The journal, newest first: who changed what, how and why. from is inclusive, to is exclusive; a date means the ' +
    'whole UTC day. With change_set_id: that change set and a page of its changes, before and after.',
  scope: 'read_only',
  input: {
    change_set_id: z.string().optional(),
    transaction_id: z.string().optional(),
    actor_type: z.array(z.enum(['user', 'agent', 'system'])).optional(),
    surface: z.array(z.string()).optional(),
    source: z.array(z.string()).optional(),
    action: z.array(z.string()).optional(),
    workflow_run_id: z.string().optional(),
    import_id: z.string().optional(),
    from: z.string().optional(),
    to: z.string().optional(),
    limit: z.int().min(1).max(500).default(20),
    cursor: CURSOR_ARGUMENT.optional(),
  },
  output: {
    change_sets: z.array(fieldsOf(ChangeSet, SUMMARY)).optional(),
    change_set: ChangeSet.optional(),
    changes: z.array(Change).optional(),
    next_cursor: Cursor,
    has_more: z.boolean(),
  },
  operations: ['listChangeSets', 'getChangeSet'],
  examples: [
    { arguments: { actor_type: ['agent'] }, says: 'What did agents change?' },
    { arguments: { source: ['import'], limit: 5 }, says: 'What did the latest imports change?' },
  ],
  run: async (context, input) => {
    const { change_set_id: id, limit, cursor, ...filters } = input;
    refuseBeside('change_set_id', input, Object.keys(filters));
    if (id === undefined) {
      const { change_sets, next_cursor, has_more } = await callOperation(context, operation, {
        query: { ...filters, limit, cursor },
      });
      return { change_sets: change_sets.map((one) => pick(one, SUMMARY)), next_cursor, has_more };
    }
    const {
      changes,
      next_cursor,
      has_more,
      limit: _asked,
      ...set
    } = await callOperation(context, getChangeSet, {
      params: { id },
      query: { limit, cursor },
    });
    return { change_set: set, changes, next_cursor, has_more };
  },
});
