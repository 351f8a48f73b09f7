import { z } from 'zod';

import { Id } from '../../../contract/common.ts';
import type { InputOf } from '../../../contract/operation.ts';
import { LIMITS } from '../../../kernel/limits.ts';
import { parseBody } from '../../parse-input.ts';
import { addedBefore, withRenamedFields } from '../../transactions/index.ts';
import { createTransaction } from '../../transactions/transaction-create.contract.ts';
import { getTransaction } from '../../transactions/transactions.contract.ts';
import { inForm } from '../arguments/argument.ts';
import { TAGS } from '../arguments/forms.ts';
import { callOperation } from '../call-operation.ts';
import { compactTransaction, ListedTransaction } from '../parts/compact-transaction.ts';
import { defineWriteTool } from '../tool.ts';

type Wanted = InputOf<typeof createTransaction>['body'];

// The operation judges the values; this only tells agents what there is.
const New = z.strictObject({
  account_id: z.string(),
  date: z.string().meta({ description: 'YYYY-MM-DD' }),
  amount: z.string().meta({ description: 'Positive is money out' }),
  name: z.string(),
  merchant_name: z.string().optional(),
  category_slug: z.string().nullable().optional(),
  tags: inForm(z.array(z.unknown()), TAGS).optional(),
  comment: z.string().optional(),
});

export const addTransactions = defineWriteTool({
  name: 'add_transactions',
  title: 'Add transactions by hand',
  description:
    'Adds up to 100 transactions, such as cash purchases, to accounts that no bank feeds; all or none. Equal items are as ' +
    'many rows; one that you added within 24 hours is answered with `existing` instead. A bank file adopts it later.',
  action: 'transactions.create',
  isProposable: true,
  isIdempotent: true,
  weight: 'heavy',
  input: { transactions: z.array(New).min(1).max(LIMITS.transactionsAdded) },
  output: {
    transactions: z.array(ListedTransaction.extend({ existing: z.boolean().optional() })),
    change_set_id: Id.nullable(),
  },
  operations: ['createTransaction', 'getTransaction'],
  examples: [
    {
      arguments: {
        transactions: [
          {
            account_id: 'aB3dE5fG',
            date: '2026-04-25',
            amount: '23.40',
            name: 'Corner Cafe',
            category_slug: 'food_and_drink_coffee',
          },
        ],
      },
      says: 'Note a coffee that was paid in cash.',
    },
  ],
  run: async (context, { transactions }) => {
    const { journal } = context.tx;
    const wanted: Wanted[] = [];
    for (const [index, one] of transactions.entries()) {
      const parse = (): Wanted => parseBody(createTransaction, one) as Wanted;
      wanted.push(await withRenamedFields((path) => `transactions[${index}].${path}`, parse));
    }
    const earlier = await addedBefore(context, wanted);
    const rows: object[] = [];
    for (const [index, body] of transactions.entries()) {
      const id = earlier[index] ?? null;
      const argumentOf = Object.fromEntries(Object.keys(body).map((name) => [name, `transactions[${index}].${name}`]));
      const record =
        id === null
          ? await callOperation(context, createTransaction, { body, argumentOf })
          : await callOperation(context, getTransaction, { params: { id } });
      rows.push({ ...compactTransaction(record), ...(id === null ? {} : { existing: true }) });
    }
    const count = earlier.filter((id) => id === null).length;
    journal.summarise(count === 1 ? 'Created a transaction by hand' : `Created ${count} transactions by hand`);
    return { transactions: rows, change_set_id: journal.isEmpty() ? null : journal.changeSetId };
  },
});
