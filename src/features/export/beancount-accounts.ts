import { component, uniqueNames } from '../../engines/beancount/names.ts';
import { walkBalances, type Walk } from '../../engines/beancount/walk-balances.ts';
import { dayNumber, type DateOnly, type Instant } from '../../kernel/dates.ts';
import type { CategoryRecord } from '../categories/index.ts';
import type { ReadContext } from '../handler.ts';
import {
  iteratePostedBySyncs,
  selectDaySums,
  selectStatedBalances,
  type DaySum,
  type StatedRow,
} from './beancount.queries.ts';
import { accountsOf } from './household-files.ts';

type Account = Awaited<ReturnType<typeof accountsOf>>[number];

/** An account of the ledger in one currency, as the book has it. */
export interface BookAccount {
  readonly name: string;
  readonly label: string;
  /** A dependent account, which shows what another one has too. */
  readonly isCopy: boolean;
  readonly commodity: string;
  /** The day of the first row or balance; null without either. */
  readonly since: DateOnly | null;
  /** null where no balance is known. */
  readonly walk: Walk<Stated> | null;
}

interface Stated {
  readonly date: DateOnly;
  readonly source: string;
  readonly recordedAt: Instant;
  readonly held: bigint;
  readonly moved: bigint;
  late: bigint;
  readonly pending: bigint | null;
}

const LIABILITIES: ReadonlySet<string> = new Set(['credit', 'loan']);
const MOVING_ALONE: ReadonlySet<string> = new Set(['investment', 'brokerage']);
/** A sync may bring a row so many days after its date without the bank having counted it before (contract 43.2). */
const LATE_DAYS = 7;

export function keyOf(accountId: string, currency: string | null): string {
  return `${accountId} ${currency ?? ''}`;
}

/** The accounts of the book by `keyOf`: one for each account and currency with rows, balances, or neither. */
export async function bookAccounts(context: ReadContext): Promise<Map<string, BookAccount>> {
  const { tx } = context;
  const sums = groupByKey(await selectDaySums(tx));
  const balances = groupByKey(await selectStatedBalances(tx));
  const keys = [...sums.keys(), ...balances.keys()];
  const found = (await accountsOf(context)).flatMap((account) =>
    currenciesOf(account, keys).map((currency) => {
      const key = keyOf(account.id, currency);
      const rows = sums.get(key) ?? [];
      const stated = statedBalances(balances.get(key) ?? [], rows, LIABILITIES.has(account.type));
      return { key, account, currency, rows, stated };
    }),
  );
  await addLateRows(context, new Map(found.map(({ key, stated }) => [key, stated])));
  const book = new Map<string, BookAccount>();
  for (const { key, account, currency, rows, stated } of found) {
    const days = [rows[0]?.date, stated[0]?.date].filter((day) => day !== undefined);
    book.set(key, {
      name: nameOf(account, currency),
      label: labelOf(account),
      isCopy: account.is_dependent_linked,
      commodity: currency === '' ? 'XXX' : currency,
      since: days.toSorted()[0] ?? null,
      walk: stated.length === 0 ? null : walkBalances(stated, MOVING_ALONE.has(account.type)),
    });
  }
  return book;
}

function groupByKey<T extends { account_id: string; currency: string }>(rows: readonly T[]): Map<string, T[]> {
  return Map.groupBy(rows, (row) => keyOf(row.account_id, row.currency));
}

function currenciesOf({ id, iso_currency_code: own }: Account, keys: readonly string[]): string[] {
  const found = keys.filter((key) => key.startsWith(`${id} `)).map((key) => key.slice(id.length + 1));
  return [...new Set(found.length > 0 ? found : [own ?? ''])].toSorted();
}

function statedBalances(balances: readonly StatedRow[], sums: readonly DaySum[], isOwed: boolean): Stated[] {
  let moved = 0n;
  let next = 0;
  return balances.map(({ date, source, recorded_at: recordedAt, cents, pending_cents: pending }) => {
    for (let sum = sums[next]; sum !== undefined && sum.date <= date; sum = sums[next]) {
      moved -= BigInt(sum.cents);
      next += 1;
    }
    const held = isOwed ? -BigInt(cents) : BigInt(cents);
    return { date, source, recordedAt, held, moved, late: 0n, pending: pending === null ? null : -BigInt(pending) };
  });
}

/** Adds to each balance of a sync what its bank had not counted yet: rows of its last days that came later. */
async function addLateRows({ tx }: ReadContext, stated: ReadonlyMap<string, Stated[]>): Promise<void> {
  const bySyncs = new Map<string, Stated[]>();
  for (const [key, balances] of stated) {
    const own = balances.filter(({ source }) => source === 'sync');
    if (own.length > 0) bySyncs.set(key, own);
  }
  if (bySyncs.size === 0) return;
  for await (const row of iteratePostedBySyncs(tx)) {
    const balances = bySyncs.get(keyOf(row.account_id, row.currency)) ?? [];
    for (let at = firstFrom(balances, row.date); at < balances.length; at += 1) {
      const balance = balances[at] as Stated;
      if (dayNumber(balance.date) - dayNumber(row.date) > LATE_DAYS) break;
      if (row.posted_at > balance.recordedAt) balance.late -= BigInt(row.amount_cents);
    }
  }
}

function firstFrom(balances: readonly Stated[], date: DateOnly): number {
  let [low, high] = [0, balances.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((balances[middle] as Stated).date < date) low = middle + 1;
    else high = middle;
  }
  return low;
}

function labelOf(account: Account): string {
  return account.display_name ?? account.name;
}

function nameOf(account: Account, currency: string): string {
  const root = LIABILITIES.has(account.type) ? 'Liabilities' : 'Assets';
  const bank = component(account.institution_name ?? '', 'Household');
  // `NONE` cannot be a currency, which has three letters.
  const last = `${currency === '' ? 'NONE' : currency}-${account.short_id}`;
  return [root, bank, component(labelOf(account), 'Account'), last].join(':');
}

/** The accounts that a category has in the book, for money out and for money in. */
export interface CategoryAccounts {
  readonly out: string;
  readonly in: string;
}

export const UNCATEGORIZED: CategoryAccounts = { out: 'Expenses:Uncategorized', in: 'Income:Uncategorized' };

/** By UUID. What is no expense and no income, such as a transfer, is an expense when money goes out. */
export function categoryAccounts(categories: readonly CategoryRecord[]): Map<string, CategoryAccounts> {
  const byId = new Map(categories.map((category) => [category.id, category]));
  const unique = uniqueNames();
  for (const name of Object.values(UNCATEGORIZED)) unique(name, '');
  const accounts = new Map<string, CategoryAccounts>();
  for (const category of categories) {
    const parent = category.parent_id === null ? undefined : byId.get(category.parent_id);
    const path = [parent, category]
      .filter((one) => one !== undefined)
      .map(({ name, slug }) => component(name, component(slug, 'Category')));
    const under = (root: string): string => unique([root, ...path].join(':'), category.short_id);
    const own = { expense: 'Expenses', income: 'Income', transfer: null }[category.kind];
    const single = own === null ? null : under(own);
    accounts.set(category.id, { out: single ?? under('Expenses'), in: single ?? under('Income') });
  }
  return accounts;
}
