import { z } from 'zod';

import { Currency, DateOnly, MoneyInput, clearableText, name, text } from '../../contract/common.ts';
import { defineOperation } from '../../contract/operation.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { MetadataMap } from './metadata.contract.ts';
import { TagList } from './transaction-bulk.contract.ts';
import { Transaction, exampleTransaction } from './transaction-record.contract.ts';

// What identifies nothing is an INVALID_PARAMETER, even when it is too long to be an id.
const anyName = text(LIMITS.jsonBodyBytes);
const oneOf = { message: 'send only one of category_id and category_slug', path: ['category_slug'] };

export const createTransaction = defineOperation({
  name: 'createTransaction',
  group: 'transactions',
  method: 'POST',
  path: '/api/v1/transactions',
  scope: 'full_access',
  summary: 'Create a transaction by hand, such as a cash purchase',
  description:
    'Only in accounts kept by hand or by bank files. Rules with the trigger `create` run on it, but never change what the ' +
    'request sets, including null. If a file imported later contains the same transaction, it adopts this one instead of ' +
    'adding a second.',
  body: z
    .strictObject({
      account_id: anyName.meta({ description: 'UUID or short_id' }),
      date: DateOnly,
      amount: MoneyInput.meta({ description: 'Positive is money out', example: '12.34' }),
      name: name(LIMITS.transactionNameChars),
      iso_currency_code: Currency.nullable()
        .optional()
        .meta({ description: 'Defaults to the currency of the account' }),
      merchant_name: clearableText(LIMITS.merchantNameChars).optional(),
      category_id: anyName
        .nullable()
        .optional()
        .meta({ description: 'UUID, short_id or slug; null for deliberately none' }),
      category_slug: anyName.nullable().optional().meta({ description: 'Slug; null for deliberately none' }),
      counterparty_id: anyName
        .nullable()
        .optional()
        .meta({ description: 'UUID or short_id; null for deliberately none' }),
      series_id: anyName.nullable().optional().meta({ description: 'UUID or short_id; null for deliberately none' }),
      tags: TagList.meta({ description: 'Slugs; a tag that does not exist is created' }),
      comment: name(LIMITS.commentChars).optional(),
      metadata: MetadataMap.optional(),
    })
    .refine((body) => body.category_id === undefined || body.category_slug === undefined, oneOf),
  response: Transaction,
  status: 201,
  errors: ['VALIDATION_ERROR', 'INVALID_PARAMETER', 'CONFLICT'],
  effect: 'write',
  weight: 'light',
  cli: { command: 'transactions add' },
  example: {
    body: {
      account_id: 'aB3dE5fG',
      date: '2026-04-25',
      amount: '23.40',
      name: 'Corner Cafe',
      category_slug: 'food_and_drink_coffee',
      tags: ['cash'],
    },
    response: { ...exampleTransaction, provider: 'csv', category_source: 'person', tags: ['cash'] },
  },
});

export const operations = [createTransaction];
