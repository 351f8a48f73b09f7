import { z } from 'zod';

import { describedAs } from '../../../contract/described-as.ts';
import type { sharedFilters } from '../../transactions/filters.contract.ts';

const given = (value: string): boolean => value !== '';
/** Leaving a filter out is different from sending nothing in it, which is probably a mistake. */
const EMPTY = 'must not be empty. Leave it out instead.';

const word = z.string().refine(given, EMPTY).optional();
/** Models that must send every argument say `any` where others leave it out. */
export const flag = describedAs(
  z
    .union(
      [
        z.boolean(),
        z.enum(['true', 'false']).transform((value) => value === 'true'),
        z.enum(['any', '']).transform(() => undefined),
      ],
      'must be true or false',
    )
    .optional(),
  z.enum(['any', 'true', 'false']).optional(),
);
const choice = z.enum(['include', 'exclude', 'only']).optional();

/** One text or a list of them. As a union, its JSON Schema would be twice as long, for every filter of every tool. */
const words = unionOf<string | string[]>(
  { type: ['string', 'array'], items: { type: 'string' } },
  z.union([z.string().refine(given), z.array(z.string().refine(given)).min(1)]),
  'must be a text or a list of texts, and not empty',
);
const money = unionOf<string | number>(
  { type: ['string', 'number'] },
  z.union([z.string().refine(given), z.number()]),
  'must be a decimal such as "-12.50", or a number',
);

function unionOf<T>(form: object, schema: z.ZodType<T>, message: string): z.ZodOptional<z.ZodType<T>> {
  const checked = z.unknown().refine((value) => schema.safeParse(value).success, message);
  return (checked.meta({ ...form }) as unknown as z.ZodType<T>).optional();
}

/** A text or a list of texts, for arguments that REST takes as a list. */
export const textOrList = words;

/**
 * The filters that transactions are read and chosen by (contract 10.4.1), as arguments of tools. Only their types are
 * checked here: what is in them is read like the query of the list.
 */
export const transactionFilters = {
  date_from: word,
  date_to: word,
  start_date: word,
  end_date: word,
  amount_min: money,
  amount_max: money,
  min_amount: money,
  max_amount: money,
  amount_abs_min: money,
  amount_abs_max: money,
  iso_currency_code: words,
  account_id: words,
  connection_id: words,
  user_id: words,
  category_id: words,
  category_slug: words,
  include_children: flag,
  category_kind: words,
  uncategorized: flag,
  counterparty_id: words,
  series_id: words,
  import_id: words,
  tag: words,
  tags_all: words,
  tags_none: words,
  pending: flag,
  flagged: flag,
  has_comment: flag,
  excluded_accounts: choice,
  dependent_accounts: choice,
  updated_since: word,
  search: word,
  search_mode: z.enum(['contains', 'words', 'fuzzy']).optional(),
  exclude_search: word,
} as const satisfies Record<keyof typeof sharedFilters, z.ZodType>;
