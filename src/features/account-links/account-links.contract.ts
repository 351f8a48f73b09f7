import { z } from 'zod';

import { AnyId, Code, Id, Instant, page, queryInteger, queryList, ShortId, Total } from '../../contract/common.ts';
import { defineOperation } from '../../contract/operation.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { MatchConfidence, TransactionMatch, exampleMatch } from '../transaction-matches/match-record.contract.ts';
import { Transaction, exampleTransaction } from '../transactions/transaction-record.contract.ts';

export const LinkWarning = z
  .enum(['few_matches', 'whole_account', 'uncovered_rows', 'primary_not_counted', 'no_spender'])
  .meta({ id: 'LinkWarning' });

/** The form of a list: seven fields and no more. */
export const AccountLink = z
  .object({
    id: Id,
    short_id: ShortId,
    primary_account_id: Id.meta({ description: 'The account of the person who owns the card' }),
    mirror_account_id: Id.meta({ description: 'The dependent account, which shows copies' }),
    kind: z.literal('dependent'),
    confidence: MatchConfidence.meta({
      description:
        'confirmed if all matches are confirmed; rejected if only rejected pairs are left; otherwise auto, also without matches',
    }),
    created_at: Instant,
  })
  .meta({ id: 'AccountLink' });

const count = z.int().min(0);
const Counts = {
  matched_count: count.meta({ description: 'Matches of the link, automatic or confirmed' }),
  unmatched_primary_count: count.meta({
    description:
      'Transactions of the primary account without a match, within the dates that the dependent account covers',
  }),
  unmatched_dependent_count: count.meta({ description: 'Transactions of the dependent account without a match' }),
};
export const Reconciliation = z.object(Counts).meta({ id: 'Reconciliation' });

const unmatchedTotals = z.array(Total).meta({
  description: 'Sums of the unmatched transactions of the dependent account, which are in no total',
});
const warnings = z.array(LinkWarning).meta({ description: 'Problems with an enabled link; empty if there are none' });
const toleranceDays = z.int(wholeDays()).min(0, wholeDays()).max(LIMITS.matchToleranceDays, wholeDays());
const MatchStrategy = z
  .literal('date_amount_name', 'must be date_amount_name')
  .meta({ description: 'Same currency and exact amount, dates at most `match_tolerance_days` apart, then the name' });

function wholeDays(): string {
  return `must be a whole number from 0 to ${LIMITS.matchToleranceDays}`;
}

/** Everything about a link. */
export const AccountLinkDetail = AccountLink.extend({
  dependent_account_id: Id.meta({ description: 'The same as `mirror_account_id`' }),
  primary_account_name: z.string(),
  dependent_account_name: z.string(),
  primary_user_name: z.string().nullable().meta({ description: 'Effective owner of the primary account' }),
  dependent_user_name: z.string().nullable().meta({ description: 'Effective owner of the dependent account' }),
  match_strategy: z.literal('date_amount_name'),
  match_tolerance_days: z.int(),
  attribute: z.boolean().meta({ description: 'Whether matched transactions are attributed to the dependent’s owner' }),
  enabled: z.boolean(),
  match_count: count,
  unmatched_primary_count: Counts.unmatched_primary_count,
  unmatched_dependent_count: Counts.unmatched_dependent_count,
  unmatched_dependent_totals: unmatchedTotals,
  warnings,
  updated_at: Instant,
}).meta({ id: 'AccountLinkDetail' });

const AccountLinkCreated = AccountLinkDetail.extend({ reconciliation: Reconciliation }).meta({
  id: 'AccountLinkCreated',
});

/** What a link would do if it were created. */
export const AccountLinkDryRun = z
  .object({
    dry_run: z.literal(true),
    reconciliation: Reconciliation,
    warnings,
    unmatched_dependent_totals: unmatchedTotals,
    tolerances: z
      .array(z.object({ match_tolerance_days: z.int(), matched_count: count }))
      .meta({ description: 'How many transactions would match at other tolerances' }),
    refused: z.boolean().meta({
      description: 'The link would be refused without `force`: the accounts do not look like copies of each other',
    }),
    sample_matches: z
      .array(
        z.object({
          primary_transaction_id: Id,
          dependent_transaction_id: Id,
          matched_on: z.array(Code),
          date_distance_days: z.int(),
        }),
      )
      .meta({ description: `At most ${LIMITS.sampleMatches}` }),
  })
  .meta({ id: 'AccountLinkDryRun' });

const exampleLink: z.input<typeof AccountLink> = {
  id: '0199e2c4-7d10-7b3a-8e55-0c6f1de2a901',
  short_id: 'Lk4PzT0a',
  primary_account_id: '0199e2a0-1f00-7aa1-9b10-5d2c11aa0001',
  mirror_account_id: '0199e2a0-1f00-7aa1-9b10-5d2c11aa0002',
  kind: 'dependent',
  confidence: 'auto',
  created_at: '2026-03-01T09:00:00.000Z',
};
const exampleTotal = {
  iso_currency_code: 'USD',
  transaction_count: 2,
  total_amount: '31.40',
  money_out: '31.40',
  money_in: '0.00',
};
const exampleDetail: z.input<typeof AccountLinkDetail> = {
  ...exampleLink,
  dependent_account_id: exampleLink.mirror_account_id,
  primary_account_name: 'Visa Gold',
  dependent_account_name: 'Visa Gold (authorised user)',
  primary_user_name: 'Ada',
  dependent_user_name: 'Ben',
  match_strategy: 'date_amount_name',
  match_tolerance_days: 1,
  attribute: true,
  enabled: true,
  match_count: 41,
  unmatched_primary_count: 7,
  unmatched_dependent_count: 2,
  unmatched_dependent_totals: [exampleTotal],
  warnings: [],
  updated_at: '2026-03-01T09:00:00.000Z',
};
const exampleCounts = { matched_count: 41, unmatched_primary_count: 7, unmatched_dependent_count: 2 };

const group = 'account-links';
const params = z.object({ id: AnyId });
const force = z.boolean().default(false).meta({
  description: 'Link the accounts even if they do not look like copies of each other',
});

export const listAccountLinks = defineOperation({
  name: 'listAccountLinks',
  group,
  method: 'GET',
  path: '/api/v1/account-links',
  scope: 'read_only',
  summary: 'List account links, newest first, disabled ones included',
  response: z.array(AccountLink),
  status: 200,
  errors: [],
  effect: 'read',
  weight: 'light',
  etag: true,
  cli: { command: 'account-links list' },
  example: { response: [exampleLink] },
});

export const getAccountLink = defineOperation({
  name: 'getAccountLink',
  group,
  method: 'GET',
  path: '/api/v1/account-links/{id}',
  scope: 'read_only',
  summary: 'Get an account link with its counts and warnings',
  params,
  response: AccountLinkDetail,
  status: 200,
  errors: ['NOT_FOUND'],
  effect: 'read',
  weight: 'heavy',
  etag: true,
  beside: [
    'primary_account_name',
    'dependent_account_name',
    'primary_user_name',
    'dependent_user_name',
    'match_count',
    'unmatched_primary_count',
    'unmatched_dependent_count',
    'unmatched_dependent_totals',
    'warnings',
  ],
  cli: { command: 'account-links get' },
  example: { params: { id: 'Lk4PzT0a' }, response: exampleDetail },
});

export const createAccountLink = defineOperation({
  name: 'createAccountLink',
  group,
  method: 'POST',
  path: '/api/v1/account-links',
  scope: 'full_access',
  summary: 'Link an account to another one that shows the same transactions',
  description:
    'The dependent account leaves all totals. Each of its transactions is matched to one of the primary account, which is ' +
    'then attributed to the dependent’s owner. Refused if the accounts do not look like copies of each other; a dry run ' +
    'shows what would match.',
  body: z.strictObject({
    primary_account_id: AnyId,
    dependent_account_id: AnyId.optional().meta({ description: 'Required, under this name or `mirror_account_id`' }),
    mirror_account_id: AnyId.optional().meta({ description: 'Synonym of `dependent_account_id`' }),
    match_strategy: MatchStrategy.optional(),
    match_tolerance_days: toleranceDays.default(0),
    attribute: z.boolean().default(true),
    enabled: z.boolean().default(true),
    force,
    dry_run: z.boolean().default(false).meta({ description: 'Show what would match, and change nothing' }),
  }),
  response: z.union([AccountLinkCreated, AccountLinkDryRun]),
  answers: { 201: AccountLinkCreated, 200: AccountLinkDryRun },
  status: 201,
  alsoStatus: [200],
  errors: ['VALIDATION_ERROR', 'INVALID_PARAMETER', 'CONFLICT'],
  effect: 'write',
  weight: 'heavy',
  cli: { command: 'account-links create' },
  example: {
    body: { primary_account_id: 'aB3dE5fG', dependent_account_id: 'dEp3nD3n', match_tolerance_days: 1 },
    response: { ...exampleDetail, reconciliation: exampleCounts },
  },
});

const change = {
  group,
  path: '/api/v1/account-links/{id}',
  scope: 'full_access',
  summary: 'Change the tolerance or attribution of an account link, or enable or disable it',
  description: 'Fields that are left out stay as they are. The two accounts of a link never change.',
  params,
  body: z.strictObject({
    match_strategy: MatchStrategy.optional(),
    match_tolerance_days: toleranceDays.optional(),
    attribute: z.boolean().optional(),
    enabled: z.boolean().optional(),
    force,
  }),
  response: AccountLinkDetail,
  status: 200,
  errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'CONFLICT'],
  effect: 'write',
  weight: 'heavy',
  example: { params: { id: 'Lk4PzT0a' }, body: { match_tolerance_days: 1 }, response: exampleDetail },
} as const;

export const replaceAccountLink = defineOperation({ ...change, name: 'replaceAccountLink', method: 'PUT' });

export const updateAccountLink = defineOperation({
  ...change,
  name: 'updateAccountLink',
  method: 'PATCH',
  cli: { command: 'account-links update' },
});

export const deleteAccountLink = defineOperation({
  name: 'deleteAccountLink',
  group,
  method: 'DELETE',
  path: '/api/v1/account-links/{id}',
  scope: 'full_access',
  summary: 'Delete an account link: the dependent account counts in totals again',
  description:
    'Also deletes its matches and the attributions that they set. Reverting the change set restores everything.',
  params,
  response: null,
  status: 204,
  errors: ['NOT_FOUND'],
  effect: 'write',
  weight: 'heavy',
  cli: { command: 'account-links delete', confirm: true },
  example: { params: { id: 'Lk4PzT0a' }, response: null },
});

export const reconcileAccountLink = defineOperation({
  name: 'reconcileAccountLink',
  group,
  method: 'POST',
  path: '/api/v1/account-links/{id}/reconcile',
  scope: 'full_access',
  summary: 'Match the transactions of an account link again',
  description: 'This also happens after each sync and import. Confirmed and rejected pairs stay as they are.',
  params,
  body: z.strictObject({
    dry_run: z.boolean().default(false).meta({ description: 'Count what would match, and change nothing' }),
  }),
  bodyOptional: true,
  response: Reconciliation.extend({ dry_run: z.literal(true).optional() }),
  status: 200,
  errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'CONFLICT'],
  effect: 'write',
  weight: 'heavy',
  cli: { command: 'account-links reconcile' },
  example: { params: { id: 'Lk4PzT0a' }, response: exampleCounts },
});

const paging = { limit: queryInteger(1, LIMITS.pageMax).optional(), cursor: z.string().optional() };

export const listLinkMatches = defineOperation({
  name: 'listLinkMatches',
  group,
  method: 'GET',
  path: '/api/v1/account-links/{id}/matches',
  scope: 'read_only',
  summary: 'List matches of an account link, newest first',
  params,
  query: z.object({
    confidence: queryList(MatchConfidence).default(['auto', 'confirmed']),
    transaction_id: AnyId.optional().meta({ description: 'Only matches of this transaction, on either side' }),
    ...paging,
  }),
  response: page('matches', TransactionMatch),
  status: 200,
  errors: ['NOT_FOUND', 'INVALID_PARAMETER', 'INVALID_CURSOR'],
  effect: 'read',
  weight: 'light',
  cli: { command: 'account-links matches' },
  example: {
    params: { id: 'Lk4PzT0a' },
    query: { confidence: 'auto' },
    response: { matches: [exampleMatch], next_cursor: '', has_more: false, limit: 50 },
  },
});

export const listUnmatched = defineOperation({
  name: 'listUnmatched',
  group,
  method: 'GET',
  path: '/api/v1/account-links/{id}/unmatched',
  scope: 'read_only',
  summary: 'List transactions of an account link that have no match, newest first',
  description: 'The transactions that `unmatched_primary_count` or `unmatched_dependent_count` counts.',
  params,
  query: z.object({
    side: z.enum(['primary', 'dependent'], 'must be primary or dependent'),
    ...paging,
  }),
  response: page('transactions', Transaction),
  status: 200,
  errors: ['NOT_FOUND', 'INVALID_PARAMETER', 'INVALID_CURSOR'],
  effect: 'read',
  weight: 'heavy',
  cli: { command: 'account-links unmatched' },
  example: {
    params: { id: 'Lk4PzT0a' },
    query: { side: 'dependent' },
    response: { transactions: [exampleTransaction], next_cursor: '', has_more: false, limit: 50 },
  },
});

export const operations = [
  listAccountLinks,
  getAccountLink,
  createAccountLink,
  replaceAccountLink,
  updateAccountLink,
  deleteAccountLink,
  reconcileAccountLink,
  listLinkMatches,
  listUnmatched,
];
