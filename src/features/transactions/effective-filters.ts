import { formatCents } from '../../kernel/money.ts';
import { FILTER_NAMES, type TransactionFilters } from './filters.contract.ts';
import type { ResolvedFilters } from './resolve-filters.ts';

/** Filters told under another name, or only as part of another. */
const HIDDEN: ReadonlySet<string> = new Set(['start_date', 'end_date', 'min_amount', 'max_amount', 'deleted']);
const AMOUNTS: ReadonlySet<string> = new Set(['amount_min', 'amount_max', 'amount_abs_min', 'amount_abs_max']);

/** The filters in effect under their canonical names, with the defaults that shape a total (contract 10.5.4). */
export function effectiveFilters(query: TransactionFilters, resolved: ResolvedFilters): Record<string, unknown> {
  const shown: Record<string, unknown> = { date_from: resolved.dateFrom ?? null, date_to: resolved.dateTo ?? null };
  const canonical = {
    ...query,
    amount_min: query.amount_min ?? query.min_amount,
    amount_max: query.amount_max ?? query.max_amount,
  };
  for (const name of FILTER_NAMES) {
    const value = canonical[name];
    if (value === undefined || HIDDEN.has(name) || name === 'date_from' || name === 'date_to') continue;
    if (name === 'include_children' && !query.category_id && !query.category_slug) continue;
    if (name === 'search_mode' && query.search === undefined) continue;
    shown[name] = AMOUNTS.has(name) ? formatCents(value as number) : value;
  }
  shown['excluded_accounts'] = query.excluded_accounts ?? 'exclude';
  shown['dependent_accounts'] = query.dependent_accounts ?? 'exclude';
  return shown;
}
