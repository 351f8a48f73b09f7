import { formatCents } from '../../../kernel/money.ts';

export type Dimension =
  | 'category_id'
  | 'iso_currency_code'
  | 'month'
  | 'account_id'
  | 'attributed_user_id'
  | 'date'
  | 'counterparty_id';

/** Exact sums of one group of rows. */
export interface Group {
  category_id?: string | null;
  iso_currency_code: string | null;
  month?: string;
  account_id?: string;
  attributed_user_id?: string | null;
  date?: string;
  counterparty_id?: string | null;
  tag_id?: string | null;
  count: number;
  total: bigint;
  out: bigint;
}

/** The shape of `Total` (contract 10.5.3). */
export interface TotalRecord {
  iso_currency_code: string | null;
  transaction_count: number;
  total_amount: string;
  money_out: string;
  money_in: string;
}

export function exact(total: string, incoming: string | null): { total: bigint; out: bigint } {
  const all = BigInt(total);
  return { total: all, out: all - BigInt(incoming ?? 0) };
}

/** Adds up groups with the same key. Their other fields are those of the first. */
export function foldGroups(groups: Iterable<Group>, keyOf: (group: Group) => string): Group[] {
  const sums = new Map<string, Group>();
  for (const group of groups) addGroup(sums, keyOf(group), group);
  return [...sums.values()];
}

function addGroup(sums: Map<string, Group>, key: string, group: Group): void {
  const sum = sums.get(key);
  if (sum) {
    sum.count += group.count;
    sum.total += group.total;
    sum.out += group.out;
  } else sums.set(key, { ...group });
}

export function toTotal(group: Group): TotalRecord {
  return {
    iso_currency_code: group.iso_currency_code,
    transaction_count: group.count,
    total_amount: formatCents(group.total),
    money_out: formatCents(group.out),
    money_in: formatCents(group.out - group.total),
  };
}

/** The sums per currency, code ascending, null last. */
export function totalGroups(groups: Iterable<Group>): Group[] {
  return foldGroups(groups, (group) => group.iso_currency_code ?? '').sort((a, b) =>
    compareNullsLast(a.iso_currency_code, b.iso_currency_code),
  );
}

/** One total per currency, code ascending, null last. */
export function totalsOf(groups: Iterable<Group>): TotalRecord[] {
  return totalGroups(groups).map(toTotal);
}

export function compareNullsLast(a: string | null, b: string | null): number {
  if (a === b) return 0;
  if (a === null) return 1;
  if (b === null) return -1;
  return a < b ? -1 : 1;
}
