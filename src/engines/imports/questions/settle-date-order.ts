import { LIMITS } from '../../../kernel/limits.ts';
import type { AccountKnowledge, Detection } from '../analysis.ts';
import { NO_DAY } from '../cells/date-cells.ts';
import type { DateOrder } from '../cells/date-cells.ts';
import { LedgerIndex, ledgerOf } from '../proof/ledger-overlap.ts';
import { KIND } from '../interpret/parsed-columns.ts';
import type { ParsedColumns } from '../interpret/parsed-columns.ts';

const NEAR_DAYS = 10;

interface OrderTests {
  readonly parsed: ParsedColumns;
  /** The tied orders in the sequence of `parsed.days`. */
  readonly orders: readonly DateOrder[];
  readonly profile: { readonly order: DateOrder; readonly code: string } | null;
  readonly today: number;
  /** Evidence code for day first from the way dates are written; null without any. */
  readonly dayFirst: string | null;
  readonly amounts: Float64Array;
  readonly account: AccountKnowledge | null;
}

/** The first test that separates the tied date orders (36.5.6, tests b to g); null when none does. */
export function settleOrder(
  tests: OrderTests,
): { order: DateOrder; confidence: Detection['confidence']; evidence: string[] } | null {
  const { parsed, orders, profile } = tests;
  if (profile && orders.includes(profile.order))
    return { order: profile.order, confidence: 'profile', evidence: [profile.code] };
  const only = (passes: readonly boolean[]): DateOrder | null =>
    passes.filter(Boolean).length === 1 ? (orders[passes.indexOf(true)] ?? null) : null;
  const near = parsed.authorizedDays
    ? only(parsed.days.map((days) => liesNear(parsed, days, parsed.authorizedDays as Int32Array)))
    : null;
  if (near) return { order: near, confidence: 'certain', evidence: ['second_date_column'] };
  const spans = parsed.days.map((days) => spanOf(parsed, days));
  const future = only(spans.map((span) => span.last <= tests.today + LIMITS.importFutureDays));
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
  // Interest paid each 20 March over the years is not one week of March 2020.
  const isYearOrDay = short === 'YMD' && orders.includes('DMY');
  if (short && !isYearOrDay) return { order: short, confidence: 'likely', evidence: ['span'] };
  const met = tests.account ? parsed.days.map((days, i) => meetings(tests, days, spans[i] as Span)) : [];
  const ledger = only(met.map((count, i) => count >= 3 && met.every((other, j) => i === j || other === 0)));
  return ledger ? { order: ledger, confidence: 'likely', evidence: ['ledger_overlap'] } : null;
}

function liesNear(parsed: ParsedColumns, days: Int32Array, others: Int32Array): boolean {
  let near = 0;
  let all = 0;
  for (let row = 0; row < parsed.count; row++) {
    if (parsed.kinds[row] !== KIND.row || others[row] === NO_DAY) continue;
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

function spanOf(parsed: ParsedColumns, days: Int32Array): Span {
  const seen = new Set<number>();
  let first = Infinity;
  let last = -Infinity;
  let previous = Number.NaN;
  let rises = false;
  let falls = false;
  for (let row = 0; row < parsed.count; row++) {
    const day = days[row] as number;
    if (parsed.kinds[row] !== KIND.row || day === NO_DAY) continue;
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
  for (let row = 0; row < tests.parsed.count && count < 3; row++) {
    const day = days[row] as number;
    const cents = tests.amounts[row] as number;
    if (
      tests.parsed.kinds[row] === KIND.row &&
      day !== NO_DAY &&
      !Number.isNaN(cents) &&
      index.at(day, cents).length > 0
    )
      count++;
  }
  return count;
}
