import { z } from 'zod';

import {
  Actor,
  AnyId,
  clearableText,
  Code,
  Currency,
  Cursor,
  DateOnly,
  Id,
  Instant,
  Money,
  page,
  QueryBoolean,
  queryInteger,
  queryList,
  ShortId,
  text,
  Total,
} from '../../contract/common.ts';
import { defineOperation } from '../../contract/operation.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { ChangeSetStatus, ChangeSource, EntityTypeName } from '../change-sets/change-sets.contract.ts';

const STATUSES = ['draft', 'proposed', 'applied', 'rejected', 'expired'] as const;
const ProposalStatus = z.enum(STATUSES).meta({ id: 'ProposalStatus' });
const ProposalSource = z.enum(['workflow', 'mcp'], 'must be workflow or mcp').meta({ id: 'ProposalSource' });
const ConflictReason = z
  .enum(['changed_since', 'missing', 'exists', 'reference_missing'])
  .meta({ id: 'ProposalConflictReason' });

const ProposalCall = z
  .object({
    call: z.int().meta({ description: 'Counted from 1' }),
    tool: Code,
    reason: z.string().nullable(),
    change_count: z.int(),
  })
  .meta({ id: 'ProposalCall' });

const proposalFields = {
  id: Id,
  short_id: ShortId,
  status: ProposalStatus,
  title: z.string(),
  source: ProposalSource,
  workflow_id: Id.nullable(),
  run_id: Id.nullable(),
  proposed_by: Actor,
  calls: z.array(ProposalCall),
  call_count: z.int(),
  change_count: z.int(),
  counts: z.record(z.string(), z.int()).meta({ description: 'Changes by entity type' }),
  totals: z.array(Total).meta({ description: 'Sums of the transactions that it touches, by currency' }),
  fingerprint: Code.meta({ description: 'Send it with your approval, so that nothing you have not seen is applied' }),
  conflict_count: z.int().meta({ description: 'Changes that currently cannot be applied' }),
  created_at: Instant,
  proposed_at: Instant.nullable(),
  expires_at: Instant.nullable(),
  decided_at: Instant.nullable(),
  decided_by: Actor.nullable(),
  decision_note: z.string().nullable(),
  applied_count: z.int(),
  skipped_count: z.int(),
  change_set_id: Id.nullable(),
  change_set_status: ChangeSetStatus.nullable().meta({
    description: 'Whether what was applied is still in force; null if nothing was',
  }),
};

export const Proposal = z.object(proposalFields).meta({ id: 'Proposal' });

const Fields = z.record(z.string(), z.unknown()).nullable();

export const ProposalChange = z
  .object({
    sequence: z.int(),
    call: z.int().meta({ description: 'The last call that changed it' }),
    entity_type: EntityTypeName,
    entity_id: Id.nullable(),
    entity_short_id: ShortId.nullable(),
    operation: z.enum(['create', 'update', 'delete']),
    label: z.string(),
    before: Fields,
    after: Fields,
    transaction_id: Id.nullable(),
    amount: Money.nullable(),
    iso_currency_code: Currency.nullable(),
    date: DateOnly.nullable(),
    source: ChangeSource,
    rule_id: Id.nullable(),
    conflict: ConflictReason.nullable().meta({ description: 'Why it currently cannot be applied' }),
    outcome: z
      .enum(['applied', 'existing', 'skipped', 'excluded'])
      .nullable()
      .meta({ description: '`existing`: it was there already, so nothing was written; `skipped`: it was in conflict' }),
  })
  .meta({ id: 'ProposalChange', description: '`before` and `after` contain only the fields that would change' });

const Skipped = z
  .object({
    sequence: z.int(),
    entity_type: EntityTypeName,
    entity_id: Id.nullable(),
    entity_short_id: ShortId.nullable(),
    reason: ConflictReason,
  })
  .meta({ id: 'ProposalSkipped' });

const example = {
  id: '019a8c63-aa00-7111-8222-333344445555',
  short_id: 'pR0p0sAl',
  status: 'proposed' as const,
  title: 'update_transactions',
  source: 'mcp' as const,
  workflow_id: null,
  run_id: null,
  proposed_by: { type: 'agent' as const, id: '019a8c5a-0000-7000-8000-0000000000cc', name: 'Reviewer' },
  calls: [{ call: 1, tool: 'update_transactions', reason: 'Clear cases', change_count: 1 }],
  call_count: 1,
  change_count: 1,
  counts: { transaction: 1 },
  totals: [
    { iso_currency_code: 'EUR', transaction_count: 1, total_amount: '4.50', money_out: '4.50', money_in: '0.00' },
  ],
  fingerprint: '9f2c5b1d4e8a7036f1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718',
  conflict_count: 0,
  created_at: '2026-04-26T12:01:00.000Z',
  proposed_at: '2026-04-26T12:01:00.000Z',
  expires_at: '2026-05-26T12:01:00.000Z',
  decided_at: null,
  decided_by: null,
  decision_note: null,
  applied_count: 0,
  skipped_count: 0,
  change_set_id: null,
  change_set_status: null,
};

const exampleChange = {
  sequence: 1,
  call: 1,
  entity_type: 'transaction' as const,
  entity_id: '019a8c60-1f2e-7b4c-8d5e-6f708192a3b4',
  entity_short_id: 'Tx9kLm2P',
  operation: 'update' as const,
  label: 'Corner Coffee',
  before: { category_id: null, category_source: null },
  after: { category_id: '019a8c5d-0001-7000-8000-000000000037', category_source: 'agent' },
  transaction_id: '019a8c60-1f2e-7b4c-8d5e-6f708192a3b4',
  amount: '4.50',
  iso_currency_code: 'EUR',
  date: '2026-04-25',
  source: 'edit' as const,
  rule_id: null,
  conflict: null,
  outcome: null,
};

const decided = {
  ...example,
  decided_at: '2026-04-26T18:30:00.000Z',
  decided_by: { type: 'user' as const, id: 'Mb4Xq7Zk', name: 'Ana' },
};

const group = 'proposals';

export const listProposals = defineOperation({
  name: 'listProposals',
  group,
  method: 'GET',
  path: '/api/v1/proposals',
  scope: 'read_only',
  summary: 'List proposals, newest first',
  description:
    'Without `status`, those that wait for a decision. A page whose proposals have very many changes ends early.',
  query: z.object({
    status: queryList(z.enum([...STATUSES, 'all'], `must be ${STATUSES.join(', ')} or all`)).default(['proposed']),
    workflow: AnyId.optional().meta({ description: 'UUID, short_id or slug, also of a deleted workflow' }),
    run_id: AnyId.optional(),
    source: ProposalSource.optional(),
    limit: queryInteger(1, LIMITS.pageMax).default(LIMITS.pageDefault),
    cursor: z.string().optional(),
  }),
  strictQuery: true,
  response: page('proposals', Proposal),
  status: 200,
  errors: ['INVALID_PARAMETER', 'INVALID_CURSOR'],
  effect: 'read',
  weight: 'light',
  cli: { command: 'proposals list' },
  example: {
    query: { limit: '1' },
    response: { proposals: [example], next_cursor: '', has_more: false, limit: 1 },
  },
});

export const getProposal = defineOperation({
  name: 'getProposal',
  group,
  method: 'GET',
  path: '/api/v1/proposals/{id}',
  scope: 'read_only',
  summary: 'Get a proposal and a page of its changes',
  params: z.object({ id: AnyId }),
  query: z.object({
    limit: queryInteger(1, LIMITS.pageMax).default(LIMITS.changesPageDefault),
    cursor: z.string().optional(),
    conflicts_only: QueryBoolean.default(false),
  }),
  strictQuery: true,
  response: z
    .object({
      ...proposalFields,
      changes: z.array(ProposalChange),
      next_cursor: Cursor,
      has_more: z.boolean(),
      limit: z.int(),
    })
    .meta({ id: 'ProposalDetail' }),
  status: 200,
  errors: ['NOT_FOUND', 'INVALID_PARAMETER', 'INVALID_CURSOR'],
  effect: 'read',
  weight: 'light',
  etag: true,
  cli: { command: 'proposals get' },
  example: {
    params: { id: 'pR0p0sAl' },
    response: { ...example, changes: [exampleChange], next_cursor: '', has_more: false, limit: 100 },
  },
});

export const approveProposal = defineOperation({
  name: 'approveProposal',
  group,
  method: 'POST',
  path: '/api/v1/proposals/{id}/approve',
  scope: 'full_access',
  closedToAgents: true,
  summary: 'Approve a proposal: write its changes to the ledger',
  description:
    'All changes are written as one change set, which can be reverted like any other. If anything has changed since the ' +
    'proposal was made, nothing is written and the conflicts are listed, unless `on_conflict` is `skip`. Whoever made ' +
    'the proposal cannot approve it.',
  params: z.object({ id: AnyId }),
  body: z
    .strictObject({
      on_conflict: z
        .enum(['refuse', 'skip'], 'must be refuse or skip')
        .default('refuse')
        .meta({ description: 'refuse: write nothing if there is a conflict. skip: leave out conflicting changes' }),
      exclude: z
        .array(z.int().min(1))
        .max(LIMITS.proposalChanges, `must have at most ${LIMITS.proposalChanges} numbers`)
        .default([])
        .meta({ description: 'Sequence numbers of changes to leave out' }),
      fingerprint: text(LIMITS.jsonBodyBytes)
        .optional()
        .meta({ description: 'The fingerprint of the proposal that you read' }),
      note: clearableText(LIMITS.proposalNoteChars).default(null),
    })
    .meta({ id: 'ApproveProposalBody' }),
  bodyOptional: true,
  response: z.object({ ...proposalFields, skipped: z.array(Skipped) }).meta({ id: 'ApprovedProposal' }),
  status: 200,
  errors: ['NOT_FOUND', 'FORBIDDEN', 'VALIDATION_ERROR', 'PROPOSAL_NOT_OPEN', 'PROPOSAL_CHANGED', 'PROPOSAL_CONFLICT'],
  effect: 'write',
  weight: 'heavy',
  cli: { command: 'proposals approve', confirm: true },
  example: {
    params: { id: 'pR0p0sAl' },
    body: { on_conflict: 'skip', fingerprint: example.fingerprint },
    response: {
      ...decided,
      status: 'applied',
      applied_count: 1,
      change_set_id: '019a8c64-bb00-7111-8222-333344445555',
      change_set_status: 'applied',
      skipped: [],
    },
  },
});

export const rejectProposal = defineOperation({
  name: 'rejectProposal',
  group,
  method: 'POST',
  path: '/api/v1/proposals/{id}/reject',
  scope: 'full_access',
  closedToAgents: true,
  summary: 'Reject a proposal',
  description: 'Nothing in the ledger changes. The same changes are not proposed again for 90 days.',
  params: z.object({ id: AnyId }),
  body: z
    .strictObject({ note: clearableText(LIMITS.proposalNoteChars).default(null) })
    .meta({ id: 'RejectProposalBody' }),
  bodyOptional: true,
  response: Proposal,
  status: 200,
  errors: ['NOT_FOUND', 'VALIDATION_ERROR', 'PROPOSAL_NOT_OPEN'],
  effect: 'write',
  unjournaled: true,
  weight: 'light',
  cli: { command: 'proposals reject' },
  example: {
    params: { id: 'pR0p0sAl' },
    body: { note: 'The café is a business expense.' },
    response: { ...decided, status: 'rejected', decision_note: 'The café is a business expense.' },
  },
});

export const operations = [listProposals, getProposal, approveProposal, rejectProposal];
