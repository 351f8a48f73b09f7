import { z } from 'zod';

import { AnyId, Currency, DateOnly, QueryBoolean, QueryCents, QueryInstant, queryList } from '../../contract/common.ts';
import { describedAs } from '../../contract/described-as.ts';
import { CategoryKind } from '../categories/categories.contract.ts';

const AccountChoice = z.enum(['include', 'exclude', 'only']).meta({ id: 'AccountChoice' });
const SearchMode = z
  .enum(['contains', 'words', 'fuzzy'], 'must be contains, words or fuzzy')
  .meta({ id: 'SearchMode' });
const CategoryKindOrNone = z
  .enum([...CategoryKind.options, 'none'], 'must be income, expense, transfer or none')
  .meta({ id: 'CategoryKindOrNone' });
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
  category_kind: queryList(CategoryKindOrNone)
    .optional()
    .meta({ description: 'none: transactions without a category' }),
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
  updated_since: QueryInstant.optional().meta({
    description:
      'Only transactions updated at or after this instant. What they show of another record, such as the name of their account, ' +
      'category or counterparty, changes without an update',
  }),
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

/** They modify other filters and restrict nothing by themselves. */
const MODIFIERS: ReadonlySet<string> = new Set(['include_children', 'search_mode']);

/**
 * The shared filters as a JSON object (contract 10.4.1). Only the names are checked here. A wrong value is an
 * INVALID_PARAMETER, as in a query, and is found when the filter is resolved.
 */
export const BodyFilter = z
  .strictObject(
    Object.fromEntries(
      Object.entries(sharedFilters).map(([filter, form]) => [filter, describedAs(z.unknown().optional(), form)]),
    ),
  )
  .refine(restricts, 'contains no filter. To select every transaction, send `all: true` instead.')
  .meta({
    id: 'TransactionFilter',
    description: 'The same filters as in the list of transactions; all of them must match',
  });
export type BodyFilter = z.output<typeof BodyFilter>;

/** A filter that leaves nothing out is probably a mistake. */
export function restricts(filter: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(filter).some(([filterName, value]) => {
    if (isEmptyFilter(value) || MODIFIERS.has(filterName)) return false;
    return value !== 'include' || !filterName.endsWith('_accounts');
  });
}

export function isEmptyFilter(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

/**
 * Filters that an index answers page by page; any other may have to look at many rows. `walk`: the index in date order
 * has it; `ranges`: one walk per value, while they are few; `found`: an index of its own, counted before it is used.
 */
export const QUICK_FILTERS = {
  dateFrom: { by: 'walk', parameters: ['date_from', 'start_date'] },
  dateTo: { by: 'walk', parameters: ['date_to', 'end_date'] },
  deleted: { by: 'walk', parameters: ['deleted'] },
  accountIds: { by: 'ranges', parameters: ['account_id', 'connection_id'] },
  categoryIds: { by: 'ranges', parameters: ['category_id', 'category_slug', 'include_children'] },
  counterpartyIds: { by: 'found', parameters: ['counterparty_id'] },
  seriesIds: { by: 'found', parameters: ['series_id'] },
  flagged: { by: 'found', parameters: ['flagged'] },
  pending: { by: 'found', parameters: ['pending'] },
} as const satisfies Record<
  string,
  { by: 'walk' | 'ranges' | 'found'; parameters: readonly (keyof TransactionFilters)[] }
>;

/** What a page is asked for besides filters; `search_mode` alone searches nothing. */
const BESIDES = ['search_mode', 'limit', 'cursor', 'sort', 'sort_by', 'order', 'sort_order', 'fields'];

const QUICK = new Set<string>([...Object.values(QUICK_FILTERS).flatMap(({ parameters }) => parameters), ...BESIDES]);

/** A page goes to a thread unless every filter given is quick: then the hop would cost more than the query. */
export function weightOfFilters(query: Partial<TransactionFilters>): 'light' | 'heavy' {
  const isQuick = Object.entries(query).every(([name, value]) => value === undefined || QUICK.has(name));
  return isQuick ? 'light' : 'heavy';
}
