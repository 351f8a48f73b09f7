import { dayNumber, dateOfDayNumber } from '../../kernel/dates.ts';
import { formatCents } from '../../kernel/money.ts';
import type { AccountKnowledge, Detection, DetectionCandidate, LedgerRow } from './analysis.ts';
import type { ColumnSurvey } from './columns.ts';
import { decimalVotes } from './columns.ts';
import { THREE_DECIMALS, WITHOUT_MINOR_UNIT } from './currency.ts';
import { NO_DAY } from './date-cells.ts';
import type { DateOrder } from './date-cells.ts';
import { KIND } from './fact-shape.ts';
import type { Facts } from './fact-shape.ts';
import type { ReadRows } from './file-proof.ts';
import { LedgerIndex } from './ledger-overlap.ts';
import { NumberCell, VOTE } from './numbers.ts';
import type { DecimalSeparator } from './numbers.ts';

const NEAR_DAYS = 10;
const FUTURE_DAYS = 31;

export interface DecimalVotes {
  readonly open: readonly DecimalSeparator[];
  readonly detection: Detection<DecimalSeparator>;
}

/** The decimal separator by the shapes of all numbers of the file (36.5.5, steps 2 to 4). */
export function decimalByVotes(columns: readonly ColumnSurvey[]): DecimalVotes {
  const { point, comma, undecided } = decimalVotes(columns);
  if (point > 0 && comma > 0) {
    const candidates = [voteCandidate(columns, VOTE.point, '.', point), voteCandidate(columns, VOTE.comma, ',', comma)];
    const first = point >= comma ? '.' : ',';
    if (first === ',') candidates.reverse();
    return {
      open: [first],
      detection: {
        value: first,
        confidence: 'ambiguous',
        evidence: ['both_separators'],
        candidates: candidates.filter((one) => one !== null),
      },
    };
  }
  if (point > 0 || comma > 0) {
    const value = point > 0 ? '.' : ',';
    return { open: [value], detection: { value, confidence: 'certain', evidence: ['decimal_digits'], candidates: [] } };
  }
  if (undecided === 0)
    return { open: ['.'], detection: { value: '.', confidence: 'certain', evidence: ['content'], candidates: [] } };
  return {
    open: ['.', ','],
    detection: {
      value: '.',
      confidence: 'ambiguous',
      evidence: ['grouping'],
      candidates: undecidedCandidates(columns),
    },
  };
}

function voteCandidate(
  columns: readonly ColumnSurvey[],
  vote: number,
  value: DecimalSeparator,
  count: number,
): DetectionCandidate | null {
  const first = columns.map((column) => column.firstOfVote[vote]).find((cell) => cell !== undefined);
  if (!first) return null;
  return {
    value,
    line: first.line,
    raw: first.raw,
    read_as: `${amountText(first.raw, value)} (${count} cells like this)`,
  };
}

function undecidedCandidates(columns: readonly ColumnSurvey[]): DetectionCandidate[] {
  const sample = columns
    .flatMap((column) => [column.firstOfVote[VOTE.undecidedPoint], column.firstOfVote[VOTE.undecidedComma]])
    .find((cell) => cell !== undefined);
  if (!sample) return [];
  return (['.', ','] as const).map((value) => ({
    value,
    line: sample.line,
    raw: sample.raw,
    read_as: amountText(sample.raw, value),
  }));
}

function amountText(raw: string, decimal: DecimalSeparator): string {
  const number = new NumberCell();
  const cents = number.read(raw) ? number.cents(decimal) : Number.NaN;
  return Number.isNaN(cents) ? 'not an amount (a third decimal)' : formatCents(cents);
}

/** Undecided separators: a profile, or a currency without decimals, may say. */
export function settleDecimal(
  detection: Detection<DecimalSeparator>,
  profile: { value: DecimalSeparator; code: string } | null,
  onlyCurrency: string | null,
  columns: readonly ColumnSurvey[],
  headers: readonly string[],
): Detection<DecimalSeparator> {
  if (profile) return { value: profile.value, confidence: 'profile', evidence: [profile.code], candidates: [] };
  if (onlyCurrency !== null && WITHOUT_MINOR_UNIT.has(onlyCurrency)) {
    const points = columns.some((column) => column.firstOfVote[VOTE.undecidedPoint] !== undefined);
    const commas = columns.some((column) => column.firstOfVote[VOTE.undecidedComma] !== undefined);
    if (points !== commas)
      return { value: points ? ',' : '.', confidence: 'likely', evidence: ['minor_unit'], candidates: [] };
  }
  const grouping = groupingSeparator(columns, headers, onlyCurrency);
  if (grouping !== null)
    return { value: grouping === '.' ? ',' : '.', confidence: 'likely', evidence: ['grouping'], candidates: [] };
  return detection;
}

/**
 * The separator that must group thousands although no cell says so alone: beside a plain `500`, `1.234` of a currency
 * with two decimals is no amount with decimals. East Asian files only group by commas.
 */
function groupingSeparator(
  columns: readonly ColumnSurvey[],
  headers: readonly string[],
  onlyCurrency: string | null,
): DecimalSeparator | null {
  if (onlyCurrency !== null && THREE_DECIMALS.has(onlyCurrency)) return null;
  const points = columns.some((column) => column.firstOfVote[VOTE.undecidedPoint] !== undefined);
  const commas = columns.some((column) => column.firstOfVote[VOTE.undecidedComma] !== undefined);
  if (points === commas) return null;
  if (commas && headers.some((name) => /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/u.test(name))) return ',';
  const isPlain = columns.some((column) => (column.votes[VOTE.none] as number) > 0);
  const isGrouped = columns.some(({ grouped }) => grouped.points + grouped.commas > 0);
  if (!isPlain || !isGrouped) return null;
  // Dinars written by a spreadsheet look like this too: `12.345` and `5`. Where `25.000` stands, zeros were not cut off.
  const keepsZeros = columns.some(
    ({ votes, grouped }) =>
      (votes[VOTE.undecidedPoint] as number) > grouped.points ||
      (votes[VOTE.undecidedComma] as number) > grouped.commas,
  );
  return onlyCurrency !== null || keepsZeros ? (points ? '.' : ',') : null;
}

export interface OrderTests {
  readonly facts: Facts;
  /** The tied orders in the sequence of `facts.days`. */
  readonly orders: readonly DateOrder[];
  readonly profile: { readonly order: DateOrder; readonly code: string } | null;
  readonly today: number;
  /** What the way of writing says for day first. */
  readonly dayFirst: string | null;
  readonly amounts: Float64Array;
  readonly account: AccountKnowledge | null;
}

/** The first test that separates the tied date orders (36.5.6, tests b to g); null when none does. */
export function settleOrder(
  tests: OrderTests,
): { order: DateOrder; confidence: Detection['confidence']; evidence: string[] } | null {
  const { facts, orders, profile } = tests;
  if (profile && orders.includes(profile.order))
    return { order: profile.order, confidence: 'profile', evidence: [profile.code] };
  const only = (passes: readonly boolean[]): DateOrder | null =>
    passes.filter(Boolean).length === 1 ? (orders[passes.indexOf(true)] ?? null) : null;
  const near = facts.authorizedDays
    ? only(facts.days.map((days) => liesNear(facts, days, facts.authorizedDays as Int32Array)))
    : null;
  if (near) return { order: near, confidence: 'certain', evidence: ['second_date_column'] };
  const spans = facts.days.map((days) => spanOf(facts, days));
  const future = only(spans.map((span) => span.last <= tests.today + FUTURE_DAYS));
  if (future) return { order: future, confidence: 'certain', evidence: ['future_dates'] };
  if (tests.dayFirst && orders.includes('DMY') && !orders.includes('YMD'))
    return { order: 'DMY', confidence: 'likely', evidence: [tests.dayFirst] };
  const enough = spans.every((span) => span.distinct >= 3);
  const monotonic = enough ? only(spans.map((span) => span.isMonotonic)) : null;
  if (monotonic) return { order: monotonic, confidence: 'likely', evidence: ['row_order'] };
  const lengths = spans.map((span) => span.last - span.first);
  const short = enough
    ? only(lengths.map((length, i) => length <= 62 && lengths.every((other, j) => i === j || other > 4 * length)))
    : null;
  // Interest of the 20th of March, year after year, is no week of 2020.
  const isYearOrDay = short === 'YMD' && orders.includes('DMY');
  if (short && !isYearOrDay) return { order: short, confidence: 'likely', evidence: ['span'] };
  const met = tests.account ? facts.days.map((days, i) => meetings(tests, days, spans[i] as Span)) : [];
  const ledger = only(met.map((count, i) => count >= 3 && met.every((other, j) => i === j || other === 0)));
  return ledger ? { order: ledger, confidence: 'likely', evidence: ['ledger_overlap'] } : null;
}

function liesNear(facts: Facts, days: Int32Array, others: Int32Array): boolean {
  let near = 0;
  let all = 0;
  for (let row = 0; row < facts.count; row++) {
    if (facts.kinds[row] !== KIND.row || others[row] === NO_DAY) continue;
    all++;
    if (days[row] !== NO_DAY && Math.abs((days[row] as number) - (others[row] as number)) <= NEAR_DAYS) near++;
  }
  return all > 0 && near >= all * 0.95;
}

interface Span {
  readonly first: number;
  readonly last: number;
  readonly distinct: number;
  readonly isMonotonic: boolean;
}

function spanOf(facts: Facts, days: Int32Array): Span {
  const seen = new Set<number>();
  let first = Infinity;
  let last = -Infinity;
  let previous = Number.NaN;
  let rises = false;
  let falls = false;
  for (let row = 0; row < facts.count; row++) {
    const day = days[row] as number;
    if (facts.kinds[row] !== KIND.row || day === NO_DAY) continue;
    if (seen.size < 3) seen.add(day);
    first = Math.min(first, day);
    last = Math.max(last, day);
    if (day > previous) rises = true;
    else if (day < previous) falls = true;
    previous = day;
  }
  return { first, last, distinct: seen.size, isMonotonic: !(rises && falls) };
}

function meetings(tests: OrderTests, days: Int32Array, span: Span): number {
  if (!tests.account || !Number.isFinite(span.first)) return 0;
  const index = new LedgerIndex(ledgerOf(tests.account, span.first, span.last));
  let count = 0;
  for (let row = 0; row < tests.facts.count && count < 3; row++) {
    const day = days[row] as number;
    const cents = tests.amounts[row] as number;
    if (
      tests.facts.kinds[row] === KIND.row &&
      day !== NO_DAY &&
      !Number.isNaN(cents) &&
      index.at(day, cents).length > 0
    )
      count++;
  }
  return count;
}

/** Ledger rows of the account within some days, if the days are sane. */
export function ledgerOf(account: AccountKnowledge, first: number, last: number): readonly LedgerRow[] {
  const floor = Math.max(0, first);
  return last < floor
    ? []
    : account.ledgerRows(dateOfDayNumber(floor), dateOfDayNumber(Math.min(last, dayNumber('9999-12-31'))));
}

/** First and last day of the counted rows; null without any. */
export function dayRange(read: ReadRows): { first: number; last: number } | null {
  let first = Infinity;
  let last = -Infinity;
  for (let row = 0; row < read.facts.count; row++) {
    if (read.counted[row] !== 1) continue;
    first = Math.min(first, read.days[row] as number);
    last = Math.max(last, read.days[row] as number);
  }
  return Number.isFinite(first) ? { first, last } : null;
}
