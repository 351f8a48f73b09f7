import { dayNumber } from '../../kernel/dates.ts';
import { LIMITS } from '../../kernel/limits.ts';
import type { KnownRow } from './account-plan.ts';
import { decide, type Matching, type PlacedRow } from './matching.ts';
import type { Movement } from './movement.ts';
import { DAYS_AFTER_PENDING, DAYS_BEFORE_PENDING } from './reach.ts';
import { isEqualContinuation } from './suggest.ts';

/** Rows and pending transactions of equal amount, currency and name key. */
interface Group {
  readonly rows: PlacedRow[];
  readonly gone: KnownRow[];
}

/**
 * R4, 1: which of several equal rows continues which of several equal pending transactions makes no difference, so they
 * are paired by date. Where one of them has a possible partner outside its group, the next steps decide.
 */
export function pairIndistinguishable(matching: Matching, rows: readonly PlacedRow[], gone: readonly KnownRow[]): void {
  const goneByAmount = byKey(gone, ({ amountCents }) => amountCents);
  const rowsByAmount = byKey(rows, ({ amountCents }) => amountCents);
  for (const [amountCents, ofRows] of rowsByAmount) {
    const ofGone = goneByAmount.get(amountCents);
    const groups = ofGone ? groupsOf(matching, ofRows, ofGone) : [];
    if (groups.length > LIMITS.syncRowsCompared) continue;
    const chains = groups.flatMap((group) => chainsOf(group).map((chain) => ({ group, chain })));
    const alone = chains.filter(
      ({ group, chain }) =>
        chain.rows.length > 0 &&
        chain.gone.length > 0 &&
        groups.every((other) => other === group || !hasPairBetween(matching, chain, other)),
    );
    for (const { chain } of alone) pairByDate(matching, chain);
  }
}

function byKey<T, K>(items: readonly T[], keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}

/** An unknown currency is that of the others, unless there are several. */
function groupsOf({ names }: Matching, rows: readonly PlacedRow[], gone: readonly KnownRow[]): Group[] {
  const currencies = new Set([...rows, ...gone].map(({ currency }) => currency).filter((one) => one !== null));
  const keyOf = ({ name, currency }: Movement): string =>
    `${currencies.size > 1 ? (currency ?? '') : ''}|${names.keyOf(name)}`;
  const [rowsOf, goneOf] = [byKey(rows, keyOf), byKey(gone, keyOf)];
  const keys = [...new Set([...rowsOf.keys(), ...goneOf.keys()])].sort();
  return keys.map((key) => ({ rows: rowsOf.get(key) ?? [], gone: goneOf.get(key) ?? [] }));
}

/** The parts of a group that lie so far apart that none continues one of another part. */
function chainsOf(group: Group): Group[] {
  const all = [...group.rows, ...group.gone].map((one) => ({ one, day: dayNumber(one.date) }));
  const chains: Group[] = [];
  let lastDay = -Infinity;
  for (const { one, day } of all.sort((a, b) => a.day - b.day)) {
    if (day - lastDay > DAYS_AFTER_PENDING) chains.push({ rows: [], gone: [] });
    lastDay = day;
    const chain = chains.at(-1) as Group;
    if ('place' in one) chain.rows.push(one);
    else chain.gone.push(one);
  }
  return chains;
}

/** Whether a row of one group may continue a pending transaction of the other, either way round. */
function hasPairBetween(matching: Matching, one: Group, other: Group): boolean {
  const hasPair = (rows: readonly PlacedRow[], gone: readonly KnownRow[]): boolean =>
    distinct(matching, rows).some((row) =>
      distinct(matching, gone).some((pending) => isEqualContinuation(matching.names, row, pending)),
    );
  return hasPair(one.rows, other.gone) || hasPair(other.rows, one.gone);
}

/** One of each date, currency and name. */
function distinct<T extends Movement>({ names }: Matching, items: readonly T[]): T[] {
  const kinds = new Map<string, T>();
  for (const item of items) {
    const { date, currency, name, merchantName } = item;
    kinds.set(`${date}|${currency}|${names.keyOf(name)}|${merchantName && names.keyOf(merchantName)}`, item);
  }
  return [...kinds.values()];
}

/** The oldest row takes the oldest pending transaction that it may continue; what is over stays over. */
function pairByDate(matching: Matching, { rows, gone }: Group): void {
  const inOrder = gone.toSorted(
    (a, b) => dayNumber(a.date) - dayNumber(b.date) || Number(isDeleted(a)) - Number(isDeleted(b)),
  );
  let at = 0;
  for (const row of rows) {
    const day = dayNumber(row.date);
    while (inOrder[at] && dayNumber((inOrder[at] as KnownRow).date) < day - DAYS_AFTER_PENDING) at += 1;
    const pending = inOrder[at];
    if (!pending || dayNumber(pending.date) > day + DAYS_BEFORE_PENDING) continue;
    decide(matching, row.place, pending, 'R4');
    at += 1;
  }
}

function isDeleted({ deletedCause }: KnownRow): boolean {
  return deletedCause !== null;
}
