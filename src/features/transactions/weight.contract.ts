import type { TransactionFilters } from './filters.contract.ts';

/** Filters that one index answers page by page; any other may have to look at many rows. */
const QUICK: ReadonlySet<string> = new Set([
  'date_from',
  'date_to',
  'start_date',
  'end_date',
  'account_id',
  'connection_id',
  'category_id',
  'category_slug',
  'include_children',
  'counterparty_id',
  'series_id',
  'flagged',
  'pending',
  'deleted',
  'search_mode',
  'limit',
  'cursor',
  'sort',
  'sort_by',
  'order',
  'sort_order',
  'fields',
]);

/** A page goes to a thread unless every filter given is quick: then the hop would cost more than the query. */
export function weightOfFilters(query: Partial<TransactionFilters>): 'light' | 'heavy' {
  const isQuick = Object.entries(query).every(([name, value]) => value === undefined || QUICK.has(name));
  return isQuick ? 'light' : 'heavy';
}
