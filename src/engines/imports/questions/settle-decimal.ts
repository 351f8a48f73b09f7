import { formatCents } from '../../../kernel/money.ts';
import type { Detection, DetectionCandidate } from '../analysis.ts';
import type { ColumnStats } from '../columns/column-stats.ts';
import { decimalVotes } from '../columns/column-stats.ts';
import { THREE_DECIMALS, WITHOUT_MINOR_UNIT } from '../lexicon/currency.ts';
import { NumberCell, VOTE } from '../cells/numbers.ts';
import type { DecimalSeparator } from '../cells/numbers.ts';

export interface DecimalVotes {
  readonly open: readonly DecimalSeparator[];
  readonly detection: Detection<DecimalSeparator>;
}

/** The decimal separator by the shapes of all numbers of the file (36.5.5, steps 2 to 4). */
export function decimalByVotes(columns: readonly ColumnStats[]): DecimalVotes {
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
  columns: readonly ColumnStats[],
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
    read_as: `${amountText(first.raw, value)} (${count} ${count === 1 ? 'cell' : 'cells'} like this)`,
  };
}

function undecidedCandidates(columns: readonly ColumnStats[]): DetectionCandidate[] {
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
  return Number.isNaN(cents) ? 'not an amount (it would have a third decimal)' : formatCents(cents);
}

/** Settles an undecided separator by a profile, a currency without decimals, or grouped thousands. */
export function settleDecimal(
  detection: Detection<DecimalSeparator>,
  profile: { value: DecimalSeparator; code: string } | null,
  onlyCurrency: string | null,
  columns: readonly ColumnStats[],
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
 * The separator that must group thousands although no single cell shows it: beside a plain `500`, `1.234` in a currency
 * with two decimals is not an amount with decimals. East Asian files only group by commas.
 */
function groupingSeparator(
  columns: readonly ColumnStats[],
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
