import { listAccounts } from '../../../src/features/accounts/accounts.contract.ts';
import { listCategories } from '../../../src/features/categories/categories.contract.ts';
import { listConnections } from '../../../src/features/connections/connections.contract.ts';
import { listCounterparties } from '../../../src/features/counterparties/counterparties.contract.ts';
import { listSeries } from '../../../src/features/series/series.contract.ts';
import { listTags } from '../../../src/features/tags/tags.contract.ts';
import { listUsers } from '../../../src/features/users/users.contract.ts';
import { READ_ONCE } from '../../api/lists.ts';
import { useApiQuery } from '../../api/queries.ts';
import { inWords } from '../../lib/days.ts';
import { isTrue, listOf, withFilters, type FilterName, type Filters } from './filters.ts';

/** A condition in words, and the filters without it. */
export interface Chip {
  key: string;
  words: string;
  without: Filters;
}

type NameOf = (id: string) => string | undefined;
type Names = Partial<Record<FilterName, NameOf>>;

interface Named {
  id: string;
  short_id: string;
  slug?: string;
  name: string;
  display_name?: string | null;
}

function nameIn(list: readonly Named[] | undefined): NameOf {
  return (id) => {
    const found = list?.find((one) => one.slug === id || one.id === id || one.short_id === id);
    return found?.display_name ?? found?.name;
  };
}

/** The names of what filters are about. Long lists are read only if a filter needs them. */
export function useFilterNames(filters: Filters): Names {
  const once = (...names: FilterName[]) => ({
    ...READ_ONCE,
    enabled: names.some((name) => filters[name] !== undefined),
  });
  const accounts = useApiQuery(listAccounts, { query: { include_disconnected: 'true' } }, READ_ONCE);
  const users = useApiQuery(listUsers, {}, READ_ONCE);
  const categories = useApiQuery(listCategories, {}, READ_ONCE);
  const tags = useApiQuery(listTags, {}, once('tag', 'tags_all', 'tags_none'));
  const series = useApiQuery(listSeries, {}, once('series_id'));
  const counterparties = useApiQuery(
    listCounterparties,
    { query: { include_merged: 'true' } },
    once('counterparty_id'),
  );
  const connections = useApiQuery(listConnections, {}, once('connection_id'));
  const category = nameIn(categories.data);
  const tag = nameIn(tags.data);
  return {
    account_id: nameIn(accounts.data as readonly Named[] | undefined),
    user_id: nameIn(users.data),
    category_id: category,
    category_slug: category,
    tag,
    tags_all: tag,
    tags_none: tag,
    series_id: nameIn(series.data?.series),
    counterparty_id: nameIn(counterparties.data?.counterparties),
    connection_id: (id) =>
      connections.data?.find((one) => one.id === id || one.short_id === id)?.institution_name ?? undefined,
  };
}

const LISTS: Readonly<Partial<Record<FilterName, string>>> = {
  account_id: 'Account',
  connection_id: 'Bank',
  user_id: 'Member',
  category_id: 'Category',
  category_slug: 'Category',
  category_kind: 'Kind',
  counterparty_id: 'Counterparty',
  series_id: 'Series',
  import_id: 'Import',
  iso_currency_code: 'Currency',
  tag: 'Tag',
  tags_all: 'Tagged',
  tags_none: 'Not tagged',
};

const SWITCHES: Readonly<Partial<Record<FilterName, readonly [string, string]>>> = {
  uncategorized: ['Without category', 'With a category'],
  pending: ['Pending', 'Booked'],
  flagged: ['Flagged', 'Not flagged'],
  has_comment: ['With comment', 'Without comment'],
  deleted: ['Deleted', 'Not deleted'],
  include_children: ['With subcategories', 'Without subcategories'],
};

const CHOICES: Readonly<Record<string, string>> = { include: 'included', exclude: 'left out', only: 'alone' };

/** Every condition by itself, so that each can be taken away. */
export function chipsOf(filters: Filters, names: Names): Chip[] {
  const chips: Chip[] = [...dateChips(filters), ...amountChips(filters)];
  const add = (key: string, words: string, next: Partial<Record<FilterName, string | undefined>>): void => {
    chips.push({ key, words, without: withFilters(filters, next) });
  };
  for (const [name, value] of Object.entries(filters) as [FilterName, string][]) {
    const label = LISTS[name];
    const choice = SWITCHES[name];
    if (label !== undefined) {
      const values = listOf(value);
      for (const one of values) {
        const rest = values.filter((other) => other !== one).join(',');
        add(`${name} ${one}`, `${label}: ${names[name]?.(one) ?? one}`, { [name]: rest });
      }
    }
    if (choice) add(name, choice[isTrue(value) ? 0 : 1], { [name]: undefined });
    if (name === 'exclude_search') add(name, `Without “${value}”`, { exclude_search: undefined });
    if (name === 'excluded_accounts') add(name, `Excluded accounts ${CHOICES[value] ?? value}`, { [name]: undefined });
    if (name === 'dependent_accounts') add(name, `Linked copies ${CHOICES[value] ?? value}`, { [name]: undefined });
    if (name === 'updated_since') add(name, `Changed since ${value}`, { [name]: undefined });
  }
  return chips;
}

function dateChips(filters: Filters): Chip[] {
  const { date_from: from, date_to: to, start_date: start, end_date: end } = filters;
  const without = withFilters(filters, {
    date_from: undefined,
    date_to: undefined,
    start_date: undefined,
    end_date: undefined,
  });
  const words = [
    from !== undefined || start !== undefined ? `from ${dayOf(from ?? start)}` : '',
    to === undefined ? '' : `to ${dayOf(to)}`,
    end === undefined ? '' : `before ${dayOf(end)}`,
  ].filter((one) => one !== '');
  return words.length === 0 ? [] : [{ key: 'dates', words: capital(words.join(' ')), without }];
}

function dayOf(day = ''): string {
  return Number.isNaN(Date.parse(day)) ? day : inWords(day);
}

function amountChips(filters: Filters): Chip[] {
  const pairs = [
    ['amount_min', 'amount_max', 'Amount'],
    ['amount_abs_min', 'amount_abs_max', 'Amount, out or in,'],
  ] as const;
  return pairs.flatMap(([low, high, name]) => {
    const [min, max] = [filters[low], filters[high]];
    if (min === undefined && max === undefined) return [];
    const without = withFilters(filters, { [low]: undefined, [high]: undefined });
    const words =
      min === max
        ? `${min}`
        : min === undefined
          ? `at most ${max}`
          : max === undefined
            ? `at least ${min}`
            : `${min} to ${max}`;
    return [{ key: low, words: `${name} ${words}`, without }];
  });
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
