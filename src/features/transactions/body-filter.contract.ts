import { z } from 'zod';

import { describedAs } from '../../contract/described-as.ts';
import { sharedFilters } from './filters.contract.ts';

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
function restricts(filter: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(filter).some(([filterName, value]) => {
    if (isEmptyFilter(value) || MODIFIERS.has(filterName)) return false;
    return value !== 'include' || !filterName.endsWith('_accounts');
  });
}

export function isEmptyFilter(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
}
