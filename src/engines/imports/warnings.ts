import type { AccountKnowledge, Detection, ReadOptions, ReadWarning } from './analysis.ts';
import { currencyWarning } from './currency-fallback.ts';
import type { OutcomeCounts } from './csv-summary.ts';
import type { ChosenInterpretation } from './chosen-interpretation.ts';
import { OUTCOME } from './chosen-interpretation.ts';
import { pendingLeftOut, readingInWords } from './questions.ts';
import { UNKNOWN_STATUS } from './status-words.ts';

const LINES = 20;
const LARGE_CENTS = 100_000_000;
const TIMES_MEDIAN = 1_000;

export interface WarningInput {
  readonly final: ChosenInterpretation;
  readonly counts: OutcomeCounts;
  readonly today: number;
  readonly options: ReadOptions;
  readonly account: AccountKnowledge | null;
  readonly currency: Detection;
  readonly sign: Detection;
  readonly signWarnings: readonly string[];
  readonly contradicted: readonly string[];
  readonly proofStatus: string;
  readonly encodingWarnings: readonly ReadWarning[];
}

/** Everything worth telling that does not stop the import (36.9.6). */
export function warningsOf(input: WarningInput): ReadWarning[] {
  const { final, counts, sign, options } = input;
  const { parsed } = final;
  const out: ReadWarning[] = [];
  const warn = (code: string, message: string, lines: readonly number[] = []): void => {
    out.push({ code, message, lines: lines.slice(0, LINES) });
  };
  if (parsed.unbalancedLines.length > 0)
    warn('UNBALANCED_QUOTE', 'A quotation mark here has no closing one. It was read as an ordinary character.', [
      ...new Set(parsed.unbalancedLines),
    ]);
  if (sign.confidence === 'assumed') {
    const why = sign.evidence.includes('balance_proof')
      ? 'The balances fit if this is a current or savings account and not a credit card'
      : 'Nothing in the file shows which amounts are money spent';
    const meaning = readingInWords('sign', sign.value ?? '');
    warn(
      'SIGN_ASSUMED',
      `${why}. We assumed that ${meaning}. If the rows look the wrong way round, choose the other reading.`,
    );
  }
  for (const code of input.signWarnings) {
    const what =
      code === 'SIGN_CONTRADICTS_BALANCE' ? 'the balances in the file' : 'the transactions already in the account';
    warn(code, `The amounts were read as you chose, but ${what} fit the other reading.`);
  }
  if (input.contradicted.length > 0)
    warn(
      'PROFILE_DID_NOT_FIT',
      `Earlier files with these columns were read in a way that does not fit this one (${input.contradicted.join(', ')}). The file itself decided instead.`,
    );
  const currency = counts.rows > 0 ? currencyWarning(input.currency) : null;
  if (currency) out.push(currency);
  const unknown = statusLines(final);
  if (unknown.length > 0)
    warn('UNKNOWN_STATUS_WORD', 'Some rows have an unknown status. They were taken as booked.', unknown);
  if (counts.pending > 0 && (options.pending ?? 'skip') === 'skip') {
    const lines = linesWhere(final, (row) => final.outcomes[row] === OUTCOME.pending);
    if (lines.length > 0) warn('PENDING_SKIPPED', pendingLeftOut(counts.pending), lines);
  }
  if (counts.invalid > 0 && options.skip_invalid === true)
    warn(
      'INVALID_SKIPPED',
      `${counts.invalid} rows could not be read and were left out.`,
      linesWhere(final, (row) => final.outcomes[row] === OUTCOME.invalid),
    );
  if (input.proofStatus === 'broken' && options.accept_unproved === true)
    warn(
      'PROOF_OVERRIDDEN',
      'The amounts in the file do not add up to its balances. It is imported anyway, as you asked.',
    );
  if (counts.lastDay !== null && counts.lastDay > input.today)
    warn(
      'FUTURE_DATE',
      'Some rows have a date in the future.',
      linesWhere(final, (row) => final.outcomes[row] === OUTCOME.row && (final.days[row] as number) > input.today),
    );
  unusual(final, counts, warn);
  differingCurrency(input, warn);
  return [...input.encodingWarnings, ...out];
}

function statusLines(final: ChosenInterpretation): number[] {
  if (final.parsed.unknownStatusLines.length === 0) return [];
  return linesWhere(
    final,
    (row) => final.outcomes[row] === OUTCOME.row && final.parsed.statuses[row] === UNKNOWN_STATUS,
  );
}

function linesWhere(final: ChosenInterpretation, test: (row: number) => boolean): number[] {
  const lines: number[] = [];
  for (let row = 0; row < final.parsed.count && lines.length < LINES; row++)
    if (test(row)) lines.push(final.parsed.lines[row] as number);
  return lines;
}

function unusual(
  final: ChosenInterpretation,
  counts: OutcomeCounts,
  warn: (code: string, message: string, lines: number[]) => void,
): void {
  if (counts.rows < 10) return;
  const { amounts } = final.read;
  const isLarge = (row: number): boolean =>
    final.outcomes[row] === OUTCOME.row && Math.abs(amounts[row] as number) > LARGE_CENTS;
  if (linesWhere(final, isLarge).length === 0) return;
  const sizes = new Float64Array(counts.rows);
  let at = 0;
  for (let row = 0; row < final.parsed.count; row++)
    if (final.outcomes[row] === OUTCOME.row) sizes[at++] = Math.abs(amounts[row] as number);
  sizes.sort();
  const median = sizes[Math.floor(sizes.length / 2)] as number;
  const lines = linesWhere(final, (row) => isLarge(row) && Math.abs(amounts[row] as number) > TIMES_MEDIAN * median);
  if (lines.length > 0)
    warn(
      'UNUSUAL_AMOUNT',
      'Some amounts are more than a thousand times the usual one. Check that points and commas were read correctly.',
      lines,
    );
}

function differingCurrency(input: WarningInput, warn: (code: string, message: string, lines: number[]) => void): void {
  const own = input.account?.iso_currency_code;
  if (!own) return;
  const { final } = input;
  const lines = linesWhere(final, (row) => {
    const code = final.parsed.currencies[final.parsed.currencyIds[row] as number];
    return final.outcomes[row] === OUTCOME.row && code !== undefined && code !== own;
  });
  if (lines.length > 0)
    warn(
      'CURRENCY_DIFFERS_FROM_ACCOUNT',
      `Some rows are not in ${own}, the currency of the account. They keep their own.`,
      lines,
    );
}
