import { z } from 'zod';

import { AnyId } from '../../contract/common.ts';
import { defineOperation } from '../../contract/operation.ts';
import { TransactionMatch, exampleMatch } from './match-record.contract.ts';

const group = 'transaction-matches';
const params = z.object({ id: AnyId });

export const confirmMatch = defineOperation({
  name: 'confirmMatch',
  group,
  method: 'POST',
  path: '/api/v1/transaction-matches/{id}/confirm',
  scope: 'full_access',
  summary: 'Confirm that two transactions are the same purchase',
  description:
    'Matching never undoes a confirmed pair. A rejected pair can be confirmed unless one of its transactions is in another confirmed pair, deleted or pending.',
  params,
  body: z.strictObject({}),
  bodyOptional: true,
  response: TransactionMatch,
  status: 200,
  errors: ['NOT_FOUND', 'CONFLICT'],
  effect: 'write',
  weight: 'light',
  cli: { command: 'matches confirm' },
  example: { params: { id: 'm7Yq2WcD' }, body: {}, response: { ...exampleMatch, confidence: 'confirmed' } },
});

export const rejectMatch = defineOperation({
  name: 'rejectMatch',
  group,
  method: 'POST',
  path: '/api/v1/transaction-matches/{id}/reject',
  scope: 'full_access',
  summary: 'Reject a match: the two transactions are not the same purchase',
  description:
    'The pair is never matched again. Each of the two transactions can be matched with another one immediately.',
  params,
  body: z.strictObject({}),
  bodyOptional: true,
  response: TransactionMatch,
  status: 200,
  errors: ['NOT_FOUND'],
  effect: 'write',
  weight: 'light',
  cli: { command: 'matches reject' },
  example: {
    params: { id: 'm7Yq2WcD' },
    body: {},
    response: { ...exampleMatch, confidence: 'rejected', attributed_user_id: null },
  },
});

export const matchByHand = defineOperation({
  name: 'matchByHand',
  group,
  method: 'POST',
  path: '/api/v1/transaction-matches/manual',
  scope: 'full_access',
  summary: 'Pair two transactions by hand',
  description:
    'Amounts and dates may differ. The new pair replaces automatic matches of either transaction, but not confirmed ones.',
  body: z.strictObject({
    primary_transaction_id: AnyId.meta({ description: 'A transaction of the primary account' }),
    dependent_transaction_id: AnyId.meta({ description: 'Its copy in the dependent account' }),
    account_link_id: AnyId.optional().meta({ description: 'The link between the two accounts; may be left out' }),
  }),
  response: TransactionMatch,
  status: 201,
  errors: ['INVALID_PARAMETER', 'CONFLICT'],
  effect: 'write',
  weight: 'light',
  cli: { command: 'matches manual' },
  example: {
    body: {
      primary_transaction_id: exampleMatch.primary_transaction_id,
      dependent_transaction_id: exampleMatch.dependent_transaction_id,
    },
    response: { ...exampleMatch, confidence: 'confirmed', matched_on: ['manual'] },
  },
});

export const operations = [confirmMatch, rejectMatch, matchByHand];
