import { z } from 'zod';

import { AnyId, Currency, DateOnly, QueryBoolean, QueryCents, QueryInstant, queryList } from '../../contract/common.ts';
import { CategoryKind } from '../categories/categories.contract.ts';

const AccountChoice = z.enum(['include', 'exclude', 'only']).meta({ id: 'AccountChoice' });
const SearchMode = z.enum(['contains', 'words', 'fuzzy'], 'contains, words or fuzzy').meta({ id: 'SearchMode' });
const ids = queryList(AnyId);
const slugs = queryList(z.string().min(1).max(100));
const positive = QueryCents.refine((cents) => cents >= 0, 'must not be negative');

/** The filters that list, count, summary, merchants and export share (contract 10.4.1). A row must match all of them. */
export const sharedFilters = {
  date_from: DateOnly.optional().meta({ description: 'Inclusive' }),
  date_to: DateOnly.optional().meta({ description: 'Inclusive' }),
  start_date: DateOnly.optional().meta({ description: 'Inclusive; the start of a half-open range' }),
  end_date: DateOnly.optional().meta({ description: 'Exclusive; the end of a half-open range' }),
  amount_min: QueryCents.optional().meta({ description: 'Signed, inclusive' }),
  amount_max: QueryCents.optional().meta({ description: 'Signed, inclusive' }),
  min_amount: QueryCents.optional().meta({ description: 'Synonym of amount_min' }),
  max_amount: QueryCents.optional().meta({ description: 'Synonym of amount_max' }),
  amount_abs_min: positive.optional().meta({ description: 'On the absolute value, inclusive' }),
  amount_abs_max: positive.optional().meta({ description: 'On the absolute value, inclusive' }),
  iso_currency_code: queryList(Currency).optional(),
  account_id: ids.optional(),
  connection_id: ids.optional(),
  user_id: ids.optional().meta({ description: 'Effective owner' }),
  category_id: ids.optional().meta({ description: 'UUID, short_id or slug' }),
  category_slug: slugs.optional(),
  include_children: QueryBoolean.default(true).meta({ description: 'A top-level category also matches its children' }),
  category_kind: queryList(CategoryKind).optional(),
  uncategorized: QueryBoolean.optional(),
  counterparty_id: ids.optional(),
  series_id: ids.optional(),
  import_id: ids.optional(),
  tag: slugs.optional().meta({ description: 'Any of these tags' }),
  tags_all: slugs.optional().meta({ description: 'Every one of these tags' }),
  tags_none: slugs.optional().meta({ description: 'None of these tags' }),
  pending: QueryBoolean.optional(),
  flagged: QueryBoolean.optional(),
  has_comment: QueryBoolean.optional(),
  excluded_accounts: AccountChoice.optional(),
  dependent_accounts: AccountChoice.optional(),
  updated_since: QueryInstant.optional().meta({ description: 'Only transactions updated at or after this instant' }),
  search: z.string().optional().meta({ description: 'Comma-separated terms; a transaction matches if any term does' }),
  search_mode: SearchMode.default('contains'),
  exclude_search: z
    .string()
    .optional()
    .meta({ description: 'Comma-separated terms; leaves out transactions that contain any of them' }),
};

export const deletedFilter = {
  deleted: QueryBoolean.default(false).meta({ description: 'true: only deleted transactions' }),
};

const Filters = z.object({ ...sharedFilters, deleted: deletedFilter.deleted.optional() });
/** The shared filters as parsed; `deleted` is absent if an endpoint does not take it. */
export type TransactionFilters = z.output<typeof Filters>;

/** Names of the shared filters, to pick them from a larger query. */
export const FILTER_NAMES = Object.keys(Filters.shape) as (keyof TransactionFilters)[];
