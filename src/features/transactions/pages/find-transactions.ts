import type { ReadTx } from '../../../db/unit-of-work.ts';
import { cutPage, fingerprintOf, positionAfter } from '../../../kernel/cursor.ts';
import type { TransactionFilters } from '../filters.contract.ts';
import { filterIdentity } from '../filters/filter-identity.ts';
import { countMatches } from '../totals/count-matches.queries.ts';
import { selectOrderedPage, type SortKey, type SortOrder } from './ordered-rows.queries.ts';
import { selectPage } from './page.queries.ts';
import type { FieldName } from './record.queries.ts';
import { selectRepeats } from './repeats.queries.ts';
import { resolveFilters, type IdSet, type ResolvedFilters, type Spending } from '../filters/resolve-filters.ts';
import { selectGroups } from '../totals/totals.queries.ts';
import { totalsOf, type TotalRecord } from '../totals/totals.ts';
import { idsAmong, selectShortIds, transactionExists } from '../transactions.queries.ts';

/** What agents can look for besides the shared filters (contract 70.3). */
export interface Search {
  filters: TransactionFilters;
  /** Rows that this query finds, or all others; the name tells cursors of both apart. */
  among?: (IdSet & { name: string }) | undefined;
  /** Only rows that another one repeats within so many days. */
  repeatsWithinDays?: number | undefined;
  spending?: Spending | null;
}

export interface AskedPage {
  sort: SortKey;
  order: SortOrder;
  limit: number;
  cursor: string | undefined;
  fields: readonly FieldName[];
}

export interface FoundPage {
  /** Records with these fields; with `repeat_group` where repeats are looked for. */
  transactions: Record<string, unknown>[];
  /** Over all matches that count in totals; only on the first page. */
  totals?: TotalRecord[];
  left_out?: LeftOut;
  next_cursor: string;
  has_more: boolean;
}

/** How many matches the totals do not count, each for the one reason that stays; absent for deleted rows. */
export interface LeftOut {
  pending: number;
  excluded_account: number;
  /** Also where copies of a shared card are not listed. */
  dependent_account: number;
}

/** A page in any order, each with a cursor. @throws INVALID_PARAMETER, INVALID_CURSOR */
export async function findTransactions(tx: ReadTx, search: Search, page: AskedPage): Promise<FoundPage> {
  const { sort, order, limit, cursor, fields } = page;
  const fingerprint = fingerprintOf({ ...(await identityOf(tx, search)), sort, order });
  const position = await positionAfter(cursor, fingerprint, (id) => transactionExists(tx, id));
  const resolved = await resolveSearch(tx, search);
  const { repeats, listed } = resolved;
  const wanted = { fields, order, position, count: limit + 1 };
  const rows =
    sort === 'date'
      ? (await selectPage(tx, listed, wanted)).map((row) => ({ ...row, key: row.date }))
      : await selectOrderedPage(tx, listed, { ...wanted, sort });
  const { shown, end } = cutPage(rows, limit, fingerprint, ({ key, id }) => ({ key, id }));
  const groups = repeats ? await groupNames(tx, repeats, shown) : null;
  return {
    transactions: shown.map(({ id, json }) => ({
      ...(JSON.parse(json) as Record<string, unknown>),
      ...(groups ? { repeat_group: groups.get(id) } : {}),
    })),
    ...(cursor === undefined ? await totalsOfMatches(tx, search, resolved) : {}),
    next_cursor: end.next_cursor,
    has_more: end.has_more,
  };
}

/** @throws INVALID_PARAMETER */
export async function countFound(tx: ReadTx, search: Search): Promise<{ count: number } & TotalsOfMatches> {
  const resolved = await resolveSearch(tx, search);
  return { count: await countMatches(tx, resolved.listed), ...(await totalsOfMatches(tx, search, resolved)) };
}

/** Everything that must stay the same from page to page, besides the order. */
async function identityOf(
  tx: ReadTx,
  { filters, among, repeatsWithinDays, spending }: Search,
): Promise<Record<string, unknown>> {
  return {
    ...(await filterIdentity(tx, filters)),
    among: among && [among.name, among.isIn],
    repeatsWithinDays,
    spending,
  };
}

interface ResolvedSearch {
  /** By row, the earliest row that it repeats. */
  repeats: ReadonlyMap<string, string> | null;
  listed: ResolvedFilters;
  /** The rows of the match that count in totals. */
  counting: ResolvedFilters;
  /** What restricts the match besides the filters. */
  more: Pick<ResolvedFilters, 'idSets'>;
}

async function resolveSearch(
  tx: ReadTx,
  { filters, among, repeatsWithinDays, spending = null }: Search,
): Promise<ResolvedSearch> {
  const resolved = await resolveFilters(tx, filters, 'include', spending);
  const repeats = repeatsWithinDays === undefined ? null : await selectRepeats(tx, repeatsWithinDays, resolved);
  const idSets: IdSet[] = [];
  if (repeats) idSets.push({ ids: idsAmong(tx, [...repeats.keys()]), isIn: true });
  if (among) idSets.push(among);
  const more = idSets.length === 0 ? {} : { idSets };
  const counting = await resolveFilters(tx, filters, 'exclude', spending);
  return { repeats, listed: { ...resolved, ...more }, counting: { ...counting, ...more }, more };
}

type TotalsOfMatches = Pick<FoundPage, 'left_out'> & { totals: TotalRecord[] };

async function totalsOfMatches(tx: ReadTx, search: Search, resolved: ResolvedSearch): Promise<TotalsOfMatches> {
  const { counting } = resolved;
  if (counting.deleted) return { totals: [] };
  const totals = totalsOf(await selectGroups(tx, counting, { includePending: false }, ['iso_currency_code']));
  return { totals, left_out: await leftOut(tx, search, resolved) };
}

async function leftOut(tx: ReadTx, { filters, spending = null }: Search, found: ResolvedSearch): Promise<LeftOut> {
  const count = async (among: Partial<TransactionFilters>): Promise<number> => {
    const resolved = await resolveFilters(tx, { ...filters, ...among }, 'include', spending);
    return countMatches(tx, { ...resolved, ...found.more });
  };
  const hidesCopies = (filters.dependent_accounts ?? 'exclude') === 'exclude';
  return {
    pending: filters.pending === undefined ? await countMatches(tx, { ...found.counting, pending: true }) : 0,
    excluded_account: filters.excluded_accounts === undefined ? await count({ excluded_accounts: 'only' }) : 0,
    dependent_account: hidesCopies ? await count({ dependent_accounts: 'only' }) : 0,
  };
}

/** A name for the group of each row: the short id of its earliest row. */
async function groupNames(
  tx: ReadTx,
  repeats: ReadonlyMap<string, string>,
  rows: readonly { id: string }[],
): Promise<Map<string, string | undefined>> {
  const firstOf = rows.map(({ id }) => [id, repeats.get(id) as string] as const);
  const names = await selectShortIds(tx, [...new Set(firstOf.map(([, first]) => first))]);
  return new Map(firstOf.map(([id, first]) => [id, names.get(first)]));
}
