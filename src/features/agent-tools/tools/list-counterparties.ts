import { z } from 'zod';

import { LIMITS } from '../../../kernel/limits.ts';
import { listCategories } from '../../categories/categories.contract.ts';
import {
  Counterparty,
  CounterpartyDetail,
  getCounterparty,
  listCounterparties as operation,
} from '../../counterparties/counterparties.contract.ts';
import type { ReadContext } from '../../handler.ts';
import { refuseBeside } from '../parts/argument-pairs.ts';
import { Slug } from '../../../contract/common.ts';
import { fieldsOf } from '../results/result-schema.ts';
import { callOperation, pick } from '../call-operation.ts';
import { defineReadTool } from '../tool.ts';

const LIMIT = 100;
const SUMMARY = ['id', 'name', 'website_url', 'mcc'] as const;
const DETAILS = ['canonical_counterparty_id', 'transaction_count', 'totals', 'created_at', 'updated_at'] as const;

export const listCounterparties = defineReadTool({
  name: 'list_counterparties',
  title: 'List counterparties',
  description:
    'The merchants, employers and people that rows are linked to, by name. search matches part of the name. With ' +
    'counterparty_id: that counterparty with its totals per currency. merchant_summary also covers merchants without ' +
    'a counterparty.',
  scope: 'read_only',
  input: {
    search: z.string().optional(),
    counterparty_id: z.string().optional(),
    limit: z.int().min(1).max(LIMITS.pageMax).default(LIMIT),
  },
  output: {
    counterparties: z.array(
      fieldsOf(Counterparty, SUMMARY).extend({
        category: Slug.nullable(),
        ...fieldsOf(CounterpartyDetail, DETAILS).partial().shape,
      }),
    ),
    has_more: z.boolean(),
  },
  operations: ['listCounterparties', 'getCounterparty'],
  examples: [{ arguments: { search: 'market' }, says: 'Which markets do we buy from?' }],
  run: async (context, { search, counterparty_id: id, limit }) => {
    refuseBeside('counterparty_id', { counterparty_id: id, search }, ['search']);
    const slugOf = await categorySlugs(context);
    if (id !== undefined) {
      const found = await callOperation(context, getCounterparty, { params: { id } });
      const one = { ...pick(found, SUMMARY), category: slugOf(found.category_id), ...pick(found, DETAILS) };
      return { counterparties: [one], has_more: false };
    }
    const { counterparties: all } = await callOperation(context, operation, { query: { search } });
    const shown = all.slice(0, limit).map((one) => ({ ...pick(one, SUMMARY), category: slugOf(one.category_id) }));
    return { counterparties: shown, has_more: all.length > limit };
  },
});

async function categorySlugs(context: ReadContext): Promise<(id: string | null) => string | null> {
  const slugs = new Map((await callOperation(context, listCategories, {})).map(({ id, slug }) => [id, slug]));
  return (id) => (id === null ? null : (slugs.get(id) ?? null));
}
