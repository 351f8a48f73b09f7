import {
  addDays,
  dateOfDayNumber,
  daysInMonth,
  dayNumber,
  mondayOf,
  toDateOnly,
  type DateOnly,
} from '../../kernel/dates.ts';
import { compareCodePoints } from '../../kernel/fold.ts';
import { formatCents } from '../../kernel/money.ts';

/** An account whose balance counts. */
export interface HeldAccount {
  id: string;
  isLiability: boolean;
  /** The day of its first posted transaction. */
  firstRowDate: DateOnly | null;
}

/** A reported balance; null says that the balance is not known from this day on. The currency is '' for none. */
export interface Snapshot {
  accountId: string;
  currency: string;
  date: DateOnly;
  cents: bigint | null;
}

/** The sum of an account's posted rows of one day. */
export interface DaySum {
  accountId: string;
  currency: string;
  date: DateOnly;
  cents: bigint;
}

/** Days after `from` up to `to`. */
export interface Span {
  accountId: string;
  from: DateOnly;
  to: DateOnly;
}

export interface WorthPoint {
  date: DateOnly;
  assets: bigint;
  liabilities: bigint;
  isDerived: boolean;
}

export type Interval = 'day' | 'week' | 'month';

/** The last day of each interval, and of the range. */
export function pointsOf(from: DateOnly, to: DateOnly, interval: Interval): DateOnly[] {
  const points: DateOnly[] = [];
  const last = dayNumber(to);
  for (let day = endOf(dayNumber(from), interval); day < last; day = endOf(day + 1, interval)) {
    points.push(dateOfDayNumber(day));
  }
  return [...points, to];
}

function endOf(day: number, interval: Interval): number {
  if (interval === 'day') return day;
  const date = dateOfDayNumber(day);
  if (interval === 'week') return dayNumber(mondayOf(date)) + 6;
  const [year, month] = [Number(date.slice(0, 4)), Number(date.slice(5, 7))];
  return dayNumber(toDateOnly(year, month, daysInMonth(year, month)));
}

/** The balances that an account reported in one currency, oldest first; at least one. */
interface Reported {
  account: HeldAccount;
  currency: string;
  snapshots: readonly Snapshot[];
  /** The account counts from its first balance, or from the eve of its first row if that is earlier. */
  since: DateOnly;
}

/**
 * Groups balances by account and currency. A balance dated after today is today's: it is the newest one known, and
 * the account shows it already.
 */
export function reportedBalances(
  accounts: readonly HeldAccount[],
  snapshots: readonly Snapshot[],
  today: DateOnly,
): Reported[] {
  const byId = new Map(accounts.map((account) => [account.id, account]));
  const since = new Map<string, DateOnly>();
  const groups = new Map<string, Snapshot[]>();
  for (const snapshot of snapshots.toSorted((a, b) => (a.date < b.date ? -1 : 1))) {
    const { accountId, currency, date } = snapshot;
    const account = byId.get(accountId);
    if (!account) continue;
    if (!since.has(accountId)) since.set(accountId, firstDay(earlier(date, today), account));
    const key = `${accountId} ${currency}`;
    const group = groups.get(key) ?? [];
    if (date > today) while ((group.at(-1)?.date ?? '') >= today) group.pop();
    group.push({ ...snapshot, date: earlier(date, today) });
    groups.set(key, group);
  }
  return [...groups.values()].map((group) => {
    const { accountId, currency } = group[0] as Snapshot;
    const known = group.filter(({ cents }, index) => cents !== null || index === group.length - 1);
    return {
      account: byId.get(accountId) as HeldAccount,
      currency,
      snapshots: known,
      since: since.get(accountId) as DateOnly,
    };
  });
}

/** The balance with which a day ends is the one before the first row of the next day. */
function firstDay(firstBalance: DateOnly, { firstRowDate }: HeldAccount): DateOnly {
  return firstRowDate === null ? firstBalance : earlier(firstBalance, addDays(firstRowDate, -1));
}

function earlier(one: DateOnly, other: DateOnly): DateOnly {
  return other < one ? other : one;
}

/** Where the balance of a day comes from: a reported one, moved by the rows of a span unless that is null. */
interface Source {
  snapshot: Snapshot;
  span: { from: DateOnly; to: DateOnly } | null;
}

/** The four cases of contract 80.2; undefined where the account does not count or its balance is unknown. */
function sourceOf({ snapshots, since }: Reported, day: DateOnly): Source | undefined {
  if (day < since) return undefined;
  const newest = snapshots.at(-1) as Snapshot;
  if (day >= newest.date) return newest.cents === null ? undefined : { snapshot: newest, span: null };
  const before = snapshots.findLast(({ date }) => date <= day);
  if (before) return { snapshot: before, span: before.date === day ? null : { from: before.date, to: day } };
  const oldest = snapshots[0] as Snapshot;
  return oldest.cents === null ? undefined : { snapshot: oldest, span: { from: day, to: oldest.date } };
}

/** Per account, the days whose rows `worthOver` needs. */
export function spansNeeded(reported: readonly Reported[], points: readonly DateOnly[]): Span[] {
  const spans = new Map<string, Span>();
  for (const one of reported) {
    const { id: accountId } = one.account;
    for (const point of points) {
      const span = sourceOf(one, point)?.span;
      if (!span) continue;
      const known = spans.get(accountId) ?? { accountId, ...span };
      spans.set(accountId, {
        accountId,
        from: span.from < known.from ? span.from : known.from,
        to: span.to > known.to ? span.to : known.to,
      });
    }
  }
  return [...spans.values()];
}

/** Assets and liabilities at each point, by currency ('' for none). */
export function worthOver(
  reported: readonly Reported[],
  sums: readonly DaySum[],
  points: readonly DateOnly[],
): Map<string, WorthPoint[]> {
  const running = runningSums(sums);
  const series = new Map<string, WorthPoint[]>();
  for (const one of reported) {
    const { account, currency } = one;
    const moved = running.get(`${account.id} ${currency}`) ?? NO_SUMS;
    for (const [index, point] of points.entries()) {
      const source = sourceOf(one, point);
      if (!source) continue;
      const line = series.get(currency) ?? points.map(nothing);
      series.set(currency, line);
      const sum = line[index] as WorthPoint;
      const cents = balanceFrom(source, moved, account);
      if (account.isLiability) sum.liabilities += cents;
      else sum.assets += cents;
      sum.isDerived ||= source.span !== null;
    }
  }
  return series;
}

function nothing(date: DateOnly): WorthPoint {
  return { date, assets: 0n, liabilities: 0n, isDerived: false };
}

/** Money out lowers what is owned and raises what is owed. */
function balanceFrom({ snapshot, span }: Source, moved: RunningSums, account: HeldAccount): bigint {
  const known = snapshot.cents as bigint;
  if (span === null) return known;
  const out = sumUpTo(moved, span.to) - sumUpTo(moved, span.from);
  const forward = account.isLiability ? out : -out;
  return span.from === snapshot.date ? known + forward : known - forward;
}

/** Sums up to and including each day that has rows, in the order of days. */
interface RunningSums {
  dates: DateOnly[];
  totals: bigint[];
}

const NO_SUMS: RunningSums = { dates: [], totals: [] };

function runningSums(sums: readonly DaySum[]): Map<string, RunningSums> {
  const groups = new Map<string, RunningSums>();
  for (const { accountId, currency, date, cents } of sums.toSorted((a, b) => (a.date < b.date ? -1 : 1))) {
    const key = `${accountId} ${currency}`;
    const group = groups.get(key) ?? { dates: [], totals: [] };
    groups.set(key, group);
    group.totals.push((group.totals.at(-1) ?? 0n) + cents);
    group.dates.push(date);
  }
  return groups;
}

function sumUpTo({ dates, totals }: RunningSums, day: DateOnly): bigint {
  let [low, high] = [0, dates.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((dates[middle] as DateOnly) <= day) low = middle + 1;
    else high = middle;
  }
  return low === 0 ? 0n : (totals[low - 1] as bigint);
}

/** By currency code; '' stands for none, becomes null, and comes last. */
export function inCurrencyOrder<T>(byCurrency: ReadonlyMap<string, T>): [currency: string | null, value: T][] {
  return [...byCurrency]
    .sort(([a], [b]) => (a === '' ? 1 : b === '' ? -1 : compareCodePoints(a, b)))
    .map(([currency, value]) => [currency === '' ? null : currency, value]);
}

export function toWorth({ assets, liabilities }: Pick<WorthPoint, 'assets' | 'liabilities'>) {
  return {
    assets: formatCents(assets),
    liabilities: formatCents(liabilities),
    net: formatCents(assets - liabilities),
  };
}
