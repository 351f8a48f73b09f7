import { z } from 'zod';

import { Id, Sentence } from '../../../contract/common.ts';
import { Category, mergeCategory } from '../../categories/categories.contract.ts';
import { CounterpartyDetail, mergeCounterparties } from '../../counterparties/counterparties.contract.ts';
import { callOperation } from '../call-operation.ts';
import { answerOf } from '../results/result-schema.ts';
import { defineWriteTool } from '../tool.ts';

const DRY = 'Nothing was changed. To merge them, send the same arguments with dry_run false.';

export const mergeRecords = defineWriteTool({
  name: 'merge_records',
  title: 'Merge two counterparties or categories',
  description:
    'Moves everything of the record from_id to the record into_id: transactions and rules; of a category also children and ' +
    'counterparties. The other counterparty stays as a second name of this one; the other category is deleted, or archived if ' +
    'it is built in. dry_run (default true) only counts.',
  action: 'records.merge',
  isProposable: true,
  isIdempotent: true,
  weight: 'heavy',
  input: {
    kind: z.enum(['counterparty', 'category']),
    from_id: z.string().meta({ description: 'Id, or slug of a category: the one that goes' }),
    into_id: z.string().meta({ description: 'Id, or slug of a category: the one that stays' }),
    dry_run: z.boolean().default(true),
  },
  output: {
    kind: z.enum(['counterparty', 'category']),
    into: z.union([CounterpartyDetail, Category]),
    moved: z.union([answerOf(mergeCounterparties).shape.moved, answerOf(mergeCategory).shape.moved]),
    dry_run: z.boolean(),
    change_set_id: Id.nullable(),
    message: Sentence.nullable(),
  },
  operations: ['mergeCounterparties', 'mergeCategory'],
  examples: [
    {
      arguments: { kind: 'category', from_id: 'food_and_drink_coffee', into_id: 'food_and_drink_restaurant' },
      says: 'What would move if coffee shops were restaurants?',
    },
  ],
  run: async (context, { kind, from_id: from, into_id: into, dry_run }) => {
    const { journal } = context.tx;
    const params = { id: into };
    const message = dry_run ? DRY : null;
    if (kind === 'category') {
      const body = { from_category_id: from, dry_run };
      const argumentOf = { from_category_id: 'from_id' };
      const done = await callOperation(context, mergeCategory, { params, body, argumentOf });
      if (!dry_run) journal.refine({ action: 'category.merge' });
      const { category, moved, change_set_id } = done;
      return { kind, into: category, moved, dry_run, change_set_id, message };
    }
    const body = { from_counterparty_id: from, dry_run };
    const argumentOf = { from_counterparty_id: 'from_id' };
    const done = await callOperation(context, mergeCounterparties, { params, body, argumentOf });
    if (!dry_run) journal.refine({ action: 'counterparty.merge' });
    const { counterparty, moved, change_set_id } = done;
    return { kind, into: counterparty, moved, dry_run, change_set_id, message };
  },
});
