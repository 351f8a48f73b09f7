import { z } from 'zod';

import { validationError } from '../../../kernel/errors.ts';
import { restricts } from '../../transactions/filters.contract.ts';
import { bulkRecategorizeTransactions, Recategorized } from '../../transactions/transaction-bulk.contract.ts';
import { Id, Sentence } from '../../../contract/common.ts';
import { answerOf, fieldsOf } from '../results/result-schema.ts';
import { transactionFilters } from '../parts/transaction-filters.ts';
import { callOperation, pick } from '../call-operation.ts';
import { defineWriteTool } from '../tool.ts';

const SHOWN = 20;
const COUNTS = ['matched', 'updated', 'unchanged', 'skipped_manual', 'cleared'] as const;

export const bulkRecategorize = defineWriteTool({
  name: 'bulk_recategorize',
  title: 'Recategorize many transactions',
  description:
    'Sets one category on all transactions that match a filter; target_category_id null lets rules and the provider ' +
    'decide again. Categories that someone chose stay unless overwrite_manual is true. dry_run defaults to true: ' +
    'check `matched` and `changes`, then send dry_run false with expected_count. filter takes the filters of ' +
    'query_transactions, such as {"search": "corner cafe", "date_from": "2026-01-01"}.',
  action: 'transactions.bulk_recategorize',
  isProposable: true,
  isIdempotent: true,
  weight: 'heavy',
  input: {
    target_category_id: z.string().nullable().meta({ description: 'Id or slug, or null' }),
    filter: z.strictObject(transactionFilters),
    overwrite_manual: z.boolean().default(false),
    dry_run: z.boolean().default(true),
    expected_count: z.int().min(0).optional().meta({ description: 'Required when dry_run is false' }),
  },
  output: {
    ...fieldsOf(answerOf(bulkRecategorizeTransactions), COUNTS).shape,
    changes: z.array(Recategorized),
    dry_run: z.boolean(),
    change_set_id: Id.nullable(),
    message: Sentence.nullable(),
  },
  errors: ['CONFLICT'],
  operations: ['bulkRecategorizeTransactions'],
  examples: [
    {
      arguments: { target_category_id: 'food_and_drink_coffee', filter: { search: 'corner cafe' } },
      says: 'How many rows of the corner cafe would become coffee shops?',
    },
  ],
  run: async (context, { target_category_id, filter, overwrite_manual, dry_run, expected_count }) => {
    if (!restricts(filter)) {
      throw validationError('filter', 'filter: must contain at least one filter, such as search or account_id.');
    }
    if (!dry_run && expected_count === undefined) {
      const message = 'expected_count: is required when dry_run is false. A dry run says how many transactions match.';
      throw validationError('expected_count', message);
    }
    const body = { target_category_id, filter, overwrite_manual, dry_run, expected_count };
    const done = await callOperation(context, bulkRecategorizeTransactions, { body });
    const again = `Nothing was changed. To change these rows, send dry_run false and expected_count ${done.matched}.`;
    return {
      ...pick(done, COUNTS),
      changes: done.changes.slice(0, SHOWN),
      dry_run,
      change_set_id: done.change_set_id,
      message: dry_run ? again : null,
    };
  },
});
