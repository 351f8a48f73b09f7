import type { BalanceProof, Detection, ReadOptions, ReadWarning } from './analysis.ts';
import { currencyWarning } from './currency-fallback.ts';
import { pendingLeftOut } from './questions.ts';
import type { StatementTally } from './statement-tally.ts';

const LINES = 20;
const LARGE_CENTS = 100_000_000;
const TIMES_MEDIAN = 1_000;
const UNKNOWN: Detection = { value: null, confidence: 'none', evidence: [], candidates: [] };

/** What is worth telling about a statement file that does not stop its import (36.9.6). */
export function statementWarnings(
  tally: StatementTally,
  options: ReadOptions,
  proof: BalanceProof['status'],
  currency: Detection,
): ReadWarning[] {
  const out: ReadWarning[] = [];
  const warn = (code: string, message: string, lines: readonly number[] = []): void => {
    out.push({ code, message, lines });
  };
  const aboutCurrency = tally.rows > 0 ? currencyWarning(tally.currencies.has(null) ? UNKNOWN : currency) : null;
  if (aboutCurrency) out.push(aboutCurrency);
  if (tally.skippedPendingLines.length > 0)
    warn('PENDING_SKIPPED', pendingLeftOut(tally.pending), tally.skippedPendingLines);
  if (tally.invalid > 0 && options.skip_invalid === true) {
    const lines = tally.problems.slice(0, LINES).map((row) => row.line);
    warn('INVALID_SKIPPED', `${tally.invalid} rows could not be read and were left out.`, lines);
  }
  if (proof === 'broken' && options.accept_unproved === true)
    warn(
      'PROOF_OVERRIDDEN',
      'The amounts in the file do not add up to its balances. It is imported anyway, as you asked.',
    );
  if (tally.futureLines.length > 0) warn('FUTURE_DATE', 'Some rows have a date in the future.', tally.futureLines);
  const unusual = unusualLines(tally);
  if (unusual.length > 0)
    warn(
      'UNUSUAL_AMOUNT',
      'Some amounts are more than a thousand times the usual one. Check that points and commas were read correctly.',
      unusual,
    );
  if (tally.otherCurrencyLines.length > 0)
    warn(
      'CURRENCY_DIFFERS_FROM_ACCOUNT',
      `Some rows are not in ${tally.accountCurrency}, the currency of the account. They keep their own.`,
      tally.otherCurrencyLines,
    );
  return out;
}

function unusualLines({ sizes, sizeLines }: StatementTally): number[] {
  if (sizes.length < 10 || !sizes.some((size) => size > LARGE_CENTS)) return [];
  const sorted = Float64Array.from(sizes).sort();
  const limit = Math.max(LARGE_CENTS, TIMES_MEDIAN * (sorted[Math.floor(sorted.length / 2)] as number));
  return sizeLines.filter((_, i) => (sizes[i] as number) > limit).slice(0, LINES);
}
