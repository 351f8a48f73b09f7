import { z } from 'zod';

import { Code, Failure, Id, InstantInput, name, text, Total } from '../../contract/common.ts';
import { describedAs, exactlyOne } from '../../contract/described-as.ts';
import { defineOperation } from '../../contract/operation.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { BodyFilter } from './filters.contract.ts';
import { MetadataMap } from './metadata.contract.ts';
import { exampleTransaction } from './transaction-record.contract.ts';

const write = { group: 'transactions', method: 'POST', scope: 'full_access', effect: 'write' } as const;
const FEW = 25;

// What identifies nothing is an INVALID_PARAMETER, even when it is too long to be an id.
const anyName = text(LIMITS.jsonBodyBytes);
const categoryFields = {
  category_id: anyName
    .nullable()
    .optional()
    .meta({ description: 'UUID, short_id or slug; null for deliberately none' }),
  category_slug: anyName.nullable().optional().meta({ description: 'Slug; null for deliberately none' }),
};
const dryRun = z.boolean().default(false).meta({ description: 'Only report what would change' });
const changeSetId = Id.nullable().meta({ description: 'null if nothing changed' });

function ids(max: number) {
  return z
    .array(anyName)
    .min(1, 'must have at least one transaction')
    .max(max, `must have at most ${max} transactions`);
}

const TAG_NAME = /^([a-z0-9]([a-z0-9:-]{0,62}[a-z0-9])?|[0-9A-Za-z]{8})$/;
const TagName = z.string().regex(TAG_NAME, 'must be a slug such as vacation-2026, or the id of a tag');
const AnyTag = z
  .union([TagName, z.strictObject({ slug: TagName })])
  .transform((tag) => (typeof tag === 'string' ? tag : tag.slug));
/** Tags by slug or id. */
export const TagList = z
  .array(describedAs(AnyTag, TagName))
  .max(LIMITS.batchTags, `must have at most ${LIMITS.batchTags} tags`)
  .optional();

const actions = {
  ...categoryFields,
  reset_category: z.literal(true).optional().meta({ description: 'Let the rules and the provider decide again' }),
  counterparty_id: anyName.nullable().optional().meta({ description: 'Replaces the current one; null for none' }),
  series_id: anyName.nullable().optional().meta({ description: 'Replaces the current one; null for none' }),
  attributed_user_id: anyName.nullable().optional().meta({ description: 'Household member; null for none' }),
  tags_to_add: TagList.meta({ description: 'Slugs, or objects with a slug; a tag that does not exist is created' }),
  tags_to_remove: TagList.meta({ description: 'Slugs, or objects with a slug' }),
  metadata_set: MetadataMap.optional(),
  metadata_unset: z.array(anyName).optional(),
  flagged: z.boolean().optional(),
  comment: name(LIMITS.commentChars).optional(),
};
const ACTION_NAMES = Object.keys(actions) as (keyof typeof actions)[];
const Actions = z.strictObject(actions);
/** What an operation does to one transaction. */
export type Actions = z.output<typeof Actions>;

/** Refuses actions of which there are none, or which contradict each other. `more`: what else can be a change. */
function checkActions(asked: Actions, context: z.RefinementCtx, more: readonly string[] = []): void {
  const refuse = (field: string, message: string): void => {
    context.addIssue({ code: 'custom', path: [field], message });
  };
  const given = ACTION_NAMES.filter((field) => asked[field] !== undefined);
  if (given.length === 0) {
    const names = [...ACTION_NAMES, ...more].join(', ');
    context.addIssue({ code: 'custom', message: `contains no change. Send at least one of ${names}` });
  }
  const [, second] = given.filter((field) => field.includes('category'));
  if (second !== undefined) refuse(second, 'send only one of category_id, category_slug and reset_category');
  const bothTags = asked.tags_to_remove?.find((tag) => asked.tags_to_add?.includes(tag));
  if (bothTags !== undefined) refuse('tags_to_remove', `${bothTags} is in both lists. Send it in one of them`);
  const { metadata_set: set = {}, metadata_unset: unset = [] } = asked;
  if (unset.some((key) => Object.hasOwn(set, key))) {
    refuse('metadata_unset', 'a key is both set and unset. Send it in one of them');
  }
}

export const UpdateOperation = z
  .strictObject({
    transaction_id: anyName.meta({ description: 'UUID or short_id' }),
    expected_updated_at: InstantInput.optional().meta({
      description: 'Refused with PRECONDITION_FAILED if the `updated_at` of the stored transaction is another',
    }),
    ...actions,
  })
  .meta({
    id: 'TransactionUpdate',
    description: 'At least one change, and at most one of category_id, category_slug and reset_category',
  })
  .superRefine((operation, context) => checkActions(operation, context));
export type UpdateOperation = z.output<typeof UpdateOperation>;

export const UpdateResult = z
  .object({
    index: z.int(),
    transaction_id: z.string().meta({ description: 'As sent' }),
    status: z
      .enum(['ok', 'error', 'rolled_back'])
      .meta({ description: 'rolled_back: undone because another operation failed' }),
    changed: z.boolean(),
    error: Failure.nullable(),
  })
  .meta({ id: 'TransactionUpdateResult' });
export type UpdateResult = z.output<typeof UpdateResult>;

export const updateTransactions = defineOperation({
  ...write,
  name: 'updateTransactions',
  path: '/api/v1/transactions/update',
  summary: 'Edit up to 500 transactions in one change set',
  description:
    'Operations run in order, and each sees the effects of earlier ones. If an operation fails because of stored data, ' +
    '`abort` writes nothing and returns 422 BATCH_ABORTED with all results, and `continue` keeps the operations that succeeded.',
  body: z.strictObject({
    operations: z
      .array(UpdateOperation)
      .min(1, 'must have at least one operation')
      .max(LIMITS.batchOperations, `must have at most ${LIMITS.batchOperations} operations`),
    on_error: z.enum(['abort', 'continue']).default('abort'),
    dry_run: dryRun,
  }),
  response: z.object({
    results: z.array(UpdateResult),
    succeeded: z.int(),
    failed: z.int(),
    dry_run: z.boolean(),
    change_set_id: changeSetId,
  }),
  status: 200,
  errors: ['VALIDATION_ERROR', 'BATCH_ABORTED'],
  weight: ({ body: { operations } }) =>
    operations.length > FEW || operations.some((one) => one.reset_category) ? 'heavy' : 'light',
  cli: { command: 'transactions batch' },
  example: {
    body: {
      operations: [
        { transaction_id: 'Tx9kLm2P', category_slug: 'food_and_drink_coffee', tags_to_add: ['vacation-2026'] },
        { transaction_id: 'zzzzzzzz', flagged: true },
      ],
      on_error: 'continue',
    },
    response: {
      results: [
        { index: 0, transaction_id: 'Tx9kLm2P', status: 'ok', changed: true, error: null },
        {
          index: 1,
          transaction_id: 'zzzzzzzz',
          status: 'error',
          changed: false,
          error: { code: 'NOT_FOUND', message: 'The transaction "zzzzzzzz" was not found.' },
        },
      ],
      succeeded: 1,
      failed: 1,
      dry_run: false,
      change_set_id: '019a8c61-aa00-7111-8222-333344445555',
    },
  },
});

const BatchCategorize = z.strictObject({
  transaction_ids: ids(LIMITS.batchOperations),
  ...categoryFields,
  dry_run: dryRun,
});

export const batchCategorizeTransactions = defineOperation({
  ...write,
  name: 'batchCategorizeTransactions',
  path: '/api/v1/transactions/batch-categorize',
  summary: 'Set one category on up to 500 transactions, all or none',
  body: exactlyOne(
    BatchCategorize.refine(
      (body) => (body.category_id === undefined) !== (body.category_slug === undefined),
      'Send exactly one of category_id and category_slug.',
    ),
    BatchCategorize,
    ['category_id', 'category_slug'],
    'BatchCategorize',
  ),
  response: z.object({
    category_id: Id.nullable(),
    updated: z.int(),
    unchanged: z.int(),
    dry_run: z.boolean(),
    change_set_id: changeSetId,
  }),
  status: 200,
  errors: ['VALIDATION_ERROR', 'INVALID_PARAMETER'],
  weight: ({ body }) => (body.transaction_ids.length > FEW ? 'heavy' : 'light'),
  example: {
    body: { transaction_ids: ['Tx9kLm2P'], category_id: 'food_and_drink_coffee' },
    response: {
      category_id: '019a8c5d-0001-7000-8000-000000000035',
      updated: 1,
      unchanged: 0,
      dry_run: false,
      change_set_id: '019a8c61-aa00-7111-8222-333344445555',
    },
  },
});

export const Recategorized = z
  .object({
    transaction_id: Id,
    from_category_id: Id.nullable(),
    to_category_id: Id.nullable(),
    category_source: Code.nullable(),
    rule_id: Id.nullable().meta({ description: 'The rule that decided' }),
  })
  .meta({ id: 'RecategorizedTransaction' });
export type Recategorized = z.output<typeof Recategorized>;

const SELECTORS = ['filter', 'transaction_ids', 'all'] as const;
const selectors = {
  filter: BodyFilter.optional(),
  transaction_ids: ids(LIMITS.bulkTransactions).optional(),
  all: z.literal(true).optional(),
  expected_count: z
    .int()
    .min(0)
    .optional()
    .meta({ description: 'The request is refused if a different number of transactions matches' }),
};
const Selection = z.object(selectors);
/** Which transactions a bulk write is about, and how many the caller expects. */
export type Selection = z.output<typeof Selection>;
const SELECT = 'Select the transactions with exactly one of `filter`, `transaction_ids` and `all`.';

/** A body of a bulk write, which needs exactly one selector. */
function withSelector<Shape extends typeof selectors>(form: z.ZodObject<Shape, z.core.$strict>, id: string) {
  const refined = form.refine(
    (body) => SELECTORS.filter((field) => (body as Selection)[field] !== undefined).length === 1,
    'Send exactly one of filter, transaction_ids and all.',
  );
  return exactlyOne(refined, form, [...SELECTORS], id);
}

const BulkRecategorize = z.strictObject({
  ...selectors,
  target_category_id: anyName
    .nullable()
    .default(null)
    .meta({ description: 'UUID, short_id or slug; null to re-run the rules and the provider mapping' }),
  overwrite_manual: z.boolean().default(false).meta({ description: 'Also change categories that someone set by hand' }),
  dry_run: dryRun,
});

export const bulkRecategorizeTransactions = defineOperation({
  ...write,
  name: 'bulkRecategorizeTransactions',
  path: '/api/v1/transactions/bulk-recategorize',
  summary: 'Set one category on many transactions, or re-run the rules on them',
  description: SELECT,
  body: withSelector(BulkRecategorize, 'BulkRecategorize'),
  response: z.object({
    matched: z.int(),
    updated: z.int(),
    unchanged: z.int(),
    skipped_manual: z.int(),
    cleared: z.int().meta({ description: 'Updated transactions that now have no category' }),
    by_source: z.object({ rule: z.int(), provider: z.int(), none: z.int(), explicit: z.int() }),
    changes: z
      .array(Recategorized)
      .meta({ description: `The ${LIMITS.bulkChangesListed} newest of the updated transactions` }),
    changes_truncated: z.boolean(),
    dry_run: z.boolean(),
    change_set_id: changeSetId,
  }),
  status: 200,
  errors: ['VALIDATION_ERROR', 'INVALID_PARAMETER', 'CONFLICT'],
  weight: 'heavy',
  cli: { command: 'transactions recategorize', confirm: true },
  example: {
    body: { filter: { search: 'corner cafe' }, target_category_id: 'food_and_drink_coffee', expected_count: 1 },
    response: {
      matched: 1,
      updated: 1,
      unchanged: 0,
      skipped_manual: 0,
      cleared: 0,
      by_source: { rule: 0, provider: 0, none: 0, explicit: 1 },
      changes: [
        {
          transaction_id: exampleTransaction.id,
          from_category_id: null,
          to_category_id: '019a8c5d-0001-7000-8000-000000000035',
          category_source: 'person',
          rule_id: null,
        },
      ],
      changes_truncated: false,
      dry_run: false,
      change_set_id: '019a8c61-aa00-7111-8222-333344445555',
    },
  },
});

const Changes = z
  .strictObject({ ...actions, deleted: z.literal(true).optional().meta({ description: 'Deletes them; alone' }) })
  .meta({
    id: 'TransactionChanges',
    description: 'At least one change, and at most one of category_id, category_slug and reset_category',
  })
  .superRefine(({ deleted, ...asked }, context) => {
    if (deleted === undefined) checkActions(asked, context, ['deleted']);
    else if (Object.values(asked).some((value) => value !== undefined)) {
      context.addIssue({ code: 'custom', path: ['deleted'], message: 'cannot go with other changes. Send it alone' });
    }
  });

const Fields = z.record(z.string(), z.unknown());
export const BulkChange = z
  .object({ transaction_id: Id, before: Fields, after: Fields })
  .meta({ id: 'BulkChange', description: '`before` and `after` contain only what changed, as in a change set' });
export type BulkChange = z.output<typeof BulkChange>;

export const bulkUpdateTransactions = defineOperation({
  ...write,
  name: 'bulkUpdateTransactions',
  path: '/api/v1/transactions/bulk-update',
  summary: 'Edit or delete many transactions in the same way, all or none',
  description:
    `${SELECT} At most ${LIMITS.bulkUpdateTransactions} can be changed at once. These are edits by hand, as in ` +
    '`/transactions/update`, in one change set. A comment is added to every transaction, also to one that has the same.',
  body: withSelector(z.strictObject({ ...selectors, changes: Changes, dry_run: dryRun }), 'BulkUpdate'),
  response: z.object({
    matched: z.int(),
    updated: z.int(),
    unchanged: z.int(),
    totals: z
      .array(Total)
      .meta({ description: 'Of the selected transactions that count in totals, before the change, per currency' }),
    changes: z
      .array(BulkChange)
      .meta({ description: `The ${LIMITS.bulkChangesListed} newest of the updated transactions` }),
    changes_truncated: z.boolean(),
    dry_run: z.boolean(),
    change_set_id: changeSetId,
  }),
  status: 200,
  errors: ['VALIDATION_ERROR', 'INVALID_PARAMETER', 'CONFLICT'],
  weight: 'heavy',
  cli: { command: 'transactions bulk-update', confirm: true },
  example: {
    body: {
      filter: { search: 'corner cafe' },
      changes: { tags_to_add: ['vacation-2026'] },
      expected_count: 1,
    },
    response: {
      matched: 1,
      updated: 1,
      unchanged: 0,
      totals: [
        {
          iso_currency_code: 'USD',
          transaction_count: 1,
          total_amount: '23.40',
          money_out: '23.40',
          money_in: '0.00',
        },
      ],
      changes: [{ transaction_id: exampleTransaction.id, before: {}, after: { 'tag:vacation-2026': true } }],
      changes_truncated: false,
      dry_run: false,
      change_set_id: '019a8c61-aa00-7111-8222-333344445555',
    },
  },
});

export const operations = [
  updateTransactions,
  batchCategorizeTransactions,
  bulkRecategorizeTransactions,
  bulkUpdateTransactions,
];
