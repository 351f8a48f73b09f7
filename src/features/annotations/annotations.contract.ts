import { z } from 'zod';

import {
  ActorType,
  AnyId,
  Body,
  Code,
  Id,
  Instant,
  QueryBoolean,
  queryInteger,
  queryList,
  ShortId,
} from '../../contract/common.ts';
import { defineOperation } from '../../contract/operation.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { ChangeSource } from '../change-sets/change-sets.contract.ts';

export const AnnotationKind = z
  .enum([
    'sync_started',
    'imported',
    'transaction_created',
    'sync_updated',
    'import_updated',
    'transaction_deleted',
    'transaction_restored',
    'category_set',
    'tag_added',
    'tag_removed',
    'counterparty_assigned',
    'counterparty_unlinked',
    'series_assigned',
    'series_unlinked',
    'attributed',
    'unattributed',
    'flagged',
    'unflagged',
    'metadata_changed',
    'comment',
    'comment_edited',
    'comment_deleted',
  ])
  .meta({ id: 'AnnotationKind' });
export type AnnotationKind = z.output<typeof AnnotationKind>;

/** An entry of a transaction's timeline (contract 10.8). */
export const Annotation = z
  .object({
    id: Id,
    short_id: ShortId,
    transaction_id: Id,
    kind: AnnotationKind,
    body: Body,
    actor_type: ActorType,
    actor_id: Code.nullable(),
    actor_user_id: ShortId.nullable(),
    actor_name: z.string(),
    surface: Code,
    source: ChangeSource,
    change_set_id: Id.nullable(),
    is_reverted: z.boolean(),
    reverts_change_set_id: Id.nullable(),
    rule_id: Id.nullable(),
    rule_name: z.string().nullable(),
    applied_by: z.enum(['sync', 'import', 'create', 'apply', 'apply_all', 'recategorize']).nullable(),
    payload: z.record(z.string(), z.unknown()),
    created_at: Instant,
  })
  .meta({ id: 'Annotation' });

export const listAnnotations = defineOperation({
  name: 'listAnnotations',
  group: 'annotations',
  method: 'GET',
  path: '/api/v1/transactions/{id}/annotations',
  scope: 'read_only',
  summary: 'List the timeline of a transaction, oldest entry first',
  description:
    'Shows who did what to the transaction, when and why. Without `after`, `limit` keeps the newest entries; with it, ' +
    'the first entries that follow.',
  params: z.object({ id: AnyId }),
  query: z.object({
    kind: queryList(AnnotationKind).optional(),
    actor_type: queryList(ActorType).optional(),
    source: queryList(ChangeSource).optional(),
    after: z.string().optional().meta({ description: 'Instant, or id of an entry: only later entries are returned' }),
    limit: queryInteger(1, LIMITS.pageMax).optional(),
    include_deleted: QueryBoolean.default(false),
  }),
  strictQuery: true,
  response: z.array(Annotation),
  status: 200,
  errors: ['NOT_FOUND', 'INVALID_PARAMETER'],
  effect: 'read',
  weight: 'light',
  etag: true,
  cli: { command: 'transactions timeline' },
  example: {
    params: { id: 'Tx9kLm2P' },
    response: [
      {
        id: '019a8c63-1111-7222-8333-444455556666',
        short_id: 'An0taT1o',
        transaction_id: '019a8c60-1f2e-7b4c-8d5e-6f708192a3b4',
        kind: 'category_set',
        body: 'Alice set the category to Food & Drink › Groceries',
        actor_type: 'user',
        actor_id: 'Qw3rTy7U',
        actor_user_id: 'Qw3rTy7U',
        actor_name: 'Alice',
        surface: 'dashboard',
        source: 'edit',
        change_set_id: '019a8c63-0000-7222-8333-444455556666',
        is_reverted: false,
        reverts_change_set_id: null,
        rule_id: null,
        rule_name: null,
        applied_by: null,
        payload: {
          action: 'set',
          from: null,
          to: {
            id: '019a8c5d-0001-7000-8000-000000000037',
            slug: 'food_and_drink_groceries',
            name: 'Groceries',
          },
          category_source: 'person',
        },
        created_at: '2026-04-26T12:01:00.000Z',
      },
    ],
  },
});

export const operations = [listAnnotations];
