import type { RawBuilder } from 'kysely';
import { z } from 'zod';

import type { ReadTx } from '../../../db/unit-of-work.ts';
import { addDays, type DateOnly, type Instant } from '../../../kernel/dates.ts';
import { AppError, invalidParameter, reversedRange, unknownId } from '../../../kernel/errors.ts';
import { fold } from '../../../kernel/fold.ts';
import { LIMITS } from '../../../kernel/limits.ts';
import { formatCents, type Cents } from '../../../kernel/money.ts';
import { selectCategories } from '../../categories/index.ts';
import {
  deletedFilter,
  FILTER_NAMES,
  isEmptyFilter,
  sharedFilters,
  type BodyFilter,
  type TransactionFilters,
} from '../filters.contract.ts';
import { findMatch, type SearchMatch } from './search.queries.ts';
import {
  findIds,
  findTagIdsBySlug,
  followMerges,
  selectAccountFacts,
  type AccountFacts,
} from '../transactions.queries.ts';

/** Filters with everything resolved to UUIDs; absent means no restriction, an empty list that nothing can match. */
export interface ResolvedFilters {
  dateFrom?: DateOnly;
  dateTo?: DateOnly;
  amountMin?: Cents;
  amountMax?: Cents;
  absMin?: Cents;
  absMax?: Cents;
  currencies?: readonly string[];
  accountIds?: readonly string[];
  /** The other accounts, if `accountIds` is given. */
  accountsLeftOut?: readonly string[];
  /** Rows attributed to one of `userIds`, or without attribution in one of `accountIds`. */
  owner?: { userIds: readonly string[]; accountIds: readonly string[] };
  categoryIds?: readonly string[];
  /** These categories, or none. */
  categoryIdsOrNone?: readonly string[];
  /** Whether rows without a category match, or only rows with one. */
  uncategorized?: boolean;
  counterpartyIds?: readonly string[];
  seriesIds?: readonly string[];
  importIds?: readonly string[];
  tagsAny?: readonly string[];
  tagsAll?: readonly string[];
  tagsNone?: readonly string[];
  pending?: boolean;
  flagged?: boolean;
  hasComment?: boolean;
  deleted: boolean;
  updatedSince?: Instant;
  match?: SearchMatch;
  exclude?: SearchMatch;
  spending?: ResolvedSpending;
  /** Rows whose UUIDs a query finds, or all others. */
  idSets?: readonly IdSet[];
}

/**
 * Which rows are spending. `gross`: money out that is no transfer (contract 10.5.4). `net`: also what came back, so that
 * it is off the sum: expenses of either sign, and money out without a category (70.3).
 */
export type Spending = 'gross' | 'net';

export interface ResolvedSpending {
  is: Spending;
  /** The categories that `gross` leaves out, or those that `net` takes. */
  categoryIds: readonly string[];
}

export interface IdSet {
  ids: RawBuilder<{ id: string }>;
  isIn: boolean;
}

/** Those that a request without any has. */
export const NO_FILTERS: TransactionFilters = { include_children: true, search_mode: 'contains' };

/** What an endpoint does by default with accounts that do not count. */
type AccountDefault = 'include' | 'exclude';

/** @throws INVALID_PARAMETER naming the filter: an unknown id is an error, never an empty answer */
export async function resolveFilters(
  tx: ReadTx,
  filters: TransactionFilters,
  accountDefault: AccountDefault,
  spending: Spending | null = null,
): Promise<ResolvedFilters> {
  const resolved: ResolvedFilters = { deleted: filters.deleted ?? false };
  Object.assign(resolved, dates(filters), amounts(filters));
  if (filters.iso_currency_code) resolved.currencies = filters.iso_currency_code;
  if (filters.pending !== undefined) resolved.pending = filters.pending;
  if (filters.flagged !== undefined) resolved.flagged = filters.flagged;
  if (filters.has_comment !== undefined) resolved.hasComment = filters.has_comment;
  if (filters.updated_since !== undefined) resolved.updatedSince = filters.updated_since;
  await resolveAccounts(tx, filters, accountDefault, resolved);
  await resolveCategories(tx, filters, resolved);
  await resolveReferences(tx, filters, resolved);
  if (spending) resolved.spending = { is: spending, categoryIds: await categoriesOfSpending(tx, spending) };
  if (filters.search !== undefined) {
    resolved.match = await findMatch(tx, searchTerms('search', filters.search), filters.search_mode);
  }
  if (filters.exclude_search !== undefined) {
    resolved.exclude = await findMatch(tx, searchTerms('exclude_search', filters.exclude_search), 'contains');
  }
  return resolved;
}

function dates(filters: TransactionFilters): Pick<ResolvedFilters, 'dateFrom' | 'dateTo'> {
  const { date_from, date_to, start_date, end_date } = filters;
  if (date_from !== undefined && start_date !== undefined) throw twice('start_date', 'date_from');
  if (date_to !== undefined && end_date !== undefined) throw twice('end_date', 'date_to');
  const from = date_from ?? start_date;
  const upper = date_to ?? end_date;
  if (from !== undefined && upper !== undefined && from > upper) {
    const [lower, end] = [
      date_from === undefined ? 'start_date' : 'date_from',
      date_to === undefined ? 'end_date' : 'date_to',
    ];
    throw reversedRange(lower, end);
  }
  const to = end_date === undefined ? date_to : addDays(end_date, -1);
  return { ...(from === undefined ? {} : { dateFrom: from }), ...(to === undefined ? {} : { dateTo: to }) };
}

function amounts(filters: TransactionFilters): Partial<ResolvedFilters> {
  if (filters.amount_min !== undefined && filters.min_amount !== undefined) throw twice('min_amount', 'amount_min');
  if (filters.amount_max !== undefined && filters.max_amount !== undefined) throw twice('max_amount', 'amount_max');
  const min = filters.amount_min ?? filters.min_amount;
  const max = filters.amount_max ?? filters.max_amount;
  if (min !== undefined && max !== undefined && min > max) {
    throw invalidParameter('amount_min', 'amount_min: must not be greater than amount_max');
  }
  const { amount_abs_min: absMin, amount_abs_max: absMax } = filters;
  if (absMin !== undefined && absMax !== undefined && absMin > absMax) {
    throw invalidParameter('amount_abs_min', 'amount_abs_min: must not be greater than amount_abs_max');
  }
  return {
    ...(min === undefined ? {} : { amountMin: min }),
    ...(max === undefined ? {} : { amountMax: max }),
    ...(absMin === undefined ? {} : { absMin }),
    ...(absMax === undefined ? {} : { absMax }),
  };
}

async function resolveAccounts(
  tx: ReadTx,
  filters: TransactionFilters,
  accountDefault: AccountDefault,
  resolved: ResolvedFilters,
): Promise<void> {
  const excluded = filters.excluded_accounts ?? accountDefault;
  const dependent = filters.dependent_accounts ?? accountDefault;
  const asksAccounts = filters.account_id ?? filters.connection_id ?? filters.user_id;
  if (asksAccounts === undefined && excluded === 'include' && dependent === 'include') return;
  const all = await selectAccountFacts(tx);
  let kept = all;
  if (filters.account_id) {
    const wanted = new Set<string>();
    for (const name of filters.account_id) {
      const account = all.find((one) => one.id === name || one.short_id === name);
      if (!account) throw unknown('account_id', name);
      wanted.add(account.id);
    }
    kept = kept.filter((account) => wanted.has(account.id));
  }
  if (filters.connection_id) {
    const wanted = new Set(await idsOf(tx, 'connections', 'connection_id', filters.connection_id));
    kept = kept.filter((account) => account.connection_id !== null && wanted.has(account.connection_id));
  }
  kept = kept.filter(
    (account) => selects(excluded, account.is_excluded) && selects(dependent, account.is_dependent_linked),
  );
  if (kept.length < all.length) {
    resolved.accountIds = kept.map(({ id }) => id);
    resolved.accountsLeftOut = all.filter((account) => !kept.includes(account)).map(({ id }) => id);
  }
  if (filters.user_id) resolved.owner = owned(all, await idsOf(tx, 'users', 'user_id', filters.user_id));
}

function owned(all: readonly AccountFacts[], userIds: readonly string[]): ResolvedFilters['owner'] & object {
  const accounts = all.filter((account) => account.owner_id !== null && userIds.includes(account.owner_id));
  return { userIds, accountIds: accounts.map(({ id }) => id) };
}

function selects(choice: 'include' | 'exclude' | 'only', flag: 0 | 1): boolean {
  return choice === 'include' || (choice === 'only') === (flag === 1);
}

async function resolveCategories(tx: ReadTx, filters: TransactionFilters, resolved: ResolvedFilters): Promise<void> {
  const named = filters.category_id ?? filters.category_slug ?? filters.category_kind;
  if (filters.uncategorized === true && named !== undefined) {
    throw invalidParameter(
      'uncategorized',
      'uncategorized=true cannot be combined with a category filter. Send only one of them.',
    );
  }
  if (filters.uncategorized !== undefined) resolved.uncategorized = filters.uncategorized;
  if (named === undefined) return;
  const all = await selectCategories(tx);
  let kept = new Set(all.map(({ id }) => id));
  if (filters.category_id ?? filters.category_slug) {
    const wanted = new Set<string>();
    for (const [parameter, names] of [
      ['category_id', filters.category_id ?? []],
      ['category_slug', filters.category_slug ?? []],
    ] as const) {
      for (const name of names) {
        const bySlug = all.find((one) => one.slug === name);
        const byId =
          parameter === 'category_id' ? all.find((one) => one.id === name || one.short_id === name) : undefined;
        const category = bySlug ?? byId;
        if (!category) throw unknown(parameter, name);
        wanted.add(category.id);
        if (!filters.include_children) continue;
        for (const child of all) if (child.parent_id === category.id) wanted.add(child.id);
      }
    }
    kept = wanted;
  }
  const { category_kind: kinds } = filters;
  if (kinds) {
    const ofKind = new Set(all.filter((one) => kinds.some((kind) => kind === one.kind)).map(({ id }) => id));
    kept = new Set([...kept].filter((id) => ofKind.has(id)));
  }
  const takesNone = kinds?.includes('none') && !(filters.category_id ?? filters.category_slug);
  if (!takesNone || filters.uncategorized === false) resolved.categoryIds = [...kept];
  else if (kept.size === 0) resolved.uncategorized = true;
  else if (kept.size < all.length) resolved.categoryIdsOrNone = [...kept];
}

async function categoriesOfSpending(tx: ReadTx, spending: Spending): Promise<string[]> {
  const kind = spending === 'gross' ? 'transfer' : 'expense';
  return (await selectCategories(tx)).filter((category) => category.kind === kind).map(({ id }) => id);
}

async function resolveReferences(tx: ReadTx, filters: TransactionFilters, resolved: ResolvedFilters): Promise<void> {
  if (filters.counterparty_id) {
    const ids = await idsOf(tx, 'counterparties', 'counterparty_id', filters.counterparty_id);
    resolved.counterpartyIds = await followMerges(tx, ids);
  }
  if (filters.series_id) resolved.seriesIds = await idsOf(tx, 'series', 'series_id', filters.series_id);
  if (filters.import_id) resolved.importIds = await idsOf(tx, 'imports', 'import_id', filters.import_id);
  if (filters.tag) resolved.tagsAny = await tagIds(tx, 'tag', filters.tag);
  if (filters.tags_all) resolved.tagsAll = await tagIds(tx, 'tags_all', filters.tags_all);
  if (filters.tags_none) resolved.tagsNone = await tagIds(tx, 'tags_none', filters.tags_none);
}

async function idsOf(
  tx: ReadTx,
  table: 'users' | 'connections' | 'counterparties' | 'series' | 'imports',
  parameter: string,
  names: readonly string[],
): Promise<string[]> {
  const found = await findIds(tx, table, names);
  return names.map((name) => found.get(name) ?? missing(parameter, name));
}

/** UUIDs of tags. Slugs come first, because a slug such as `shopping` can look like a short_id. */
async function tagIds(tx: ReadTx, parameter: string, names: readonly string[]): Promise<string[]> {
  const bySlug = await findTagIdsBySlug(tx, names);
  const byId = await findIds(
    tx,
    'tags',
    names.filter((name) => !bySlug.has(name)),
  );
  return names.map((name) => bySlug.get(name) ?? byId.get(name) ?? missing(parameter, name));
}

/** The record that the ids in each filter belong to, for error messages. */
const KINDS: Readonly<Record<string, string>> = {
  account_id: 'account',
  connection_id: 'connection',
  user_id: 'household member',
  category_id: 'category',
  category_slug: 'category',
  counterparty_id: 'counterparty',
  series_id: 'series',
  import_id: 'import',
  tag: 'tag',
  tags_all: 'tag',
  tags_none: 'tag',
};

function missing(parameter: string, name: string): never {
  throw unknown(parameter, name);
}

function unknown(parameter: string, name: string): AppError {
  return unknownId(parameter, KINDS[parameter] ?? 'id', name);
}

function twice(name: string, other: string): AppError {
  return invalidParameter(name, `${name} and ${other} are the same bound. Send only one of them.`);
}

/** Split at commas, folded, without duplicates. @throws INVALID_PARAMETER naming the filter. */
function searchTerms(parameter: string, value: string): string[] {
  const terms = [...new Set(value.split(',').map(fold))].filter((term) => term !== '');
  if (terms.length === 0) throw invalidParameter(parameter, `${parameter} contains no term to search for.`);
  if (terms.length > LIMITS.searchTerms) {
    throw invalidParameter(parameter, `${parameter} can have at most ${LIMITS.searchTerms} terms.`);
  }
  for (const term of terms) {
    const length = [...term].length;
    if (length < LIMITS.searchTermMinChars || length > LIMITS.searchTermMaxChars) {
      throw invalidParameter(
        parameter,
        `Every term of ${parameter} must have ${LIMITS.searchTermMinChars} to ${LIMITS.searchTermMaxChars} characters.`,
      );
    }
  }
  return terms;
}

/** The shared filters of a larger input, such as the arguments of a tool. @throws INVALID_PARAMETER naming the filter */
export function readFilters(input: Readonly<Record<string, unknown>>): TransactionFilters {
  return filtersOfBody(Object.fromEntries(FILTER_NAMES.map((name) => [name, input[name]])));
}

const Filters = z.object({ ...sharedFilters, deleted: deletedFilter.deleted.optional() });

/**
 * The filter object of a body, parsed like the query of the list, so that both mean the same. Null, an empty string and
 * an empty list count as absent.
 * @throws INVALID_PARAMETER naming the filter
 */
export function filtersOfBody(filter: BodyFilter): TransactionFilters {
  const query: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(filter)) {
    if (isEmptyFilter(value)) continue;
    query[name] = Array.isArray(value) ? value.map((one) => asText(name, one)) : asText(name, value);
  }
  const result = Filters.safeParse(query, { error: message });
  if (result.success) return result.data;
  const details = result.error.issues.map((issue) => ({ path: String(issue.path[0]), message: issue.message }));
  const [first] = details;
  throw new AppError('INVALID_PARAMETER', first ? `${first.path}: ${first.message}` : 'The filter is not valid.', {
    details,
  });
}

function asText(name: string, value: unknown): string {
  const isPlain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  const text = isPlain ? String(value) : '\0';
  if (!text.includes('\0') && text.isWellFormed()) return text;
  throw invalidParameter(name, `${name}: must be text without U+0000, a number, true or false, or a list of these.`);
}

const message: z.core.$ZodErrorMap = (issue) => {
  if (issue.code === 'invalid_type' && Array.isArray(issue.input)) return 'must be one value, not a list';
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.join(', ')}`;
  return undefined;
};

/** Runs `fn`, and in its errors renames the fields to those of the body. */
export async function withRenamedFields<T>(rename: (path: string) => string, fn: () => T | Promise<T>): Promise<T> {
  try {
    return await fn();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const details = error.extra.details?.map((detail) => ({ ...detail, path: rename(detail.path) }));
    const [first] = error.extra.details ?? [];
    const text = first && error.message.startsWith(`${first.path}: `) ? error.message.slice(first.path.length) : null;
    const renamed = text === null || !first ? error.message : `${rename(first.path)}${text}`;
    throw new AppError(error.code, renamed, { ...error.extra, ...(details ? { details } : {}) });
  }
}

/** Filters shown under another name, or as part of another. */
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
