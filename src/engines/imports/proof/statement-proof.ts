import { dateOfDayNumber } from '../../../kernel/dates.ts';
import type { BalanceBreak, BalanceResult, BreakCause, ClosingBalance } from '../analysis.ts';
import { causeOf } from './balance-cause.ts';
import { isNewestFirst } from './file-order.ts';

/** One statement of one account and currency: its balances and the posted rows between them. */
export interface ProofStatement {
  readonly opening: number | null;
  readonly closing: number | null;
  readonly available: number | null;
  /** The day of the closing balance, else of the last row. */
  readonly day: number | null;
  readonly lines: readonly number[];
  readonly days: readonly number[];
  /** With our sign: positive is money out. */
  readonly amounts: readonly number[];
  /** Of each row, what it is, if other statements of the file list it too (36.7.1). */
  readonly identities?: readonly (number | null)[];
}

export interface StatementSense {
  /** The account may be one that owes (credit, loan). */
  readonly mayOwe: boolean;
  /** If neither is proved, its balances count as money owed. */
  readonly countsOwed: boolean;
}

type Identity = Pick<BalanceResult, 'file_value' | 'iso_currency_code'>;

/**
 * Proves that each statement's opening balance plus its rows is its closing balance, and that statements join
 * (36.6.3). Balances keep the file's own sense.
 */
export function proveStatements(
  statements: readonly ProofStatement[],
  identity: Identity,
  sense: StatementSense,
): BalanceResult {
  const sequence = inChain(withoutContained(statements));
  const owned = walk(withoutRepeats(sequence, -1), -1);
  const owed = sense.mayOwe ? walk(withoutRepeats(sequence, 1), 1) : null;
  const isDebt = owed !== null && (owned.breaks > 0 ? owed.breaks === 0 : owned.links === 0 && sense.countsOwed);
  const walked = isDebt ? owed : owned;
  const days = withoutRepeats(sequence, -1).flatMap((one) => [...one.days]);
  const first = days.reduce((a, b) => Math.min(a, b), Infinity);
  const last = days.reduce((a, b) => Math.max(a, b), -Infinity);
  const closings = closingsOf(sequence);
  const only = closings.at(-1)?.date ?? null;
  return {
    ...identity,
    status: walked.links === 0 ? 'not_available' : walked.breaks > 0 ? 'broken' : 'proved',
    method: walked.links === 0 ? 'none' : 'statement_balances',
    balance_is: null,
    kind: isDebt ? 'debt' : 'asset',
    first_date: days.length > 0 ? dateOfDayNumber(first) : only,
    last_date: days.length > 0 ? dateOfDayNumber(last) : only,
    opening_cents: sequence[0]?.opening ?? null,
    closing_cents: sequence.at(-1)?.closing ?? null,
    rows_checked: walked.rowsChecked,
    rows_total: days.length,
    days_checked: walked.daysChecked.size,
    days_proved: walked.daysChecked.size - walked.daysBroken.size,
    break_count: walked.breaks,
    first_break: walked.firstBreak,
    closings,
  };
}

/** Without statements all of whose rows another one lists. */
function withoutContained(statements: readonly ProofStatement[]): readonly ProofStatement[] {
  const sharing = statements.filter(({ identities }) => identities?.some((one) => one !== null));
  if (sharing.length < 2) return statements;
  const counts = new Map(sharing.map((one) => [one, countsOf(one.identities ?? [])]));
  const gone = new Set<ProofStatement>();
  for (const one of sharing) {
    const own = counts.get(one);
    const isIn = (other: ProofStatement): boolean =>
      other !== one && !gone.has(other) && [...(own ?? [])].every(([id, n]) => (counts.get(other)?.get(id) ?? 0) >= n);
    if (own && !own.has(null) && sharing.some(isIn)) gone.add(one);
  }
  return gone.size === 0 ? statements : statements.filter((one) => !gone.has(one));
}

function countsOf<T>(values: readonly T[]): Map<T, number> {
  const counts = new Map<T, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

/** Each row once: a statement opens after those of its rows that an earlier one lists. */
function withoutRepeats(sequence: readonly ProofStatement[], factor: 1 | -1): readonly ProofStatement[] {
  const most = new Map<number, number>();
  return sequence.map((one) => {
    const { identities = [], opening, amounts } = one;
    const own = new Map<number, number>();
    const isRepeat = identities.map((id) => {
      if (id === null) return false;
      own.set(id, (own.get(id) ?? 0) + 1);
      return (own.get(id) ?? 0) <= (most.get(id) ?? 0);
    });
    for (const [id, n] of own) most.set(id, Math.max(n, most.get(id) ?? 0));
    if (!isRepeat.includes(true)) return one;
    const kept = <T>(values: readonly T[]): T[] => values.filter((_value, index) => isRepeat[index] !== true);
    const moved = amounts.reduce((sum, amount, index) => (isRepeat[index] === true ? sum + factor * amount : sum), 0);
    return {
      ...one,
      opening: opening === null ? null : opening + moved,
      lines: kept(one.lines),
      days: kept(one.days),
      amounts: kept(amounts),
      identities: kept(identities),
    };
  });
}

interface Walk {
  links: number;
  breaks: number;
  rowsChecked: number;
  firstBreak: BalanceBreak | null;
  readonly daysChecked: Set<number>;
  readonly daysBroken: Set<number>;
}

function walk(sequence: readonly ProofStatement[], factor: 1 | -1): Walk {
  const found: Walk = {
    links: 0,
    breaks: 0,
    rowsChecked: 0,
    firstBreak: null,
    daysChecked: new Set(),
    daysBroken: new Set(),
  };
  const note = (day: number | null, expected: number, balance: number, guess: () => Guess): void => {
    found.breaks++;
    if (found.firstBreak) return;
    const { cause, lines } = guess();
    found.firstBreak = {
      line: null,
      date: dateOfDayNumber(day ?? 0),
      expected_cents: expected,
      found_cents: balance,
      difference_cents: balance - expected,
      likely_cause: cause,
      suspect_lines: lines,
    };
  };
  let known: number | null = null;
  for (const [i, one] of sequence.entries()) {
    const { opening, closing, amounts } = one;
    const moved = factor * amounts.reduce((sum, amount) => sum + amount, 0) + 0;
    if (known !== null && opening !== null) {
      found.links++;
      if (known !== opening) {
        const before = sequence[i - 1] as ProofStatement;
        note(before.day, known, opening, () => causeOfGap(before, one, moved));
      }
    }
    if (opening !== null && closing !== null) {
      found.links++;
      found.rowsChecked += amounts.length;
      for (const day of one.days) found.daysChecked.add(day);
      if (opening + moved !== closing) {
        for (const day of one.days) found.daysBroken.add(day);
        note(one.day, opening + moved, closing, () => causeWithin(one, sequence[i + 1], factor, opening + moved));
      }
    }
    known = closing ?? (opening === null ? null : opening + moved);
  }
  return found;
}

interface Guess {
  readonly cause: BreakCause;
  readonly lines: readonly number[];
}

const FEW_ROWS = 10;

function causeWithin(one: ProofStatement, next: ProofStatement | undefined, factor: 1 | -1, expected: number): Guess {
  const found = one.closing as number;
  if (next?.opening === expected) return { cause: 'wrong_balance', lines: [] };
  const count = one.lines.length;
  const rows = {
    count,
    lines: Int32Array.from(one.lines),
    days: Int32Array.from(one.days),
    effects: Float64Array.from(one.amounts, (amount) => factor * amount + 0),
    balances: new Float64Array(count).fill(Number.NaN),
  };
  const sequence = Int32Array.from({ length: count }, (_, i) => i);
  const guess = causeOf(rows, sequence, rows.balances, { from: 0, at: count - 1, expected, found });
  return guess.cause === 'missing_row' && count > FEW_ROWS ? { cause: 'missing_row', lines: [] } : guess;
}

/** Why a statement does not open with the closing balance of the one before it. */
function causeOfGap(before: ProofStatement, next: ProofStatement, moved: number): Guess {
  const isRepeated =
    before.opening === next.opening && before.closing === next.closing && before.opening !== before.closing;
  if (isRepeated) return { cause: 'doubled_row', lines: next.lines.slice(0, FEW_ROWS) };
  if (before.closing !== null && before.closing + moved === next.closing) return { cause: 'wrong_balance', lines: [] };
  return { cause: 'missing_row', lines: [] };
}

/** The closing balance of each day; of several on one day, the last. */
function closingsOf(sequence: readonly ProofStatement[]): ClosingBalance[] {
  const byDay = new Map<number, ClosingBalance>();
  for (const { day, closing, available } of sequence) {
    if (day === null || closing === null) continue;
    byDay.delete(day);
    byDay.set(day, { date: dateOfDayNumber(day), balance_cents: closing, available_cents: available });
  }
  return [...byDay].sort(([a], [b]) => a - b).map(([, closing]) => closing);
}

/** Accounts whose balance may count what is owed (36.6.1). */
export function mayOwe(accountType: string | null): boolean {
  return accountType === 'credit' || accountType === 'loan';
}

/** Statements of one account that may owe (credit, loan). */
interface Owing {
  readonly statements: readonly Pick<ProofStatement, 'opening' | 'closing'>[];
}

/**
 * Whether balances without a mark of debit or credit count what is owed: when more of those that a file states of cards
 * and loans are positive than negative (36.6.1). One bank prints all of them alike.
 */
export function countsOwed(owing: readonly Owing[]): boolean {
  let surplus = 0;
  for (const { statements } of owing)
    for (const { opening, closing } of statements) surplus += Math.sign(opening ?? 0) + Math.sign(closing ?? 0);
  return surplus > 0;
}

/**
 * The result, marked where nothing but the signs told its kind and they can be taken either way: a positive balance of
 * a card is a debt at one bank and money in its holder's favour at another.
 */
export function withAssumedKind(result: BalanceResult): BalanceResult {
  const isAssumed =
    result.status === 'not_available' &&
    result.closings.some(({ balance_cents: cents }) => (result.kind === 'debt' ? cents !== 0 : cents > 0));
  return isAssumed ? { ...result, is_kind_assumed: true } : result;
}

interface Chained {
  readonly opening: number | null;
  readonly closing: number | null;
  readonly day: number | null;
}

/** Statements oldest first: by their days, and within a day in the order in which their balances follow one another. */
function inChain<T extends Chained>(statements: readonly T[]): T[] {
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
