import { z } from 'zod';

import {
  AnyId,
  Code,
  CurrencyCode,
  DateOnly,
  Id,
  Money,
  oneOf,
  queryInteger,
  queryList,
  Slug,
} from '../../contract/common.ts';
import { defineOperation } from '../../contract/operation.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { exampleTransaction, Transaction } from '../transactions/transaction-record.contract.ts';

/** Why a transaction waits, in the order in which it is asked: it is in the group of the first that fits. */
export const REVIEW_REASONS = ['needs_review', 'uncategorized', 'flagged'] as const;
export const ReviewReason = oneOf(REVIEW_REASONS).meta({ id: 'ReviewReason' });

const Guess = z
  .object({
    category_id: Id,
    category_slug: Slug,
    category_name: z.string(),
    from: z.enum(['present', 'history']).meta({
      description: 'present: the category that it has; history: what people chose for its kind before',
    }),
    count: z.int().nullable().meta({ description: 'How many of the newest 20 have this category; null for present' }),
  })
  .meta({ id: 'ReviewGuess' });

export const ReviewGroup = z
  .object({
    key: Code.meta({ description: 'Tells groups apart; its form means nothing' }),
    reason: ReviewReason,
    label: z.string().meta({ description: 'Counterparty, or else merchant, or else text of the newest one' }),
    direction: z.enum(['out', 'in']).meta({ id: 'ReviewDirection' }),
    iso_currency_code: CurrencyCode.nullable(),
    counterparty_id: Id.nullable(),
    category_id: Id.nullable().meta({ description: 'The category that all of them have' }),
    transaction_count: z.int(),
    total_amount: Money,
    first_date: DateOnly,
    last_date: DateOnly,
    transaction_ids: z.array(Id).meta({ description: 'Newest first' }),
    sample: z.array(Transaction).meta({ description: 'The three newest' }),
    guess: Guess.nullable().meta({ description: 'The category that it probably belongs in' }),
  })
  .meta({ id: 'ReviewGroup' });

export const getReview = defineOperation({
  name: 'getReview',
  group: 'review',
  method: 'GET',
  path: '/api/v1/review',
  scope: 'read_only',
  summary: 'Get what waits for a look, in groups of the same kind',
  description:
    'A transaction waits because it has the tag needs-review (`needs_review`), because it counts in totals or would once ' +
    'booked, and has no category that anybody chose (`uncategorized`), or because it is flagged (`flagged`). It is in one ' +
    'group only, that of the first reason that fits. A group has one counterparty, merchant or kind of text, one direction, ' +
    'one currency and one category. Groups are made of the newest ' +
    `${LIMITS.reviewRows.toLocaleString('en')} transactions that wait.`,
  query: z.object({
    reason: queryList(ReviewReason).optional(),
    user_id: queryList(AnyId).optional().meta({ description: 'Effective owner' }),
    account_id: queryList(AnyId).optional(),
    limit: queryInteger(1, LIMITS.pageMax).default(LIMITS.pageDefault).meta({ description: 'Groups' }),
  }),
  response: z
    .object({
      groups: z.array(ReviewGroup).meta({ description: 'By reason, then the largest first' }),
      total_groups: z.int().meta({ description: 'Without `limit`' }),
      total_rows: z
        .object({ needs_review: z.int(), uncategorized: z.int(), flagged: z.int() })
        .meta({ description: 'Transactions that wait, by reason, whether or not a group shows them' }),
      truncated: z.boolean().meta({ description: 'More transactions wait than the groups are made of' }),
    })
    .meta({ id: 'Review' }),
  status: 200,
  errors: ['INVALID_PARAMETER'],
  effect: 'read',
  weight: 'heavy',
  etag: true,
  cli: { command: 'review show' },
  example: {
    query: { limit: '1' },
    response: {
      groups: [
        {
          key: 'x4bX0aQ2v7p1kUe8Jw3mTg',
          reason: 'needs_review',
          label: 'Corner Cafe',
          direction: 'out',
          iso_currency_code: 'USD',
          counterparty_id: null,
          category_id: exampleTransaction.category_id,
          transaction_count: 1,
          total_amount: '23.40',
          first_date: '2026-04-25',
          last_date: '2026-04-25',
          transaction_ids: [exampleTransaction.id],
          sample: [exampleTransaction as z.input<typeof Transaction>],
          guess: {
            category_id: exampleTransaction.category_id,
            category_slug: 'food_and_drink_coffee',
            category_name: 'Coffee Shops',
            from: 'present',
            count: null,
          },
        },
      ],
      total_groups: 4,
      total_rows: { needs_review: 6, uncategorized: 2, flagged: 0 },
      truncated: false,
    },
  },
});

export const operations = [getReview];
