import type { ReadContext } from '../analysis.ts';
import { NO_DAY } from '../cells/date-cells.ts';
import { BAD_CURRENCY, KIND, OUTCOME, PROBLEM } from '../columns/parsed-columns.ts';
import type { ColumnPlan, ParsedColumns } from '../columns/parsed-columns.ts';
import type { ReadRows } from '../proof/file-proof.ts';
import type { Mapping } from '../columns/mapping.ts';
import type { BuiltInProfile } from '../profiles/built-in-profiles.ts';
import type { Interpretation } from './interpretations.ts';
import { PENDING } from '../lexicon/statuses.ts';

/** The file under the chosen interpretation. */
export interface ChosenInterpretation {
  readonly plan: ColumnPlan;
  readonly parsed: ParsedColumns;
  readonly mapping: Mapping;
  readonly interpretation: Interpretation;
  readonly read: ReadRows;
  readonly outcomes: Uint8Array;
  /** PROBLEM per invalid row. */
  readonly problems: Uint8Array;
  /** Day of each row; differs from `read.days` only for pending rows that are not booked yet. */
  readonly days: Int32Array;
  readonly fallbackCurrency: string | null;
  readonly builtIn: BuiltInProfile | null;
  readonly readAuthorized: ((cell: string) => number) | null;
}

/** The part of it that rows are built from. */
export interface RowColumns extends Pick<
  ChosenInterpretation,
  'plan' | 'mapping' | 'outcomes' | 'problems' | 'days' | 'fallbackCurrency' | 'builtIn' | 'readAuthorized'
> {
  readonly parsed: Pick<
    ParsedColumns,
    | 'count'
    | 'lines'
    | 'statuses'
    | 'currencyIds'
    | 'currencies'
    | 'symbolIds'
    | 'symbols'
    | 'sectionLines'
    | 'hasContinuations'
  >;
  readonly read: Pick<ReadRows, 'amounts' | 'balances'>;
}

/** A file is kept until it is written, and most of the columns that its interpretation was chosen by need not be. */
export function rowColumnsOf(final: ChosenInterpretation): RowColumns {
  const { plan, mapping, outcomes, problems, days, fallbackCurrency, builtIn, readAuthorized } = final;
  const { count, lines, statuses, currencyIds, currencies, symbolIds, symbols, sectionLines, hasContinuations } =
    final.parsed;
  const { amounts, balances } = final.read;
  return {
    plan,
    mapping,
    outcomes,
    problems,
    days,
    fallbackCurrency,
    builtIn,
    readAuthorized,
    parsed: { count, lines, statuses, currencyIds, currencies, symbolIds, symbols, sectionLines, hasContinuations },
    read: { amounts, balances },
  };
}

const OUTCOME_OF_KIND = {
  [KIND.repeatedHeader]: OUTCOME.repeatedHeader,
  [KIND.opening]: OUTCOME.opening,
  [KIND.stated]: OUTCOME.stated,
  [KIND.ignored]: OUTCOME.ignored,
  [KIND.notARow]: OUTCOME.notARow,
} as const;

/** Settles every record of the file: a row, invalid with its first problem, or skipped. */
export function settleRows(
  parsed: ParsedColumns,
  read: ReadRows,
  plan: ColumnPlan,
  pending: 'skip' | 'import',
  latestDay: number,
): Pick<ChosenInterpretation, 'outcomes' | 'problems' | 'days'> {
  const outcomes = new Uint8Array(parsed.count);
  const problems = new Uint8Array(parsed.count);
  const days = read.days.slice(0, parsed.count);
  const amountProblems = parsed.amounts[read.decimalIndex]?.problem;
  for (let row = 0; row < parsed.count; row++) {
    const kind = parsed.kinds[row];
    if (kind !== KIND.row) {
      outcomes[row] = OUTCOME_OF_KIND[kind as keyof typeof OUTCOME_OF_KIND];
      continue;
    }
    const isPending = parsed.statuses[row] === PENDING;
    if (isPending && pending === 'skip') {
      outcomes[row] = OUTCOME.pending;
      continue;
    }
    if (isPending && days[row] === NO_DAY && parsed.authorizedDays) days[row] = parsed.authorizedDays[row] as number;
    const problem = problemAt(parsed, read, plan, row, days[row] as number, amountProblems?.[row] ?? 0, latestDay);
    problems[row] = problem;
    if (problem !== PROBLEM.none) outcomes[row] = OUTCOME.invalid;
  }
  return { outcomes, problems, days };
}

function problemAt(
  parsed: ParsedColumns,
  read: ReadRows,
  plan: ColumnPlan,
  row: number,
  day: number,
  amountProblem: number,
  latestDay: number,
): number {
  const early = parsed.problems[row] as number;
  if (early === PROBLEM.fieldCount || early === PROBLEM.otherSection || early === PROBLEM.cut) return early;
  if (day === NO_DAY) return early === PROBLEM.none ? PROBLEM.dateInvalid : early;
  if (day < 0 || day > latestDay) return PROBLEM.dateRange;
  if (amountProblem !== PROBLEM.none) return amountProblem;
  if (Number.isNaN(read.amounts[row]))
    return plan.directionWords || plan.isStated ? PROBLEM.direction : PROBLEM.amountMissing;
  if (Math.abs(read.amounts[row] as number) > 999_999_999_999) return PROBLEM.range;
  return parsed.currencyIds[row] === BAD_CURRENCY ? PROBLEM.currency : PROBLEM.none;
}

/** The year after the current one: a later two-digit year belongs to the last century. */
export function latestYearOf(context: ReadContext): number {
  return Number(context.today.slice(0, 4)) + 1;
}
