import { z } from 'zod';

import {
  ActorType,
  AnyId,
  Body,
  Code,
  Id,
  Instant,
  name,
  QueryBoolean,
  ShortId,
  UserRef,
} from '../../contract/common.ts';
import { defineOperation } from '../../contract/operation.ts';
import { LIMITS } from '../../kernel/limits.ts';

export const Comment = z
  .object({
    id: Id,
    short_id: ShortId,
    transaction_id: Id,
    body: Body,
    author_type: ActorType,
    author_id: Code.nullable().meta({
      description: 'UUID of the API key or the rule, or short_id of the household member who was signed in',
    }),
    author_user_id: UserRef.nullable(),
    author_name: z.string(),
    edited: z.boolean(),
    created_at: Instant,
    updated_at: Instant,
  })
  .meta({ id: 'Comment' });

const exampleComment = {
  id: '019a8c62-0000-7aaa-8bbb-cccccccccccc',
  short_id: 'Cm7nT0aB',
  transaction_id: '019a8c60-1f2e-7b4c-8d5e-6f708192a3b4',
  body: 'Split with Bob',
  author_type: 'user' as const,
  author_id: 'Qw3rTy7U',
  author_user_id: 'Qw3rTy7U',
  author_name: 'Alice',
  edited: false,
  created_at: '2026-04-26T12:00:00.000Z',
  updated_at: '2026-04-26T12:00:00.000Z',
};

const group = 'comments';
const path = '/api/v1/transactions/{id}/comments';
const params = z.object({ id: AnyId.meta({ description: 'The transaction' }) });
const commentParams = z.object({ ...params.shape, comment_id: AnyId });
const body = z
  .strictObject({
    body: name(LIMITS.commentChars).meta({ description: 'Stored without surrounding white space' }),
  })
  .meta({ id: 'CommentBody' });
const exampleParams = { id: 'Tx9kLm2P', comment_id: exampleComment.short_id };

export const listComments = defineOperation({
  name: 'listComments',
  group,
  method: 'GET',
  path,
  scope: 'read_only',
  summary: 'List the comments on a transaction, oldest first',
  params,
  query: z.object({
    include_deleted: QueryBoolean.default(false).meta({
      description: 'Show the comments even if the transaction is deleted',
    }),
  }),
  strictQuery: true,
  response: z.array(Comment),
  status: 200,
  errors: ['NOT_FOUND', 'INVALID_PARAMETER'],
  effect: 'read',
  weight: 'light',
  etag: true,
  cli: { command: 'comments list' },
  example: { params: { id: exampleParams.id }, response: [exampleComment] },
});

export const createComment = defineOperation({
  name: 'createComment',
  group,
  method: 'POST',
  path,
  scope: 'full_access',
  summary: 'Add a comment to a transaction',
  params,
  body,
  response: Comment,
  status: 201,
  errors: ['NOT_FOUND', 'VALIDATION_ERROR'],
  effect: 'write',
  weight: 'light',
  cli: { command: 'comments add' },
  example: { params: { id: exampleParams.id }, body: { body: 'Split with Bob' }, response: exampleComment },
});

export const updateComment = defineOperation({
  name: 'updateComment',
  group,
  method: 'PUT',
  path: `${path}/{comment_id}`,
  scope: 'full_access',
  summary: 'Change the text of a comment',
  description: 'People can change any comment, agents only their own.',
  params: commentParams,
  body,
  response: Comment,
  status: 200,
  errors: ['NOT_FOUND', 'FORBIDDEN', 'VALIDATION_ERROR'],
  effect: 'write',
  weight: 'light',
  cli: { command: 'comments edit' },
  example: {
    params: exampleParams,
    body: { body: 'Split with Bob, half each' },
    response: {
      ...exampleComment,
      body: 'Split with Bob, half each',
      edited: true,
      updated_at: '2026-04-26T12:05:00.000Z',
    },
  },
});

export const deleteComment = defineOperation({
  name: 'deleteComment',
  group,
  method: 'DELETE',
  path: `${path}/{comment_id}`,
  scope: 'full_access',
  summary: 'Delete a comment',
  description: 'People can delete any comment, agents only their own. The text is no longer shown anywhere.',
  params: commentParams,
  response: null,
  status: 204,
  errors: ['NOT_FOUND', 'FORBIDDEN'],
  effect: 'write',
  weight: 'light',
  cli: { command: 'comments delete', confirm: true },
  example: { params: exampleParams, response: null },
});

export const operations = [listComments, createComment, updateComment, deleteComment];
