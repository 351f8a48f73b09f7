import { z } from 'zod';

import { hidden, inForm } from '../arguments/argument.ts';
import { EITHER } from '../arguments/forms.ts';
import type { sharedFilters } from '../../transactions/filters.contract.ts';

const given = (value: string): boolean => value !== '';
/** Leaving a filter out is different from sending nothing in it, which is probably a mistake. */
const EMPTY = 'must not be empty. Leave it out instead.';

const word = z.string().refine(given, EMPTY).optional();
const synonym = hidden(z.string().refine(given, EMPTY).optional());
/** Yes, no or either. */
export const flag = inForm(z.boolean().optional(), EITHER);
const choice = z.enum(['include', 'exclude', 'only']).optional();
const words = z.array(z.string().refine(given, EMPTY)).optional();

/** A list of texts. One alone, or several with commas between them, are taken too. */
export const textOrList = words;

/**
 * The filters that transactions are read and chosen by (contract 10.4.1), as arguments of tools. Only their types are
 * checked here: what is in them is read like the query of the list.
 */
export const transactionFilters = {
  date_from: word,
  date_to: word,
  start_date: synonym,
  end_date: synonym,
  amount_min: word,
  amount_max: word,
  min_amount: synonym,
  max_amount: synonym,
  amount_abs_min: word,
  amount_abs_max: word,
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
