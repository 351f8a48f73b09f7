import { z } from 'zod';

import { sharedFilters } from './filters.contract.ts';

const LIST = { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] };
const DECIMAL = { type: ['string', 'number'] };
const DATE = { type: 'string', format: 'date' };
const TEXT = { type: 'string' };
const FLAG = { type: 'boolean' };

/** What each shared filter is in JSON. */
const forms: Readonly<Record<keyof typeof sharedFilters, object>> = {
  date_from: DATE,
  date_to: DATE,
  start_date: DATE,
  end_date: DATE,
  amount_min: DECIMAL,
  amount_max: DECIMAL,
  min_amount: DECIMAL,
  max_amount: DECIMAL,
  amount_abs_min: DECIMAL,
  amount_abs_max: DECIMAL,
  iso_currency_code: LIST,
  account_id: LIST,
  connection_id: LIST,
  user_id: LIST,
  category_id: LIST,
  category_slug: LIST,
  include_children: FLAG,
  category_kind: LIST,
  uncategorized: FLAG,
  counterparty_id: LIST,
  series_id: LIST,
  import_id: LIST,
  tag: LIST,
  tags_all: LIST,
  tags_none: LIST,
  pending: FLAG,
  flagged: FLAG,
  has_comment: FLAG,
  excluded_accounts: { enum: ['include', 'exclude', 'only'] },
  dependent_accounts: { enum: ['include', 'exclude', 'only'] },
  updated_since: { type: 'string', format: 'date-time' },
  search: TEXT,
  search_mode: { enum: ['contains', 'words', 'fuzzy'] },
  exclude_search: TEXT,
};

/** Say how another filter is meant, and restrict nothing by themselves. */
const MODIFIERS: ReadonlySet<string> = new Set(['include_children', 'search_mode']);

/**
 * The shared filters as a JSON object (contract 10.4.1). Only the names are checked here: a wrong value is an
 * INVALID_PARAMETER wherever filters are taken, and is found when the filter is read.
 */
export const BodyFilter = z
  .strictObject(
    Object.fromEntries(
      Object.entries(forms).map(([filter, form]) => [
        filter,
        z
          .unknown()
          .optional()
          .meta({ description: sharedFilters[filter as keyof typeof sharedFilters].meta()?.description, ...form }),
      ]),
    ),
  )
  .refine(restricts, 'names no filter. Send `all: true` instead when every transaction is meant.')
  .meta({ id: 'TransactionFilter', description: 'The filters of the list; those given AND together' });
export type BodyFilter = z.output<typeof BodyFilter>;

/** A filter that leaves nothing out is more likely a mistake than a wish. */
function restricts(filter: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(filter).some(([filterName, value]) => {
    if (isEmptyFilter(value) || MODIFIERS.has(filterName)) return false;
    return value !== 'include' || !filterName.endsWith('_accounts');
  });
}

export function isEmptyFilter(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
}
