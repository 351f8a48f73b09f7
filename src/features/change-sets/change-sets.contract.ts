import { z } from 'zod';

import {
  ActorType,
  AnyId,
  Code,
  Currency,
  Cursor,
  DateOnly,
  Id,
  Instant,
  Money,
  page,
  QueryInstant,
  queryInteger,
  queryList,
  Sentence,
  ShortId,
} from '../../contract/common.ts';
import { describedAs } from '../../contract/described-as.ts';
import { ENTITY_TYPES } from '../../contract/entity-types.ts';
import { defineOperation } from '../../contract/operation.ts';
import { LIMITS } from '../../kernel/limits.ts';

const Surface = z
  .enum(['rest', 'mcp', 'workflow', 'dashboard', 'cli', 'hosted_link', 'setup', 'system'])
  .meta({ id: 'Surface' });
export const ChangeSource = z
  .enum(['edit', 'rule', 'sync', 'import', 'link', 'proposal', 'revert', 'system'])
  .meta({ id: 'ChangeSource' });
export const EntityTypeName = z.enum(ENTITY_TYPES).meta({ id: 'EntityType' });

export const ChangeSetStatus = z.enum(['applied', 'partly_reverted', 'reverted']).meta({ id: 'ChangeSetStatus' });

/** A change set without its changes (contract 10.13.1). */
const changeSetFields = {
  id: Id,
  short_id: ShortId,
  created_at: Instant,
  actor_type: ActorType,
  actor_id: Code.nullable(),
  actor_user_id: ShortId.nullable(),
  actor_name: z.string(),
  surface: Surface,
  source: ChangeSource,
  action: Code,
  reason: z.string().nullable().meta({ description: 'From the header X-Change-Reason' }),
  summary: z.string(),
  created_count: z.int(),
  updated_count: z.int(),
  deleted_count: z.int(),
  entity_types: z.array(EntityTypeName),
  status: ChangeSetStatus,
  revertible: z.boolean(),
  reverts_change_set_id: Id.nullable().meta({ description: 'The change set that this one reverts' }),
  reverted_by_change_set_id: Id.nullable().meta({ description: 'The change set that reverted this one' }),
  sync_log_id: Id.nullable(),
  import_id: Id.nullable(),
  workflow_run_id: Id.nullable(),
  proposal_id: Id.nullable(),
  rule_id: Id.nullable(),
  session_id: Id.nullable(),
  request_id: z.string().nullable(),
};

export const ChangeSet = z.object(changeSetFields).meta({ id: 'ChangeSet' });

const Fields = z.record(z.string(), z.unknown()).nullable();

export const Change = z
  .object({
    sequence: z.int(),
    entity_type: EntityTypeName,
    entity_id: Id.nullable(),
    entity_short_id: ShortId.nullable(),
    operation: z.enum(['create', 'update', 'delete']),
    label: z.string().nullable().meta({
      description: 'The name of the record, or of its transaction, as it is now; of one that is gone, as it was',
    }),
    before: Fields,
    after: Fields,
    transaction_id: Id.nullable(),
    amount: Money.nullable().meta({ description: 'Of the transaction, as it is now' }),
    iso_currency_code: Currency.nullable(),
    date: DateOnly.nullable(),
    source: ChangeSource,
    rule_id: Id.nullable(),
    reverted_by_change_set_id: Id.nullable(),
    redacted: z.array(Code).meta({ description: 'Fields whose values are not shown' }),
  })
  .meta({ id: 'Change', description: '`before` and `after` contain only the fields that changed' });

const example = {
  id: '019a8c61-aa00-7111-8222-333344445555',
  short_id: 'Ch4nge5e',
  created_at: '2026-04-26T12:01:00.000Z',
  actor_type: 'agent' as const,
  actor_id: '019a8c5a-0000-7000-8000-0000000000cc',
  actor_user_id: null,
  actor_name: 'Reviewer',
  surface: 'rest' as const,
  source: 'edit' as const,
  action: 'transactions.update',
  reason: 'weekly review',
  summary: 'Updated 1 transaction',
  created_count: 0,
  updated_count: 1,
  deleted_count: 0,
  entity_types: ['transaction' as const],
  status: 'applied' as const,
  revertible: true,
  reverts_change_set_id: null,
  reverted_by_change_set_id: null,
  sync_log_id: null,
  import_id: null,
  workflow_run_id: null,
  proposal_id: null,
  rule_id: null,
  session_id: null,
  request_id: 'req-1',
};

const exampleChange = {
  sequence: 1,
  entity_type: 'transaction' as const,
  entity_id: '019a8c60-1f2e-7b4c-8d5e-6f708192a3b4',
  entity_short_id: 'Tx9kLm2P',
  operation: 'update' as const,
  label: 'Corner Coffee',
  before: { category_id: null, category_source: null, 'tag:needs-review': true },
  after: { category_id: '019a8c5d-0001-7000-8000-000000000037', category_source: 'agent' },
  transaction_id: '019a8c60-1f2e-7b4c-8d5e-6f708192a3b4',
  amount: '4.50',
  iso_currency_code: 'EUR',
  date: '2026-04-20',
  source: 'edit' as const,
  rule_id: null,
  reverted_by_change_set_id: null,
  redacted: [],
};

/** An instant, or a UTC day: `from` then means its first moment, `to` its last. */
const moment = describedAs(
  z.union([DateOnly, QueryInstant], 'must be a date as YYYY-MM-DD, or an instant such as 2026-04-26T06:00:00Z'),
  z.string(),
);
const group = 'change-sets';

export const listChangeSets = defineOperation({
  name: 'listChangeSets',
  group,
  method: 'GET',
  path: '/api/v1/change-sets',
  scope: 'read_only',
  summary: 'List change sets, newest first',
  description: 'Shows who changed what, when, how and why, and whether it has been reverted.',
  query: z.object({
    actor_type: queryList(ActorType).optional(),
    actor_id: AnyId.optional().meta({ description: 'API key, household member, connection or workflow' }),
    surface: queryList(Surface).optional(),
    source: queryList(ChangeSource).optional(),
    action: queryList(z.string().max(100)).optional(),
    entity_type: queryList(EntityTypeName).optional(),
    entity_id: AnyId.optional().meta({ description: 'A short_id needs exactly one entity_type' }),
    transaction_id: AnyId.optional().meta({
      description: 'Change sets that created or changed the transaction or its comments',
    }),
    import_id: AnyId.optional(),
    sync_log_id: AnyId.optional(),
    workflow_run_id: AnyId.optional(),
    rule_id: AnyId.optional(),
    from: moment.optional().meta({ description: 'Instant or UTC date (inclusive)' }),
    to: moment.optional().meta({ description: 'Instant (exclusive) or UTC date (inclusive)' }),
    limit: queryInteger(1, LIMITS.pageMax).default(LIMITS.pageDefault),
    cursor: z.string().optional(),
  }),
  strictQuery: true,
  response: page('change_sets', ChangeSet),
  status: 200,
  errors: ['INVALID_PARAMETER', 'INVALID_CURSOR'],
  effect: 'read',
  weight: 'light',
  cli: { command: 'changes list' },
  example: {
    query: { actor_type: 'agent', limit: '1' },
    response: { change_sets: [example], next_cursor: '', has_more: false, limit: 1 },
  },
});

export const getChangeSet = defineOperation({
  name: 'getChangeSet',
  group,
  method: 'GET',
  path: '/api/v1/change-sets/{id}',
  scope: 'read_only',
  summary: 'Get one change set and a page of its changes',
  params: z.object({ id: AnyId }),
  query: z.object({
    limit: queryInteger(1, LIMITS.pageMax).default(LIMITS.changesPageDefault),
    cursor: z.string().optional(),
  }),
  strictQuery: true,
  response: z
    .object({
      ...changeSetFields,
      changes: z.array(Change),
      next_cursor: Cursor,
      has_more: z.boolean(),
      limit: z.int(),
    })
    .meta({ id: 'ChangeSetDetail' }),
  status: 200,
  errors: ['NOT_FOUND', 'INVALID_PARAMETER', 'INVALID_CURSOR'],
  effect: 'read',
  weight: 'light',
  etag: true,
  cli: { command: 'changes get' },
  example: {
    params: { id: 'Ch4nge5e' },
    response: { ...example, changes: [exampleChange], next_cursor: '', has_more: false, limit: 100 },
  },
});

const Skipped = z
  .object({
    entity_type: EntityTypeName,
    entity_id: Id.nullable(),
    entity_short_id: ShortId.nullable(),
    reason: z.enum(['changed_since', 'missing', 'reference_missing', 'exists', 'in_use', 'not_revertible']),
    fields: z.array(z.string()),
    change_set_id: Id.nullable(),
  })
  .meta({ id: 'RevertSkipped' });

export const RevertBody = z
  .strictObject({
    dry_run: z.boolean().default(false),
    on_conflict: z
      .enum(['refuse', 'skip', 'force'], 'must be refuse, skip or force (force only for imports)')
      .default('refuse')
      .meta({
        description:
          'refuse: revert nothing if anything has changed since. skip: keep what has changed and revert the rest. force ' +
          '(imports only): like skip, but also delete transactions of the import that people have worked on; what ' +
          'they added stays on the deleted transactions',
      }),
  })
  .meta({ id: 'RevertBody' });

export const RevertResult = z
  .object({
    change_set: ChangeSet.nullable(),
    reverted_change_set_id: Id,
    reverted_count: z.int(),
    skipped: z.array(Skipped),
    skipped_count: z.int(),
    worked_on_count: z.int().meta({
      description:
        'Transactions of an import that people or agents have worked on since: kept with skip, deleted with force',
    }),
    message: Sentence.nullable().meta({ description: 'The choices for such transactions; only in a dry run' }),
    dry_run: z.boolean(),
  })
  .meta({ id: 'RevertResult' });

export const exampleRevertResult: z.output<typeof RevertResult> = {
  change_set: {
    ...example,
    id: '019a8c62-bb00-7111-8222-333344445555',
    short_id: 'Und0Th1s',
    source: 'revert',
    action: 'change_set.revert',
    reason: null,
    summary: 'Reverted: Updated 1 transaction',
    reverts_change_set_id: example.id,
  },
  reverted_change_set_id: example.id,
  reverted_count: 1,
  skipped: [],
  skipped_count: 0,
  worked_on_count: 0,
  message: null,
  dry_run: false,
};

export const revertChangeSet = defineOperation({
  name: 'revertChangeSet',
  group,
  method: 'POST',
  path: '/api/v1/change-sets/{id}/revert',
  scope: 'full_access',
  summary: 'Revert a change set',
  description:
    'Everything returns to what it was before. If anything has changed since, nothing is touched and the conflicts are ' +
    'listed, unless `on_conflict` says otherwise. The revert is itself a change set: revert it to restore the original ' +
    'changes. `force` is refused unless the change set is that of an import.',
  params: z.object({ id: AnyId }),
  body: RevertBody,
  bodyOptional: true,
  response: RevertResult,
  status: 200,
  errors: ['NOT_FOUND', 'CONFLICT', 'NOT_REVERTIBLE', 'ALREADY_REVERTED', 'REVERT_CONFLICT', 'VALIDATION_ERROR'],
  effect: 'write',
  weight: 'heavy',
  cli: { command: 'changes revert', confirm: true },
  example: {
    params: { id: 'Ch4nge5e' },
    body: { on_conflict: 'refuse' },
    response: exampleRevertResult,
  },
});

export const operations = [listChangeSets, getChangeSet, revertChangeSet];
