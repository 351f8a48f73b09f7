import { z } from 'zod';

import { AnyId, CurrencyCode, Id, Instant, Money, Provider, queryList, ShortId } from '../../contract/common.ts';
import { defineOperation } from '../../contract/operation.ts';
import { LIMITS } from '../../kernel/limits.ts';

export const SuggestionKind = z
  .enum(['pending_posted', 'possible_duplicate', 'same_account'])
  .meta({ id: 'SuggestionKind' });
export const SuggestionStatus = z.enum(['open', 'accepted', 'dismissed', 'obsolete']).meta({ id: 'SuggestionStatus' });
export const SuggestionReason = z
  .enum(['same_amount', 'tip_amount', 'hold', 'compatible_name', 'close_date', 'provider_link'])
  .meta({ id: 'SuggestionReason' });

const Candidate = z
  .object({
    transaction_id: Id,
    date: z.string().meta({ format: 'date' }),
    amount: Money,
    iso_currency_code: CurrencyCode.nullable(),
    name: z.string(),
    is_deleted: z.boolean(),
    reasons: z.array(SuggestionReason).meta({ description: 'Why it may be the same' }),
  })
  .meta({ id: 'SuggestionCandidate' });

const CandidateAccount = z
  .object({
    account_id: Id,
    account_name: z.string(),
    provider: Provider,
    pair_count: z.int().meta({ description: 'Transactions that both accounts have' }),
    overlap_count: z.int().meta({
      description: 'Transactions on the days that both accounts cover, from the account that has more',
    }),
  })
  .meta({ id: 'SuggestionAccount' });

/** A question that a sync would not decide alone (contract 30.9). */
export const Suggestion = z
  .object({
    id: Id,
    short_id: ShortId,
    kind: SuggestionKind,
    status: SuggestionStatus,
    connection_id: Id,
    account_id: Id.meta({ description: 'For `same_account`, the newer account' }),
    transaction_id: Id.nullable().meta({ description: 'The newer transaction; null for `same_account`' }),
    candidates: z.array(Candidate).meta({ description: 'Best first; empty for `same_account`' }),
    accepted_transaction_id: Id.nullable(),
    accounts: z.array(CandidateAccount).meta({ description: 'For `same_account`: best first' }),
    accepted_account_id: Id.nullable(),
    created_at: Instant,
    resolved_at: Instant.nullable(),
  })
  .meta({ id: 'Suggestion' });

const example: z.input<typeof Suggestion> = {
  id: '0198c2c0-4a00-7d00-8a00-0c0d0e0f1011',
  short_id: 'Sg7Hn2Qw',
  kind: 'pending_posted',
  status: 'open',
  connection_id: '0198c2a0-7d1e-7c55-9a0e-3f6b0d9c1a11',
  account_id: '0198c2a0-9999-7000-8000-000000000001',
  transaction_id: '0198c2bf-1111-7000-8000-000000000002',
  candidates: [
    {
      transaction_id: '0198c2b0-2222-7000-8000-000000000003',
      date: '2026-02-27',
      amount: '40.00',
      iso_currency_code: 'USD',
      name: 'SHELL OIL 57442',
      is_deleted: true,
      reasons: ['hold', 'compatible_name', 'close_date'],
    },
  ],
  accepted_transaction_id: null,
  accounts: [],
  accepted_account_id: null,
  created_at: '2026-03-02T06:00:04.120Z',
  resolved_at: null,
};
const resolved = { ...example, resolved_at: '2026-03-02T18:12:00.000Z' };
const group = 'suggestions';
const params = z.object({ id: AnyId });
const alike = z.boolean().default(false);

export const listSuggestions = defineOperation({
  name: 'listSuggestions',
  group,
  method: 'GET',
  path: '/api/v1/sync/suggestions',
  scope: 'read_only',
  summary: 'List suggestions that syncs left to a person, newest first',
  description: `At most ${LIMITS.suggestionsListed}; \`total\` counts all. Nothing changes until a suggestion is accepted.`,
  query: z.object({
    status: queryList(SuggestionStatus).optional().meta({ description: 'Default: `open`' }),
    kind: queryList(SuggestionKind).optional(),
    connection_id: AnyId.optional(),
    account_id: AnyId.optional(),
  }),
  response: z.object({ suggestions: z.array(Suggestion), total: z.int() }),
  status: 200,
  errors: ['INVALID_PARAMETER'],
  effect: 'read',
  weight: 'light',
  etag: true,
  cli: { command: 'suggestions list' },
  example: { query: { status: 'open' }, response: { suggestions: [example], total: 1 } },
});

export const getSuggestion = defineOperation({
  name: 'getSuggestion',
  group,
  method: 'GET',
  path: '/api/v1/sync/suggestions/{id}',
  scope: 'read_only',
  summary: 'Get one suggestion',
  params,
  response: Suggestion,
  status: 200,
  errors: ['NOT_FOUND'],
  effect: 'read',
  weight: 'light',
  etag: true,
  cli: { command: 'suggestions get' },
  example: { params: { id: 'Sg7Hn2Qw' }, response: example },
});

export const acceptSuggestion = defineOperation({
  name: 'acceptSuggestion',
  group,
  method: 'POST',
  path: '/api/v1/sync/suggestions/{id}/accept',
  scope: 'full_access',
  summary: 'Accept a suggestion: merge two transactions, or two accounts, into one',
  description: [
    'The older transaction stays, with its category, tags and comments; it takes the amount, date and name of the newer',
    'one, which is deleted. For `same_account`, the two accounts become one; if both are connected to a bank, they are',
    'linked instead, so that totals count each purchase once. One revert undoes all of it. A dismissed',
    'suggestion can still be accepted.',
  ].join(' '),
  params,
  body: z.strictObject({
    transaction_id: AnyId.optional().meta({ description: 'The candidate; not needed if there is only one' }),
    account_id: AnyId.optional().meta({
      description: 'For `same_account`: the account; not needed if there is only one',
    }),
    alike: alike.meta({
      description: 'Also accept every other open suggestion of this kind and account that has one candidate',
    }),
  }),
  bodyOptional: true,
  response: Suggestion,
  status: 200,
  errors: ['INVALID_PARAMETER', 'VALIDATION_ERROR', 'NOT_FOUND', 'INVALID_STATE', 'CONFLICT'],
  effect: 'write',
  weight: 'heavy',
  cli: { command: 'suggestions accept', confirm: true },
  example: {
    params: { id: 'Sg7Hn2Qw' },
    body: {},
    response: { ...resolved, status: 'accepted', accepted_transaction_id: '0198c2b0-2222-7000-8000-000000000003' },
  },
});

export const dismissSuggestion = defineOperation({
  name: 'dismissSuggestion',
  group,
  method: 'POST',
  path: '/api/v1/sync/suggestions/{id}/dismiss',
  scope: 'full_access',
  summary: 'Dismiss a suggestion: the two stay apart and are never suggested again',
  params,
  body: z.strictObject({
    alike: alike.meta({
      description: 'Also dismiss every other open suggestion of this kind and account that has one candidate',
    }),
  }),
  bodyOptional: true,
  response: Suggestion,
  status: 200,
  errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'INVALID_STATE'],
  effect: 'write',
  unjournaled: true,
  weight: 'light',
  cli: { command: 'suggestions dismiss' },
  example: { params: { id: 'Sg7Hn2Qw' }, body: {}, response: { ...resolved, status: 'dismissed' } },
});

export const operations = [listSuggestions, getSuggestion, acceptSuggestion, dismissSuggestion];
