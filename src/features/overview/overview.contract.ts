import { z } from 'zod';

import { AnyId, Code, Currency, DateOnly, Id, Instant, Money, queryList, UserRef } from '../../contract/common.ts';
import { defineOperation } from '../../contract/operation.ts';

const group = 'overview';

/** What a household owns and owes in one currency, as decimals. */
const worth = {
  assets: Money.meta({ description: 'Balances of all accounts except those of the types credit and loan' }),
  liabilities: Money.meta({ description: 'Balances of accounts of the types credit and loan; positive means owed' }),
  net: Money.meta({ description: 'assets − liabilities' }),
};

const BalanceOfCurrency = z
  .object({
    iso_currency_code: Currency.nullable(),
    ...worth,
    account_count: z.int(),
  })
  .meta({ id: 'BalanceOfCurrency' });

const ATTENTION_CODES = [
  'reauth_required',
  'connection_error',
  'provider_not_configured',
  'consent_expiring',
  'sync_stale',
  'account_missing',
  'new_accounts_available',
  'suggestions_open',
  'revocation_pending',
  'balance_mismatch',
  'workflow_failed',
  'backup_failed',
  'open_proposals',
  'unread_reports',
  'flagged_transactions',
] as const;

export const Attention = z
  .object({
    code: z.enum(ATTENTION_CODES),
    severity: z.enum(['critical', 'warning', 'info']),
    message: z.string().meta({ description: 'What needs attention, for people to read' }),
    count: z.int(),
    subject_type: Code.meta({ description: 'What `subject_id` refers to, such as connection or account' }),
    subject_id: Id.nullable().meta({ description: 'null if several are concerned' }),
    since: Instant.nullable(),
  })
  .meta({ id: 'Attention' });

const counts = z.object({
  accounts: z.int(),
  connections: z.int().meta({ description: 'Disconnected ones are not counted' }),
  transactions: z.int(),
  pending: z.int(),
  categories: z.int(),
  tags: z.int(),
  rules: z.int(),
  series: z.int(),
  counterparties: z.int(),
});

const backlog = z.object({
  uncategorized_count: z.int(),
  needs_review_count: z.int().meta({ description: 'Transactions with the tag needs-review' }),
  flagged_count: z.int(),
  unread_reports_count: z.int(),
  open_proposals_count: z.int(),
  open_suggestions_count: z.int(),
  failed_runs_24h: z.int(),
});

export const getOverview = defineOperation({
  name: 'getOverview',
  group,
  method: 'GET',
  path: '/api/v1/overview',
  scope: 'read_only',
  summary: 'Get balances, counts, open work and what needs attention',
  description:
    'Balances never mix currencies. They leave out accounts that are excluded, linked as dependent, or whose ' +
    'connection is disconnected or gone, and accounts without a balance.',
  query: z.object({
    user_id: AnyId.optional().meta({
      description: 'Only balances, accounts, connections and transactions of this effective owner',
    }),
  }),
  response: z
    .object({
      as_of: Instant,
      timezone: Code,
      members: z.array(z.object({ user_id: UserRef, name: z.string() })),
      balances: z.array(BalanceOfCurrency).meta({ description: 'By currency, null last' }),
      counts,
      period: z
        .object({ earliest_date: DateOnly.nullable(), latest_date: DateOnly.nullable() })
        .meta({ description: 'Days of the first and last transaction' }),
      freshness: z.object({
        last_sync_at: Instant.nullable().meta({ description: 'Last successful sync or import' }),
        next_sync_at: Instant.nullable(),
        added_24h: z.int(),
        added_7d: z.int(),
      }),
      backlog,
      attention: z.array(Attention).meta({ description: 'Most severe first, then newest' }),
    })
    .meta({ id: 'Overview' }),
  status: 200,
  errors: ['INVALID_PARAMETER'],
  effect: 'read',
  weight: 'heavy',
  cli: { command: 'overview show' },
  example: {
    response: {
      as_of: '2026-07-01T09:00:00.000Z',
      timezone: 'Europe/Amsterdam',
      members: [{ user_id: 'uB4x90Lm', name: 'Ana' }],
      balances: [
        { iso_currency_code: 'EUR', assets: '5210.40', liabilities: '312.00', net: '4898.40', account_count: 3 },
      ],
      counts: {
        accounts: 3,
        connections: 2,
        transactions: 4120,
        pending: 2,
        categories: 122,
        tags: 1,
        rules: 9,
        series: 4,
        counterparties: 37,
      },
      period: { earliest_date: '2024-01-02', latest_date: '2026-06-30' },
      freshness: {
        last_sync_at: '2026-07-01T06:00:04.120Z',
        next_sync_at: '2026-07-01T18:03:11.000Z',
        added_24h: 6,
        added_7d: 41,
      },
      backlog: {
        uncategorized_count: 12,
        needs_review_count: 6,
        flagged_count: 1,
        unread_reports_count: 0,
        open_proposals_count: 0,
        open_suggestions_count: 0,
        failed_runs_24h: 0,
      },
      attention: [
        {
          code: 'flagged_transactions',
          severity: 'info',
          message: '1 transaction is flagged.',
          count: 1,
          subject_type: 'transaction',
          subject_id: null,
          since: '2026-07-01T08:10:41.220Z',
        },
      ],
    },
  },
});

const HistoryPoint = z
  .object({
    date: DateOnly,
    ...worth,
    derived: z.boolean().meta({
      description: 'Whether a balance was calculated from another day’s balance and the transactions in between',
    }),
  })
  .meta({ id: 'HistoryPoint' });

export const getOverviewHistory = defineOperation({
  name: 'getOverviewHistory',
  group,
  method: 'GET',
  path: '/api/v1/overview/history',
  scope: 'read_only',
  summary: 'Get what was owned and owed over time, per currency',
  description:
    'A point is the last day of its interval; the last point is `date_to`. Days without a reported balance are calculated ' +
    'from the nearest one and the posted transactions in between. The accounts are those counted in the balances of the overview, ' +
    'or exactly the ones you name.',
  query: z.object({
    date_from: DateOnly.optional().meta({ description: 'Inclusive; by default 365 days up to `date_to`' }),
    date_to: DateOnly.optional().meta({ description: 'Inclusive; today by default' }),
    interval: z
      .enum(['day', 'week', 'month'])
      .optional()
      .meta({ description: 'By default day up to 92 days, week up to 731, otherwise month' }),
    user_id: queryList(AnyId).optional().meta({ description: 'Only accounts of these effective owners' }),
    account_id: queryList(AnyId).optional().meta({ description: 'Exactly these accounts, even excluded ones' }),
  }),
  response: z
    .object({
      interval: z.enum(['day', 'week', 'month']),
      date_from: DateOnly,
      date_to: DateOnly,
      series: z
        .array(z.object({ iso_currency_code: Currency.nullable(), points: z.array(HistoryPoint) }))
        .meta({ description: 'By currency, null last' }),
    })
    .meta({ id: 'OverviewHistory' }),
  status: 200,
  errors: ['INVALID_PARAMETER'],
  effect: 'read',
  weight: 'heavy',
  etag: true,
  cli: { command: 'overview history' },
  example: {
    query: { date_from: '2026-06-08', date_to: '2026-06-10' },
    response: {
      interval: 'day',
      date_from: '2026-06-08',
      date_to: '2026-06-10',
      series: [
        {
          iso_currency_code: 'EUR',
          points: [
            { date: '2026-06-08', assets: '130.00', liabilities: '0.00', net: '130.00', derived: true },
            { date: '2026-06-09', assets: '100.00', liabilities: '0.00', net: '100.00', derived: true },
            { date: '2026-06-10', assets: '100.00', liabilities: '0.00', net: '100.00', derived: false },
          ],
        },
      ],
    },
  },
});

export const operations = [getOverview, getOverviewHistory];
