import { z } from 'zod';

import { Currency, DateOnly, Id, Instant, Money, ShortId, UserRef } from '../../contract/common.ts';

export const MatchConfidence = z.enum(['auto', 'confirmed', 'rejected']).meta({ id: 'MatchConfidence' });

const MatchSide = z
  .object({
    name: z.string(),
    merchant_name: z.string().nullable(),
    amount: Money,
    iso_currency_code: Currency.nullable(),
    date: DateOnly,
  })
  .meta({ id: 'MatchSide' });

/** A row of the primary account and its copy in the dependent one (contract 50.2.1). */
export const TransactionMatch = z
  .object({
    id: Id,
    short_id: ShortId,
    account_link_id: Id,
    primary_transaction_id: Id,
    dependent_transaction_id: Id,
    confidence: MatchConfidence.meta({
      description: 'auto: found by Homeledger; confirmed and rejected: decided by a person or agent',
    }),
    matched_on: z
      .array(z.enum(['date', 'amount', 'merchant_name', 'name', 'manual']))
      .meta({ description: 'What the two have in common; `manual` for a pair made by hand' }),
    date_distance_days: z.int().meta({ description: 'Days between the two rows as they are now' }),
    attributed_user_id: UserRef.nullable().meta({
      description: 'The household member that this match attributes the primary row to',
    }),
    primary: MatchSide,
    dependent: MatchSide,
    created_at: Instant,
    updated_at: Instant,
  })
  .meta({ id: 'TransactionMatch' });

export const exampleMatch: z.input<typeof TransactionMatch> = {
  id: '0199e2c4-9a00-7c11-a0f3-77b0c2d4e5f6',
  short_id: 'm7Yq2WcD',
  account_link_id: '0199e2c4-7d10-7b3a-8e55-0c6f1de2a901',
  primary_transaction_id: '0199e2b1-0000-7000-8000-000000000011',
  dependent_transaction_id: '0199e2b1-0000-7000-8000-000000000022',
  confidence: 'auto',
  matched_on: ['date', 'amount', 'merchant_name'],
  date_distance_days: 0,
  attributed_user_id: 'bEn00001',
  primary: {
    name: 'CORNER MARKET 114',
    merchant_name: 'Corner Market',
    amount: '42.10',
    iso_currency_code: 'USD',
    date: '2026-03-04',
  },
  dependent: {
    name: 'CORNER MARKET',
    merchant_name: 'Corner Market',
    amount: '42.10',
    iso_currency_code: 'USD',
    date: '2026-03-04',
  },
  created_at: '2026-03-05T06:00:00.000Z',
  updated_at: '2026-03-05T06:00:00.000Z',
};
