import { isNewestFirst } from './file-order.ts';

interface Chained {
  readonly opening: number | null;
  readonly closing: number | null;
  readonly day: number | null;
}

/** Statements oldest first: by their days, and within a day in the order in which their balances follow one another. */
export function inChain<T extends Chained>(statements: readonly T[]): T[] {
  if (statements.some(({ day }) => day === null)) return [...statements];
  const sequence: T[] = [];
  for (const group of byDay(statements)) sequence.push(...joined(group, sequence.at(-1)?.closing ?? null));
  return sequence;
}

function byDay<T extends Chained>(statements: readonly T[]): T[][] {
  const isReversed = isNewestFirst(statements.map(({ day }) => day as number));
  const groups = new Map<number, T[]>();
  for (const one of isReversed ? statements.toReversed() : statements) {
    const group = groups.get(one.day as number);
    if (group) group.push(one);
    else groups.set(one.day as number, [one]);
  }
  return [...groups].sort(([a], [b]) => a - b).map(([, group]) => group);
}

/** The order of a day's statements in which the fewest of them fail to join. */
function joined<T extends Chained>(group: readonly T[], before: number | null): readonly T[] {
  if (group.length === 1) return group;
  let best = group;
  let fewest = gaps(group, before);
  const others = [() => group.toReversed(), () => followed(group, before), () => followed(group.toReversed(), before)];
  for (const other of others) {
    if (fewest === 0) break;
    const order = other();
    const count = gaps(order, before);
    if (count < fewest) [best, fewest] = [order, count];
  }
  return best;
}

function gaps(order: readonly Chained[], before: number | null): number {
  let known = before;
  let count = 0;
  for (const { opening, closing } of order) {
    if (known !== null && opening !== null && opening !== known) count++;
    known = closing;
  }
  return count;
}

/** From balance to balance: those that move nothing first, else as they stand. */
function followed<T extends Chained>(group: readonly T[], before: number | null): T[] {
  const waiting = new Map<number | null, T[]>();
  const still = (one: T): boolean => one.opening === one.closing;
  for (const one of [...group.filter((each) => !still(each)).reverse(), ...group.filter(still).reverse()]) {
    const list = waiting.get(one.opening);
    if (list) list.push(one);
    else waiting.set(one.opening, [one]);
  }
  let known = before ?? startOf(group);
  const order: T[] = [];
  while (order.length < group.length) {
    const next = waiting.get(known)?.pop() ?? takeAny(waiting);
    order.push(next);
    known = next.closing;
  }
  return order;
}

/** The balance at which the day's statements begin: one that they open with more often than they close. */
function startOf(group: readonly Chained[]): number | null {
  const surplus = new Map<number | null, number>();
  const count = (balance: number | null, step: 1 | -1): void => {
    surplus.set(balance, (surplus.get(balance) ?? 0) + step);
  };
  for (const { opening, closing } of group) {
    count(opening, 1);
    count(closing, -1);
  }
  for (const [balance, times] of surplus) if (times > 0) return balance;
  return group[0]?.opening ?? null;
}

function takeAny<T>(waiting: Map<number | null, T[]>): T {
  for (const [opening, list] of waiting) {
    const one = list.pop();
    if (one !== undefined) return one;
    waiting.delete(opening);
  }
  throw new Error('Every statement was taken already.');
}
