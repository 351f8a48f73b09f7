import type { TransactionFilters } from './filters.contract.ts';

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
