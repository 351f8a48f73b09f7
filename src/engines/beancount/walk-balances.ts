import { dayNumber, type DateOnly } from '../../kernel/dates.ts';

/** What a bank, a file or a person says an account held at the end of a day. All amounts are as an account holds them. */
export interface StatedBalance {
  readonly date: DateOnly;
  readonly source: string;
  /** Money owed is negative. */
  readonly held: bigint;
  /** What the posted rows up to this day add up to. */
  readonly moved: bigint;
  /** The part of `moved` that the bank did not know of when it stated the balance; 0 unless a sync did. */
  readonly late: bigint;
  /** What the pending rows came to then; null unless a sync stated the balance. */
  readonly pending: bigint | null;
}

/** How a stated balance stands to the rows. */
export interface Judged<T> {
  readonly balance: T;
  /** `timing`: it agrees once rows that the bank did not count yet, or counted early, are considered. */
  readonly verdict: 'agrees' | 'timing' | 'unsettled';
  /** What has to be added on this day so that rows and balances agree from here on; 0 mostly. */
  readonly gap: bigint;
}

export interface Walk<T> {
  /** What the account held before its first row. */
  readonly opening: bigint;
  readonly judged: readonly Judged<T>[];
}

const SOON_DAYS = 7;

/**
 * Holds balances against rows by the rules of the proof calendar (contract 43.2): a balance that a later one explains as
 * timing is no gap. Those of `isMovingAlone` move without rows, and every one counts.
 * @param balances at least one, oldest first
 */
export function walkBalances<T extends StatedBalance>(balances: readonly T[], isMovingAlone: boolean): Walk<T> {
  const anchors = balances.map((balance) => ({
    balance,
    values: isMovingAlone ? [restOf(balance)] : valuesOf(balance),
  }));
  const levels = anchors.map((_, at) => (isMovingAlone ? (anchors[at]?.values[0] ?? null) : firmLevel(anchors, at)));
  const start = levels.findIndex((level) => level !== null);
  const opening = levels[start] ?? restOf(balances[0] as T);
  let level = opening;
  const judged: Judged<T>[] = [];
  let next = 0;
  while (next < anchors.length) {
    const { end, isGap } =
      next < start
        ? { end: next, isGap: false }
        : nextSettled(anchors, levels, next, level, isMovingAlone ? 0 : SOON_DAYS);
    for (; next < end; next += 1) judged.push(judge(anchors[next] as Anchor<T>, level, 0n));
    const anchor = anchors[end] as Anchor<T>;
    const reached = isGap ? (levels[end] ?? restOf(anchor.balance)) : level;
    judged.push(judge(anchor, reached, reached - level));
    level = reached;
    next = end + 1;
  }
  return { opening, judged };
}

interface Anchor<T> {
  readonly balance: T;
  /** The levels that it may mean, the likeliest first. */
  readonly values: readonly bigint[];
}

/** Balance minus rows: the same on every day if nothing is missing. */
function restOf({ held, moved }: StatedBalance): bigint {
  return held - moved;
}

function valuesOf(balance: StatedBalance): bigint[] {
  const rest = restOf(balance) + balance.late;
  if (balance.source !== 'sync') return [rest];
  const values = balance.pending === null ? [rest] : [rest, rest - balance.pending];
  return [...new Set([...values, restOf(balance)])];
}

/** The level that an anchor stands for; null if nothing confirms it. */
function firmLevel(anchors: readonly Anchor<StatedBalance>[], at: number): bigint | null {
  const { balance, values } = anchors[at] as Anchor<StatedBalance>;
  if (balance.source !== 'sync') return values[0] ?? null;
  const soon: Anchor<StatedBalance>[] = [];
  for (let other = at + 1; other < anchors.length; other += 1) {
    const anchor = anchors[other] as Anchor<StatedBalance>;
    if (soon.length > 0 && daysBetween(balance, anchor.balance) > SOON_DAYS) break;
    soon.push(anchor);
    if (daysBetween(balance, anchor.balance) > SOON_DAYS) break;
  }
  let best: bigint | null = null;
  let most = 0;
  for (const value of values) {
    const count = soon.filter((anchor) => anchor.values.includes(value)).length;
    if (count > most) [best, most] = [value, count];
  }
  return best;
}

/** The next anchor that settles something from `from` on: one that fits the level, or one that proves a gap. */
function nextSettled(
  anchors: readonly Anchor<StatedBalance>[],
  levels: readonly (bigint | null)[],
  from: number,
  level: bigint,
  soonDays: number,
): { end: number; isGap: boolean } {
  let firm: number | undefined;
  for (let at = from; at < anchors.length; at += 1) {
    const { balance, values } = anchors[at] as Anchor<StatedBalance>;
    const isSoon = daysBetween((anchors[from] as Anchor<StatedBalance>).balance, balance) <= soonDays;
    if (values.includes(level) && (isSoon || firm === undefined)) return { end: at, isGap: false };
    if (firm === undefined && levels[at] !== null && levels[at] !== level) firm = at;
    if (firm !== undefined && !isSoon) break;
  }
  // Nothing confirms the newest balances: they are what the bank says last.
  return { end: firm ?? anchors.length - 1, isGap: true };
}

function judge<T extends StatedBalance>({ balance, values }: Anchor<T>, level: bigint, gap: bigint): Judged<T> {
  if (restOf(balance) === level) return { balance, verdict: 'agrees', gap };
  return { balance, verdict: values.includes(level) ? 'timing' : 'unsettled', gap };
}

function daysBetween(one: StatedBalance, other: StatedBalance): number {
  return dayNumber(other.date) - dayNumber(one.date);
}
