import type { ResolvedFilters } from './resolve-filters.ts';

/** Lists of values up to this size are walked one index range each, and merged. */
export const MERGED_RANGES = 24;

export interface Ranges {
  filter: keyof ResolvedFilters;
  column: 'account_id' | 'category_id';
  values: readonly string[];
}

/** A list of accounts or categories has one index range per value, each already in date order. */
export function rangesOf(filters: ResolvedFilters): Ranges | null {
  const { accountIds, categoryIds } = filters;
  if (categoryIds && categoryIds.length >= 1 && categoryIds.length <= MERGED_RANGES && !filters.deleted) {
    return { filter: 'categoryIds', column: 'category_id', values: categoryIds };
  }
  if (accountIds && accountIds.length >= 1 && accountIds.length <= MERGED_RANGES) {
    return { filter: 'accountIds', column: 'account_id', values: accountIds };
  }
  return null;
}
