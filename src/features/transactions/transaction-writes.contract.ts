import { z } from 'zod';

import { AnyId, Id, Slug, text } from '../../contract/common.ts';
import { exactlyOne } from '../../contract/described-as.ts';
import { defineOperation } from '../../contract/operation.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { MetadataMap, MetadataValue } from './metadata.contract.ts';
import { Transaction, exampleTransaction } from './transaction-record.contract.ts';

const group = 'transactions';
const scope = 'full_access';
const path = '/api/v1/transactions/{id}';
const params = z.object({ id: AnyId });
const example = { params: { id: exampleTransaction.short_id } };
const write = { group, scope, params, effect: 'write', weight: 'light' } as const;

export const deleteTransaction = defineOperation({
  ...write,
  name: 'deleteTransaction',
  method: 'DELETE',
  path,
  summary: 'Delete a transaction',
  description: 'It can be restored with its tags, comments and category. Imports and syncs never restore it.',
  response: null,
  status: 204,
  errors: ['NOT_FOUND'],
  cli: { command: 'transactions delete', confirm: true },
  example: { ...example, response: null },
});

export const restoreTransaction = defineOperation({
  ...write,
  name: 'restoreTransaction',
  method: 'POST',
  path: `${path}/restore`,
  summary: 'Restore a deleted transaction with everything it had',
  response: Transaction,
  status: 200,
  errors: ['NOT_FOUND', 'CONFLICT'],
  cli: { command: 'transactions restore' },
  example: { ...example, response: exampleTransaction },
});

// What identifies nothing is an INVALID_PARAMETER, even when it is too long to be an id.
const categoryName = text(LIMITS.jsonBodyBytes)
  .nullable()
  .transform((name) => (name === '' ? null : name))
  .optional();

const CategoryChoice = z.strictObject({
  category_id: categoryName.meta({ description: 'UUID, short_id or slug; null for deliberately none' }),
  category_slug: categoryName.meta({ description: 'Slug; null for deliberately none' }),
});

export const setTransactionCategory = defineOperation({
  ...write,
  name: 'setTransactionCategory',
  method: 'PATCH',
  path: `${path}/category`,
  summary: 'Set the category of a transaction, or deliberately none',
  description: 'Rules, imports and syncs no longer change the category until it is reset.',
  body: exactlyOne(
    CategoryChoice.refine(
      (body) => (body.category_id === undefined) !== (body.category_slug === undefined),
      'Send exactly one of category_id and category_slug.',
    ),
    CategoryChoice,
    ['category_id', 'category_slug'],
    'CategoryChoice',
  ),
  response: Transaction,
  status: 200,
  errors: ['NOT_FOUND', 'VALIDATION_ERROR', 'INVALID_PARAMETER'],
  example: {
    ...example,
    body: { category_slug: 'food_and_drink_coffee' },
    response: { ...exampleTransaction, category_source: 'person' },
  },
});

export const resetTransactionCategory = defineOperation({
  ...write,
  // Every rule is evaluated, and each may contain many patterns.
  weight: 'heavy',
  name: 'resetTransactionCategory',
  method: 'DELETE',
  path: `${path}/category`,
  summary: 'Reset the category of a transaction',
  description: 'The rules and the provider decide it again.',
  response: Transaction,
  status: 200,
  errors: ['NOT_FOUND'],
  example: { ...example, response: exampleTransaction },
});

export const flagTransaction = defineOperation({
  ...write,
  name: 'flagTransaction',
  method: 'POST',
  path: `${path}/flag`,
  summary: 'Flag a transaction for attention',
  description: 'A reason is added as a comment. If the transaction is already flagged, its flagged_at stays.',
  body: z.strictObject({
    reason: z
      .string()
      .transform((reason) => reason.trim())
      .pipe(text(LIMITS.commentChars))
      .optional()
      .meta({ description: 'Added as a comment unless it is blank' }),
  }),
  bodyOptional: true,
  response: Transaction,
  status: 200,
  errors: ['NOT_FOUND', 'VALIDATION_ERROR'],
  example: {
    ...example,
    body: { reason: 'Charged twice?' },
    response: { ...exampleTransaction, flagged_at: '2026-04-26T12:00:00.000Z' },
  },
});

export const unflagTransaction = defineOperation({
  ...write,
  name: 'unflagTransaction',
  method: 'DELETE',
  path: `${path}/flag`,
  summary: 'Remove the flag from a transaction',
  response: null,
  status: 204,
  errors: ['NOT_FOUND'],
  example: { ...example, response: null },
});

export const addTransactionTag = defineOperation({
  ...write,
  name: 'addTransactionTag',
  method: 'POST',
  path: `${path}/tags`,
  summary: 'Add a tag to a transaction',
  description: 'If no tag has the slug, the tag is created.',
  body: z.strictObject({
    slug: text(LIMITS.jsonBodyBytes).meta({ description: 'Slug, or the UUID or short_id of an existing tag' }),
  }),
  response: z.object({
    transaction_id: Id,
    tags: z.array(Slug).meta({ description: 'Slugs of all tags that the transaction now has' }),
    added: z.boolean().meta({ description: 'false if the transaction already had the tag' }),
  }),
  status: 200,
  errors: ['NOT_FOUND', 'VALIDATION_ERROR', 'INVALID_PARAMETER'],
  example: {
    ...example,
    body: { slug: 'vacation-2026' },
    response: { transaction_id: exampleTransaction.id, tags: ['needs-review', 'vacation-2026'], added: true },
  },
});

export const removeTransactionTag = defineOperation({
  ...write,
  name: 'removeTransactionTag',
  method: 'DELETE',
  path: `${path}/tags/{slug}`,
  summary: 'Remove a tag from a transaction',
  params: z.object({ id: AnyId, slug: AnyId.meta({ description: 'Slug, UUID or short_id of the tag' }) }),
  response: null,
  status: 204,
  errors: ['NOT_FOUND'],
  example: { params: { ...example.params, slug: 'needs-review' }, response: null },
});

const MetadataAnswer = z
  .object({ transaction_id: Id, metadata: z.record(z.string(), z.unknown()) })
  .meta({ id: 'MetadataAnswer' });
const exampleMetadata = { transaction_id: exampleTransaction.id, metadata: { invoice: 'A-17' } };
const metadataErrors = ['NOT_FOUND', 'VALIDATION_ERROR'] as const;

export const replaceTransactionMetadata = defineOperation({
  ...write,
  name: 'replaceTransactionMetadata',
  method: 'PUT',
  path: `${path}/metadata`,
  summary: 'Replace the metadata of a transaction',
  body: z.strictObject({ metadata: MetadataMap }),
  response: MetadataAnswer,
  status: 200,
  errors: metadataErrors,
  example: { ...example, body: { metadata: { invoice: 'A-17' } }, response: exampleMetadata },
});

export const updateTransactionMetadata = defineOperation({
  ...write,
  name: 'updateTransactionMetadata',
  method: 'PATCH',
  path: `${path}/metadata`,
  summary: 'Set and remove metadata keys of a transaction',
  body: z
    .strictObject({ set: MetadataMap.optional(), unset: z.array(text(LIMITS.jsonBodyBytes)).optional() })
    .refine((body) => body.set !== undefined || body.unset !== undefined, 'Send set, unset or both.'),
  response: MetadataAnswer,
  status: 200,
  errors: metadataErrors,
  example: { ...example, body: { set: { invoice: 'A-17' }, unset: ['draft'] }, response: exampleMetadata },
});

export const clearTransactionMetadata = defineOperation({
  ...write,
  name: 'clearTransactionMetadata',
  method: 'DELETE',
  path: `${path}/metadata`,
  summary: 'Remove all metadata from a transaction',
  response: null,
  status: 204,
  errors: ['NOT_FOUND'],
  example: { ...example, response: null },
});

const keyParams = z.object({
  id: AnyId,
  key: z.string().meta({ description: 'Percent-encoded: `a/b` is `a%2Fb`', example: 'invoice' }),
});
const keyExample = { params: { ...example.params, key: 'invoice' } };

export const setTransactionMetadataKey = defineOperation({
  ...write,
  name: 'setTransactionMetadataKey',
  method: 'PATCH',
  path: `${path}/metadata/{key}`,
  summary: 'Set one metadata key of a transaction',
  params: keyParams,
  body: z.strictObject({ value: MetadataValue }),
  response: MetadataAnswer,
  status: 200,
  errors: metadataErrors,
  example: { ...keyExample, body: { value: 'A-17' }, response: exampleMetadata },
});

export const unsetTransactionMetadataKey = defineOperation({
  ...write,
  name: 'unsetTransactionMetadataKey',
  method: 'DELETE',
  path: `${path}/metadata/{key}`,
  summary: 'Remove one metadata key from a transaction',
  params: keyParams,
  response: null,
  status: 204,
  errors: metadataErrors,
  example: { ...keyExample, response: null },
});

export const operations = [
  deleteTransaction,
  restoreTransaction,
  setTransactionCategory,
  resetTransactionCategory,
  flagTransaction,
  unflagTransaction,
  addTransactionTag,
  removeTransactionTag,
  replaceTransactionMetadata,
  updateTransactionMetadata,
  clearTransactionMetadata,
  setTransactionMetadataKey,
  unsetTransactionMetadataKey,
];
