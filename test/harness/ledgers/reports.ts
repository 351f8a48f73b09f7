import { mondayOf } from '../../../src/kernel/dates.ts';
import { compareCodePoints, fold } from '../../../src/kernel/fold.ts';
import type { TestApp } from '../test-app.ts';

/** A slow reading of the reports of the contract (10.1.4, 10.5.3 to 10.5.5), to hold the service against. */

export const GROUPINGS = [
  'category',
  'category_primary',
  'month',
  'week',
  'day',
  'category_month',
  'account',
  'user',
  'counterparty',
  'tag',
  'year',
  'kind',
  'category,month',
  'category,month,user',
  'counterparty,kind',
  'tag,week',
  'account,tag,year',
  'day,counterparty,category_primary',
  'user,account,kind',
] as const;
export type Grouping = (typeof GROUPINGS)[number];
type Single =
  | 'category'
  | 'category_primary'
  | 'kind'
  | 'month'
  | 'week'
  | 'day'
  | 'year'
  | 'account'
  | 'user'
  | 'counterparty'
  | 'tag';

export interface Row {
  id: string;
  date: string;
  amount: string;
  iso_currency_code: string | null;
  account_id: string;
  account_name: string;
  user_id: string | null;
  name: string;
  merchant_name: string | null;
  counterparty_id: string | null;
  counterparty_short_id: string | null;
  counterparty_name: string;
  counterparty_logo_url: string | null;
  category: Category | null;
  tags: string[];
  pending: boolean;
  excluded_from_totals: string | null;
}
export interface Category {
  id: string;
  slug: string;
  name: string;
  kind: string;
  parent_id: string | null;
}
export interface World {
  app: TestApp;
  /** Live rows, newest first. */
  rows: Row[];
  categories: Map<string, Category>;
  members: Map<string, string>;
  /** By their folded names. */
  counterparties: Map<string, Counterparty>;
}
export interface Counterparty {
  id: string;
  short_id: string;
  name: string;
  logo_url: string | null;
}

export type Query = Readonly<Record<string, string>>;
export type ReportFields = Record<string, unknown>;

/** The rows that match and count (10.1.4), by some of the filters; members and counterparties by name. */
export function counting({ rows, members }: World, query: Query): Row[] {
  const selects = (choice: string | undefined, isSet: boolean): boolean =>
    choice === 'include' || (choice === 'only') === isSet;
  return rows.filter((row) => {
    return (
      selects(query['excluded_accounts'], row.excluded_from_totals === 'account_excluded') &&
      selects(query['dependent_accounts'], row.excluded_from_totals === 'dependent_account') &&
      (query['pending'] === undefined
        ? query['include_pending'] === 'true' || !row.pending
        : row.pending === (query['pending'] === 'true')) &&
      isSpending(row, query['spending_only']) &&
      (query['end_date'] === undefined || row.date < query['end_date']) &&
      (query['date_from'] === undefined || row.date >= query['date_from']) &&
      (query['uncategorized'] === undefined || (row.category === null) === (query['uncategorized'] === 'true')) &&
      (query['category_kind']?.split(',').includes(row.category?.kind ?? 'none') ?? true) &&
      (query['iso_currency_code'] === undefined || row.iso_currency_code === query['iso_currency_code']) &&
      (query['user_id'] === undefined || members.get(row.user_id ?? '') === query['user_id']) &&
      (query['counterparty_id'] === undefined ||
        (row.counterparty_id !== null && row.counterparty_name === query['counterparty_id'])) &&
      (query['category_slug'] === undefined || isOfCategory(row, query['category_slug'])) &&
      (query['tag'] === undefined || row.tags.includes(query['tag']))
    );
  });
}

/** `true` as REST means it, gross; `net` as tools do, less what came back. */
function isSpending(row: Row, asked: string | undefined): boolean {
  const isOut = cents(row) > 0n;
  if (asked === 'net') return row.category ? row.category.kind === 'expense' : isOut;
  return asked !== 'true' || (isOut && row.category?.kind !== 'transfer');
}

/** A slug of a child begins with that of its parent. */
function isOfCategory({ category }: Row, slug: string): boolean {
  return category !== null && (category.slug === slug || category.slug.startsWith(`${slug}_`));
}

function cents({ amount }: Row): bigint {
  return BigInt(amount.replace('.', ''));
}

function money(sum: bigint): string {
  const digits = String(sum < 0n ? -sum : sum).padStart(3, '0');
  return `${sum < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

function total(rows: readonly Row[]): ReportFields {
  const [sum, out] = rows.reduce(
    ([all, spent], row) => [all + cents(row), cents(row) > 0n ? spent + cents(row) : spent],
    [0n, 0n],
  );
  return {
    iso_currency_code: rows[0]?.iso_currency_code,
    transaction_count: rows.length,
    total_amount: money(sum),
    money_out: money(out),
    money_in: money(out - sum),
  };
}

function grouped<K>(rows: readonly Row[], keysOf: (row: Row) => K[]): { key: K; rows: Row[] }[] {
  const groups = new Map<string, { key: K; rows: Row[] }>();
  for (const row of rows) {
    for (const key of keysOf(row)) {
      const name = JSON.stringify([key, row.iso_currency_code]);
      const group = groups.get(name);
      if (group) group.rows.push(row);
      else groups.set(name, { key, rows: [row] });
    }
  }
  return [...groups.values()];
}

/** Ascending, null last; sums descending. */
function byText(a: unknown, b: unknown): number {
  if (a === b) return 0;
  if (typeof a !== 'string') return 1;
  return typeof b === 'string' ? compareCodePoints(a, b) : -1;
}
const sumOf = (rows: readonly Row[]): bigint => rows.reduce((all, row) => all + cents(row), 0n);
const bySum = (a: readonly Row[], b: readonly Row[]): number =>
  sumOf(a) === sumOf(b) ? 0 : sumOf(a) > sumOf(b) ? -1 : 1;
const currencyOf = (rows: readonly Row[]): unknown => rows[0]?.iso_currency_code;

export function totals(rows: readonly Row[]): ReportFields[] {
  return grouped(rows, () => [null])
    .map((group) => total(group.rows))
    .sort((a, b) => byText(a['iso_currency_code'], b['iso_currency_code']));
}

interface Key {
  ids: (string | null)[];
  period: string | null;
}

function singles(by: Grouping): Single[] {
  return (by === 'category_month' ? 'category,month' : by).split(',') as Single[];
}

const PERIOD_OF: Readonly<Record<string, (date: string) => string>> = {
  day: (date) => date,
  week: mondayOf,
  month: (date) => date.slice(0, 7),
  year: (date) => date.slice(0, 4),
};

const IDS_OF: Readonly<Record<string, (row: Row) => (string | null)[]>> = {
  category: ({ category }) => [category?.id ?? null],
  category_primary: ({ category }) => [category?.parent_id ?? category?.id ?? null],
  kind: ({ category }) => [category?.kind ?? null],
  account: ({ account_id: id }) => [id],
  user: ({ user_id: id }) => [id],
  counterparty: ({ counterparty_id: id }) => [id],
  tag: ({ tags }) => (tags.length === 0 ? [null] : tags),
};

function keysOf(row: Row, by: readonly Single[]): Key[] {
  const period = by.map((one) => PERIOD_OF[one]?.(row.date)).find((found) => found !== undefined) ?? null;
  let ids: (string | null)[][] = [[]];
  for (const one of by) {
    const found = IDS_OF[one]?.(row);
    if (found) ids = ids.flatMap((before) => found.map((id) => [...before, id]));
  }
  return ids.map((list) => ({ ids: list, period }));
}

export function summary(w: World, rows: readonly Row[], by: Grouping): ReportFields[] {
  const groups = grouped(rows, (row) => keysOf(row, singles(by)));
  // Members and tags are ordered by UUIDs that their groups do not show: a tie of theirs has no place here.
  const byIds = (a: Key, b: Key): number => a.ids.map((id, i) => byText(id, b.ids[i])).find((sign) => sign !== 0) ?? 0;
  const compare = (a: (typeof groups)[number], b: (typeof groups)[number]): number =>
    byText(b.key.period, a.key.period) ||
    byText(currencyOf(a.rows), currencyOf(b.rows)) ||
    (a.key.ids.length === 0 ? 0 : bySum(a.rows, b.rows) || byIds(a.key, b.key));
  return groups.sort(compare).map((group) => ({
    ...described(w, by, group.key, group.rows[0] as Row),
    ...(group.key.period === null ? {} : { period: group.key.period }),
    ...total(group.rows),
  }));
}

function described(w: World, by: Grouping, { ids }: Key, row: Row): ReportFields {
  const named = singles(by).filter((one) => IDS_OF[one] !== undefined);
  return Object.assign({}, ...named.map((one, index) => describedBy(w, one, ids[index] ?? null, row))) as ReportFields;
}

function describedBy(w: World, by: Single, id: string | null, row: Row): ReportFields {
  if (by === 'category' || by === 'category_primary') {
    const category = id === null ? undefined : w.categories.get(id);
    return {
      category_id: id,
      category_slug: category?.slug ?? null,
      category_name: category?.name ?? null,
      category_kind: category?.kind ?? null,
      parent_id: category?.parent_id ?? null,
    };
  }
  if (by === 'kind') return { category_kind: id };
  if (by === 'account') return { account_id: id, account_name: row.account_name };
  if (by === 'user') return { user_id: id, user_name: w.members.get(id ?? '') ?? null };
  if (by === 'tag') return { tag_slug: id, tag_name: id };
  const name = id === null ? null : row.counterparty_name;
  return { counterparty_id: id, counterparty_short_id: row.counterparty_short_id, counterparty_name: name };
}

/** Totals of a summary: with a period among the groups, each says how many there are and what comes to one (10.5.4). */
export function summaryTotals(rows: readonly Row[], by: Grouping, query: Query): ReportFields[] {
  const period = singles(by).find((one) => PERIOD_OF[one] !== undefined);
  const told = totals(rows);
  if (period === undefined) return told;
  const DAY = 86_400_000;
  const of = PERIOD_OF[period] as (date: string) => string;
  return told.map((one) => {
    const dates = rows.filter((row) => row.iso_currency_code === one['iso_currency_code']).map((row) => row.date);
    const open = query['end_date'] === undefined ? undefined : Date.parse(query['end_date']) - DAY;
    const last = open === undefined ? dates.toSorted().at(-1) : new Date(open).toISOString().slice(0, 10);
    const walked = new Set<string>();
    const first = String(query['date_from'] ?? dates.toSorted()[0]);
    for (let at = Date.parse(first); at <= Date.parse(last as string); at += DAY) {
      walked.add(of(new Date(at).toISOString().slice(0, 10)));
    }
    const sum = sumOf(rows.filter((row) => row.iso_currency_code === one['iso_currency_code']));
    const [size, sign, count] = [sum < 0n ? -sum : sum, sum < 0n ? -1n : 1n, BigInt(walked.size)];
    const average = money(sign * ((2n * size + count) / (2n * count)));
    return { ...one, period_count: walked.size, average_amount: average };
  });
}

export function merchants(
  { counterparties }: World,
  rows: readonly Row[],
  minCount: number,
): { rows: ReportFields[]; counted: Row[] } {
  const known = [...counterparties.values()];
  const merchantOf = (row: Row): Counterparty | undefined =>
    row.counterparty_id === null
      ? counterparties.get(fold(row.merchant_name ?? row.name))
      : known.find(({ id }) => id === row.counterparty_id);
  const groups = grouped(rows, (row) => [merchantOf(row)?.id ?? `text:${fold(row.merchant_name ?? row.name)}`]).filter(
    (group) => group.rows.length >= minCount,
  );
  const told = groups.map(({ key, rows: members }) => {
    // The rows come newest first.
    const [newest, oldest] = [members[0] as Row, members.at(-1) as Row];
    const merchant = merchantOf(newest);
    const [sum, count] = [sumOf(members), BigInt(members.length)];
    const [size, sign] = sum < 0n ? [-sum, -1n] : [sum, 1n];
    return {
      key,
      members,
      row: {
        merchant: merchant?.name ?? newest.merchant_name ?? newest.name,
        counterparty_id: merchant?.id ?? null,
        counterparty_short_id: merchant?.short_id ?? null,
        counterparty_logo_url: merchant?.logo_url ?? null,
        iso_currency_code: newest.iso_currency_code,
        transaction_count: members.length,
        total_amount: money(sum),
        avg_amount: money(sign * ((2n * size + count) / (2n * count))),
        first_date: oldest.date,
        last_date: newest.date,
      },
    };
  });
  told.sort(
    (a, b) =>
      byText(a.row.iso_currency_code, b.row.iso_currency_code) ||
      bySum(a.members, b.members) ||
      b.members.length - a.members.length ||
      compareCodePoints(fold(a.row.merchant), fold(b.row.merchant)) ||
      byText(a.row.counterparty_id, b.row.counterparty_id),
  );
  return { rows: told.map(({ row }) => row), counted: groups.flatMap((group) => group.rows) };
}
