import type { CallOf } from '../../../src/contract/operation.ts';
import type { TransactionFilters } from '../../../src/features/transactions/filters.contract.ts';
import type { listTransactions } from '../../../src/features/transactions/transactions.contract.ts';
import { addDays, addMonths, monthOf } from '../../lib/days.ts';

/** The filters of the list as text, under the names of the API (10.4.1): the address has nothing else. */
export type FilterName = keyof TransactionFilters;
export type Filters = Readonly<Partial<Record<FilterName, string>>>;
export type SortKey = 'date' | 'amount' | 'name';

/** Everything that the address says about the list. */
export interface View {
  filters: Filters;
  sort: SortKey;
  order: 'asc' | 'desc';
  /** Names in the address that are neither filters nor an order: a mistyped one would answer another question. */
  unknown: readonly string[];
}

/** Written out, so that the page needs no schema; a filter that is missing here does not compile. */
const NAMES: Readonly<Record<FilterName, true>> = {
  date_from: true,
  date_to: true,
  start_date: true,
  end_date: true,
  amount_min: true,
  amount_max: true,
  min_amount: true,
  max_amount: true,
  amount_abs_min: true,
  amount_abs_max: true,
  iso_currency_code: true,
  account_id: true,
  connection_id: true,
  user_id: true,
  category_id: true,
  category_slug: true,
  include_children: true,
  category_kind: true,
  uncategorized: true,
  counterparty_id: true,
  series_id: true,
  import_id: true,
  tag: true,
  tags_all: true,
  tags_none: true,
  pending: true,
  flagged: true,
  has_comment: true,
  excluded_accounts: true,
  dependent_accounts: true,
  updated_since: true,
  search: true,
  search_mode: true,
  exclude_search: true,
  deleted: true,
};
/** Both spellings mean the same; the page writes the first. */
const SYNONYMS: Readonly<Record<string, string>> = {
  min_amount: 'amount_min',
  max_amount: 'amount_max',
  sort_by: 'sort',
  sort_order: 'order',
};
/** They change how others are read, and leave nothing out by themselves. */
const MODIFIERS: ReadonlySet<string> = new Set(['include_children', 'search_mode']);

export function readView(search: Readonly<Record<string, unknown>>): View {
  const filters: Partial<Record<FilterName, string>> = {};
  const rest: Record<string, string> = {};
  const unknown: string[] = [];
  for (const [written, value] of Object.entries(search)) {
    const name = SYNONYMS[written] ?? written;
    if (value === undefined || value === null || value === '') continue;
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    if (Object.hasOwn(NAMES, name)) filters[name as FilterName] = text;
    else if (name === 'sort' || name === 'order') rest[name] = text;
    else unknown.push(written);
  }
  const sort = rest['sort'] === 'amount' || rest['sort'] === 'name' ? rest['sort'] : 'date';
  const usual = usualOrder(sort);
  const order = rest['order'] === 'asc' || rest['order'] === 'desc' ? rest['order'] : usual;
  return { filters, sort, order, unknown };
}

/** The address of a view, as short as possible. */
export function writeView({ filters, sort, order }: Omit<View, 'unknown'>): Record<string, string> {
  return {
    ...withoutEmpty(filters),
    ...(sort === 'date' ? {} : { sort }),
    ...(order === usualOrder(sort) ? {} : { order }),
  };
}

export function usualOrder(sort: SortKey): View['order'] {
  return sort === 'name' ? 'asc' : 'desc';
}

/** Months belong to a list that is in order of date, newest first. Summaries do not know deleted rows. */
export function hasMonths({ filters, sort, order }: View): boolean {
  return sort === 'date' && order === 'desc' && !isTrue(filters.deleted);
}

export function isTrue(value: string | undefined): boolean {
  return value === 'true' || value === '1';
}

export function listOf(value: string | undefined): string[] {
  return (value ?? '').split(',').filter((one) => one !== '');
}

export function withFilters(filters: Filters, next: Partial<Record<FilterName, string | undefined>>): Filters {
  return withoutEmpty({ ...filters, ...next });
}

/** One value of a list taken out, or put in where it is not. */
export function toggled(filters: Filters, name: FilterName, value: string): Filters {
  const values = listOf(filters[name]);
  const next = values.includes(value) ? values.filter((one) => one !== value) : [...values, value];
  return withFilters(filters, { [name]: next.join(',') });
}

function withoutEmpty(filters: Partial<Record<string, string | undefined>>): Filters {
  const entries = Object.entries(filters).filter(([, value]) => value !== undefined && value !== '');
  return Object.fromEntries(entries) as Filters;
}

/** Whether the list leaves anything out. */
export function isFiltered(filters: Filters): boolean {
  return Object.keys(filters).some((name) => !MODIFIERS.has(name));
}

/** Filters that a change of a row by hand can make it fall out of, or into. */
const OF_EDITS: Readonly<Record<string, readonly FilterName[]>> = {
  category: ['category_id', 'category_slug', 'category_kind', 'uncategorized'],
  counterparty: ['counterparty_id', 'search', 'exclude_search'],
  tags: ['tag', 'tags_all', 'tags_none'],
  flag: ['flagged'],
  comment: ['has_comment'],
  series: ['series_id'],
  member: ['user_id'],
};

/** Whether rows may no longer belong to the list once this field of them has been changed. */
export function dependsOn(filters: Filters, field: string): boolean {
  return (OF_EDITS[field] ?? []).some((name) => filters[name] !== undefined);
}

type ListQuery = NonNullable<CallOf<typeof listTransactions>['query']>;

/** The same filters for a call: the server reads them as a query, whatever their types are here. */
export function queryOf(filters: Filters, more: Readonly<Record<string, string | undefined>> = {}): ListQuery {
  return { ...filters, ...more } as ListQuery;
}

/** As a filter in a body, where lists are arrays and truth values their own. */
export function bodyFilterOf(filters: Filters): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(filters).map(([name, value]) => [
      name,
      value.includes(',') && !isText(name) ? listOf(value) : value,
    ]),
  );
}

function isText(name: string): boolean {
  return name === 'search' || name === 'exclude_search';
}

/** The dates of a stretch of days laid over those of the filter. */
export function within(filters: Filters, from: string, to: string): Filters {
  const { start_date: start, end_date: end, ...rest } = filters;
  const lower = rest.date_from ?? start;
  const upper = rest.date_to ?? (end === undefined ? undefined : addDays(end, -1));
  return {
    ...rest,
    date_from: lower !== undefined && lower > from ? lower : from,
    date_to: upper !== undefined && upper < to ? upper : to,
  };
}

/** Filters by date with a name. */
export const PERIODS = {
  this_month: 'This month',
  last_month: 'Last month',
  days_90: 'Last 90 days',
  this_year: 'This year',
  last_year: 'Last year',
} as const;
export type Period = keyof typeof PERIODS;

export function datesOf(period: Period, today: string): { date_from: string; date_to: string } {
  const month = monthOf(today);
  const year = Number(today.slice(0, 4));
  const first = `${month}-01`;
  switch (period) {
    case 'this_month':
      return { date_from: first, date_to: addDays(addMonths(first, 1), -1) };
    case 'last_month':
      return { date_from: addMonths(first, -1), date_to: addDays(first, -1) };
    case 'days_90':
      return { date_from: addDays(today, -89), date_to: today };
    case 'this_year':
      return { date_from: `${year}-01-01`, date_to: `${year}-12-31` };
    case 'last_year':
    default:
      return { date_from: `${year - 1}-01-01`, date_to: `${year - 1}-12-31` };
  }
}

/** Which named period the dates are, if any. */
export function periodOf({ date_from: from, date_to: to, start_date: start, end_date: end }: Filters, today: string) {
  if (start !== undefined || end !== undefined) return 'custom';
  if (from === undefined && to === undefined) return 'all';
  const known = Object.keys(PERIODS) as Period[];
  return (
    known.find((period) => {
      const dates = datesOf(period, today);
      return dates.date_from === from && dates.date_to === to;
    }) ?? 'custom'
  );
}
