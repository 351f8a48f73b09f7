import { currencyAt, OUTCOME } from '../columns/parsed-columns.ts';
import { LIMITS } from '../../../kernel/limits.ts';
import type { AccountKnowledge, BalanceProof, Detection, ReadOptions, ReadWarning } from '../analysis.ts';
import type { ChosenInterpretation } from '../interpret/chosen-interpretation.ts';
import type { OutcomeCounts } from '../interpret/csv-summary.ts';
import { isCurrencyAssumed } from './currency.ts';
import { UNKNOWN_STATUS } from '../lexicon/statuses.ts';
import { CURRENCY_NEEDED, pendingLeftOut, readingInWords } from './wording.ts';
import type { StatementTally } from '../statements/statement-tally.ts';

const LARGE_CENTS = 100_000_000;
const TIMES_MEDIAN = 1_000;
const FEWEST_TO_COMPARE = 10;
const UNKNOWN: Detection = { value: null, confidence: 'none', evidence: [], candidates: [] };

interface WarningInput {
  readonly final: ChosenInterpretation;
  readonly counts: OutcomeCounts;
  /** Days since 1970-01-01. */
  readonly today: number;
  readonly options: ReadOptions;
  readonly account: AccountKnowledge | null;
  readonly currency: Detection;
  readonly sign: Detection;
  readonly signWarnings: readonly string[];
  /** What a profile says and the file contradicts, in words for a warning. */
  readonly contradicted: readonly string[];
  readonly proofStatus: string;
}

/** The warnings about a table, none of which stops the import (36.9.6). */
export function warningsOf(input: WarningInput): ReadWarning[] {
  const { final, counts } = input;
  return [
    ...quoteWarnings(final),
    ...signWarnings(input),
    ...profileWarnings(input.contradicted),
    ...currencyWarnings(counts.rows > 0 ? input.currency : null),
    ...symbolWarnings(final, input.currency),
    ...statusWarnings(final),
    ...rowWarnings(warnedRows(input)),
  ];
}

/** The warnings about a statement file, none of which stops the import (36.9.6). */
export function statementWarnings(
  tally: StatementTally,
  options: ReadOptions,
  proof: BalanceProof['status'],
  currency: Detection,
): ReadWarning[] {
  return [
    ...currencyWarnings(tally.rows === 0 ? null : tally.currencies.has(null) ? UNKNOWN : currency),
    ...rowWarnings({
      pending: { count: tally.pending, lines: tally.skippedPendingLines },
      invalid: {
        count: tally.invalid,
        lines:
          options.skip_invalid === true
            ? tally.problems.slice(0, LIMITS.importWarningLines).map((row) => row.line)
            : [],
      },
      isProofOverridden: proof === 'broken' && options.accept_unproved === true,
      future: tally.futureLines,
      unusual: unusualLines(tally),
      inOtherCurrency: { account: tally.accountCurrency, lines: tally.otherCurrencyLines },
    }),
  ];
}

function quoteWarnings({ parsed: { unbalancedLines } }: ChosenInterpretation): ReadWarning[] {
  const message = 'This quotation mark is never closed. It was read as an ordinary character.';
  return atLines('UNBALANCED_QUOTE', message, [...new Set(unbalancedLines)]);
}

function signWarnings({ sign, signWarnings: codes }: WarningInput): ReadWarning[] {
  const out: ReadWarning[] = [];
  if (sign.confidence === 'assumed') {
    const why = sign.evidence.includes('balance_proof')
      ? 'The balances fit if this is a current or savings account and not a credit card'
      : 'Nothing in the file shows which amounts are money spent';
    const meaning = readingInWords('sign', sign.value ?? '');
    const message = `${why}. We assumed that ${meaning}. If the rows look the wrong way round, choose the other reading.`;
    out.push({ code: 'SIGN_ASSUMED', message, lines: [] });
  }
  for (const code of codes) {
    const what =
      code === 'SIGN_CONTRADICTS_BALANCE' ? 'the balances in the file' : 'the transactions already in the account';
    const message = `The amounts were read as you chose, but ${what} fit the other reading.`;
    out.push({ code, message, lines: [] });
  }
  return out;
}

function profileWarnings(contradicted: readonly string[]): ReadWarning[] {
  if (contradicted.length === 0) return [];
  const message = `This file does not fit the way in which earlier files with these columns were read (${contradicted.join(', ')}). It was read by what it contains instead.`;
  return [{ code: 'PROFILE_DID_NOT_FIT', message, lines: [] }];
}

/** About a currency that the file does not state; null where no row needs one. */
function currencyWarnings(currency: Detection | null): ReadWarning[] {
  if (currency === null) return [];
  if (currency.value === null) return [{ code: 'CURRENCY_UNKNOWN', message: CURRENCY_NEEDED, lines: [] }];
  if (!isCurrencyAssumed(currency)) return [];
  const whose = currency.evidence.includes('default')
    ? 'the currency of your household'
    : 'the usual currency of this bank';
  const message = `The file does not say which currency its amounts are in. We assumed ${currency.value}, ${whose}. If that is wrong, change the currency of the account.`;
  return [{ code: 'CURRENCY_ASSUMED', message, lines: [] }];
}

/** Rows whose symbol contradicts every currency at hand, in a file where others have one. */
function symbolWarnings(final: ChosenInterpretation, currency: Detection): ReadWarning[] {
  if (currency.value === null) return [];
  const { parsed, fallbackCurrency } = final;
  const lines = rowLines(
    final,
    (row) =>
      parsed.symbolIds[row] !== 0 && currencyAt(parsed, parsed.currencyIds[row] as number, fallbackCurrency) === null,
  );
  const message =
    'The symbol beside some amounts stands for several currencies, and none of them is that of the account. These rows have no currency.';
  return atLines('CURRENCY_UNKNOWN', message, lines);
}

function statusWarnings(final: ChosenInterpretation): ReadWarning[] {
  if (final.parsed.unknownStatusLines.length === 0) return [];
  const lines = rowLines(final, (row) => final.parsed.statuses[row] === UNKNOWN_STATUS);
  return atLines('UNKNOWN_STATUS_WORD', 'Some rows have an unknown status. They were treated as booked.', lines);
}

/** The rows to warn about, for all formats: their lines, if any. */
interface WarnedRows {
  readonly pending: { readonly count: number; readonly lines: readonly number[] };
  readonly invalid: { readonly count: number; readonly lines: readonly number[] };
  readonly isProofOverridden: boolean;
  readonly future: readonly number[];
  readonly unusual: readonly number[];
  readonly inOtherCurrency: { readonly account: string | null; readonly lines: readonly number[] };
}

function rowWarnings({ pending, invalid, inOtherCurrency, ...rows }: WarnedRows): ReadWarning[] {
  return [
    ...atLines('PENDING_SKIPPED', pendingLeftOut(pending.count), pending.lines),
    ...atLines(
      'INVALID_SKIPPED',
      `${invalid.count === 1 ? '1 row' : `${invalid.count} rows`} could not be read and ${invalid.count === 1 ? 'was' : 'were'} left out.`,
      invalid.lines,
    ),
    ...(rows.isProofOverridden
      ? [
          {
            code: 'PROOF_OVERRIDDEN',
            message:
              'The amounts in the file do not add up to its balances. The file was imported anyway, as you asked.',
            lines: [],
          },
        ]
      : []),
    ...atLines('FUTURE_DATE', 'Some rows have a date in the future.', rows.future),
    ...atLines(
      'UNUSUAL_AMOUNT',
      'Some amounts are more than a thousand times the usual amount. Check that points and commas were read correctly.',
      rows.unusual,
    ),
    ...atLines(
      'CURRENCY_DIFFERS_FROM_ACCOUNT',
      `Some rows are not in ${inOtherCurrency.account}, the currency of the account. They keep their own currency.`,
      inOtherCurrency.lines,
    ),
  ];
}

function atLines(code: string, message: string, lines: readonly number[]): ReadWarning[] {
  return lines.length > 0 ? [{ code, message, lines: lines.slice(0, LIMITS.importWarningLines) }] : [];
}

function warnedRows({ final, counts, options, account, today, proofStatus }: WarningInput): WarnedRows {
  const linesOf = (outcome: number): number[] => linesWhere(final, (row) => final.outcomes[row] === outcome);
  const hasPending = counts.pending > 0 && (options.pending ?? 'skip') === 'skip';
  const hasInvalid = counts.invalid > 0 && options.skip_invalid === true;
  const hasFuture = counts.lastDay !== null && counts.lastDay > today;
  return {
    pending: { count: counts.pending, lines: hasPending ? linesOf(OUTCOME.pending) : [] },
    invalid: { count: counts.invalid, lines: hasInvalid ? linesOf(OUTCOME.invalid) : [] },
    isProofOverridden: proofStatus === 'broken' && options.accept_unproved === true,
    future: hasFuture ? rowLines(final, (row) => (final.days[row] as number) > today) : [],
    unusual: unusualRows(final, counts),
    inOtherCurrency: {
      account: account?.iso_currency_code ?? null,
      lines: account?.iso_currency_code ? linesInOtherCurrency(final, account.iso_currency_code) : [],
    },
  };
}

function linesInOtherCurrency(final: ChosenInterpretation, own: string): number[] {
  const { currencies, currencyIds } = final.parsed;
  return rowLines(final, (row) => {
    const code = currencies[currencyIds[row] as number] ?? final.fallbackCurrency;
    return code !== null && code !== own;
  });
}

function unusualRows(final: ChosenInterpretation, counts: OutcomeCounts): number[] {
  if (counts.rows < FEWEST_TO_COMPARE) return [];
  const { amounts } = final.read;
  const isLarge = (row: number): boolean => Math.abs(amounts[row] as number) > LARGE_CENTS;
  if (rowLines(final, isLarge).length === 0) return [];
  const sizes = new Float64Array(counts.rows);
  let at = 0;
  for (let row = 0; row < final.parsed.count; row++)
    if (final.outcomes[row] === OUTCOME.row) sizes[at++] = Math.abs(amounts[row] as number);
  const limit = unusualFrom(sizes);
  return rowLines(final, (row) => Math.abs(amounts[row] as number) > limit);
}

function unusualLines({ sizes, sizeLines }: StatementTally): number[] {
  if (sizes.length < FEWEST_TO_COMPARE || !sizes.some((size) => size > LARGE_CENTS)) return [];
  const limit = unusualFrom(Float64Array.from(sizes));
  return sizeLines.filter((_, i) => (sizes[i] as number) > limit);
}

/** The size in cents beyond which an amount is unusual; sorts its argument. */
function unusualFrom(sizes: Float64Array): number {
  sizes.sort();
  return Math.max(LARGE_CENTS, TIMES_MEDIAN * (sizes[Math.floor(sizes.length / 2)] as number));
}

/** Lines of the rows that pass, at most 20. */
function rowLines(final: ChosenInterpretation, passes: (row: number) => boolean): number[] {
  return linesWhere(final, (row) => final.outcomes[row] === OUTCOME.row && passes(row));
}

function linesWhere(final: ChosenInterpretation, passes: (row: number) => boolean): number[] {
  const lines: number[] = [];
  for (let row = 0; row < final.parsed.count && lines.length < LIMITS.importWarningLines; row++)
    if (passes(row)) lines.push(final.parsed.lines[row] as number);
  return lines;
}
