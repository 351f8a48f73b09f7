import { z } from 'zod';

import { Code, Slug } from '../../../contract/common.ts';
import { Transaction } from '../../transactions/transaction-record.contract.ts';
import type { FieldName } from '../../transactions/transaction-fields.contract.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What agents see of a transaction in a list, in this order; where REST has another form, where that comes from. */
const COMPACT: Readonly<Record<string, FieldName>> = {
  id: 'id',
  date: 'date',
  amount: 'amount',
  iso_currency_code: 'iso_currency_code',
  name: 'name',
  counterparty_name: 'counterparty_name',
  category_slug: 'category',
  category_source: 'category_source',
  account_id: 'account_id',
  user_id: 'user_id',
  tags: 'tags',
  pending: 'pending',
  flagged: 'flagged_at',
};

export const COMPACT_NAMES: readonly string[] = Object.keys(COMPACT);

/** The fields of REST that `compactTransaction` needs, for `fields=`. */
export const COMPACT_FIELDS: readonly FieldName[] = [...new Set([...Object.values(COMPACT), 'short_id' as const])];

export function compactTransaction(record: Fields): Fields {
  const compacted = Object.entries(COMPACT).map(([name, field]) => [name, valueOf(name, record[field])] as const);
  return { ...Object.fromEntries(compacted), short_id: record['short_id'] };
}

function valueOf(name: string, value: unknown): unknown {
  if (name === 'flagged') return value !== null;
  return name === 'category_slug' ? ((value as { slug: string } | null)?.slug ?? null) : value;
}

/** A transaction as tools show it in lists, with the fields that were asked for. */
export const ListedTransaction = Transaction.partial().extend({
  category_slug: Slug.nullish(),
  flagged: z.boolean().optional(),
  repeat_group: Code.optional(),
});
