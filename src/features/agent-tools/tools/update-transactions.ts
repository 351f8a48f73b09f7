import { z } from 'zod';

import { LIMITS } from '../../../kernel/limits.ts';
import { updateTransactions as operation } from '../../transactions/transaction-bulk.contract.ts';
import { answerOf } from '../results/result-schema.ts';
import { inForm } from '../arguments/argument.ts';
import { METADATA, TAGS } from '../arguments/forms.ts';
import { clearArgument, withCleared } from '../parts/clear.ts';
import { callOperation } from '../call-operation.ts';
import { inToolNames } from '../results/name-tools.ts';
import { defineWriteTool } from '../tool.ts';

const FEW = 25;
const anyId = z.string().nullable().optional();
const tags = inForm(z.array(z.unknown()), TAGS).optional();

// The operation judges the values; this only tells agents what there is.
const Operation = z.strictObject({
  transaction_id: z.string(),
  category_id: anyId,
  category_slug: anyId.meta({ description: 'null: deliberately none' }),
  reset_category: z.literal(true).optional(),
  counterparty_id: anyId,
  series_id: anyId,
  attributed_user_id: anyId,
  tags_to_add: tags.meta({ description: 'Slugs; unknown ones are created' }),
  tags_to_remove: tags,
  metadata_set: inForm(z.record(z.string(), z.unknown()), METADATA).optional(),
  metadata_unset: z.array(z.string()).optional(),
  flagged: z.boolean().optional(),
  comment: z.string().optional(),
  clear: clearArgument(['category', 'counterparty', 'series', 'attributed_user']),
});

const CLEARED = {
  category: ['category_id', 'category_slug'],
  counterparty: ['counterparty_id'],
  series: ['series_id'],
  attributed_user: ['attributed_user_id'],
};

export const updateTransactions = defineWriteTool({
  name: 'update_transactions',
  title: 'Update transactions',
  description:
    'Edits up to 500 transactions in one call: category, counterparty, series, owner, tags, metadata, flag, comment. ' +
    'Operations run in order. on_error abort (default) writes all or nothing; continue keeps what succeeded. Rules do not ' +
    'change what you set; reset_category hands the category back to them. A comment that you already made on the row ' +
    'within 24 hours is not added again.',
  action: 'transactions.update',
  isProposable: true,
  isIdempotent: true,
  weight: ({ body: { operations } }) =>
    operations.length > FEW || operations.some((one) => one.reset_category) ? 'heavy' : 'light',
  input: {
    operations: z.array(Operation).min(1).max(LIMITS.batchOperations),
    on_error: z.enum(['abort', 'continue']).default('abort'),
    dry_run: z.boolean().default(false),
  },
  output: answerOf(operation).shape,
  errors: ['BATCH_ABORTED'],
  operations: ['updateTransactions'],
  examples: [
    {
      arguments: {
        operations: [
          {
            transaction_id: 'Tx9kLm2P',
            category_slug: 'food_and_drink_coffee',
            tags_to_remove: ['needs-review'],
            comment: 'The corner cafe.',
          },
        ],
        reason: 'weekly review',
      },
      says: 'File a reviewed row under coffee shops and say why.',
    },
  ],
  run: async (context, { operations, on_error, dry_run }) => {
    const edits = operations.map(({ clear, ...edit }) => withCleared(edit, clear, CLEARED));
    const done = await callOperation(context, operation, { body: { operations: edits, on_error, dry_run } });
    return { ...done, results: inToolNames(done.results) };
  },
});
