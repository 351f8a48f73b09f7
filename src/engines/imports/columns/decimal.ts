import { formatCents } from '../../../kernel/money.ts';
import type { Detection, DetectionCandidate } from '../analysis.ts';
import type { ColumnStats } from './column-stats.ts';
import { decimalVotes } from './column-stats.ts';
import { THREE_DECIMALS, WITHOUT_MINOR_UNIT } from '../lexicon/currency.ts';
import { NumberCell, VOTE } from '../cells/numbers.ts';
import type { DecimalSeparator } from '../cells/numbers.ts';
import { settle } from '../question.ts';
import type { Question, Settled, Test } from '../question.ts';

export interface DecimalVotes {
  readonly open: readonly DecimalSeparator[];
  readonly detection: Detection<DecimalSeparator>;
}

interface DecimalFacts {
  /** Every column of money, fee and balance included. */
  readonly columns: readonly ColumnStats[];
  readonly given: DecimalSeparator | null;
  /** The one separator under which the balances chain. */
  readonly proved: DecimalSeparator | null;
  readonly profile: { readonly value: DecimalSeparator; readonly code: string } | null;
  readonly onlyCurrency: string | null;
  readonly headers: readonly string[];
  /** Columns of exchange rates. */
  readonly rates: readonly ColumnStats[];
}

const ASKED: Test<DecimalSeparator, DecimalFacts> = {
  code: 'grouping',
  confidence: 'ambiguous',
  means:
    'Exactly three digits follow every point or comma. It may group thousands, or be a decimal point or comma. Homeledger asks.',
  says: () => ['.', ','],
};

/** What the shapes of the numbers show (36.5.5, steps 2 to 4). */
const BY_SHAPE: readonly Test<DecimalSeparator, DecimalFacts>[] = [
  {
    code: 'both_separators',
    confidence: 'ambiguous',
    means: 'Some amounts have a point before the cents and others a comma. Homeledger asks.',
    says: ({ columns }) => {
      const { point, comma } = decimalVotes(columns);
      if (point === 0 || comma === 0) return null;
      return point >= comma ? ['.', ','] : [',', '.'];
    },
  },
  {
    code: 'decimal_digits',
    confidence: 'certain',
    means: 'Some amounts show it, such as 12.50 or 1.234,56, and no amount contradicts them.',
    says: ({ columns }) => {
      const { point, comma } = decimalVotes(columns);
      return point > 0 ? '.' : comma > 0 ? ',' : null;
    },
  },
  {
    code: 'content',
    confidence: 'certain',
    means: 'No amount has a point or a comma, so it does not matter.',
    says: ({ columns }) => (decimalVotes(columns).undecided === 0 ? '.' : null),
  },
];

const DECIMAL_BY_SHAPE: Question<DecimalSeparator, DecimalFacts> = {
  name: 'decimal_separator',
  asks: 'Which separators do the shapes of the numbers allow?',
  tests: [...BY_SHAPE, ASKED],
};

/** One decimal separator for all amounts of the file (36.5.5). */
export const DECIMAL: Question<DecimalSeparator, DecimalFacts> = {
  name: 'decimal_separator',
  asks: 'Is there a point or a comma before the cents?',
  explains: '“1.500” is one and a half in some countries and fifteen hundred in others.',
  tests: [
    {
      code: 'parameter',
      confidence: 'given',
      means: 'You chose it when you sent the file.',
      says: ({ given }) => given,
    },
    ...BY_SHAPE,
    {
      code: 'balance_proof',
      confidence: 'proved',
      means: 'The amounts add up to the balances in one reading only.',
      says: ({ proved }) => proved,
    },
    {
      code: 'stored_profile',
      confidence: 'profile',
      means: 'Files with these columns were read this way before.',
      says: ({ profile }) => profile?.value ?? null,
    },
    {
      code: 'decimal_digits',
      confidence: 'likely',
      means: 'The exchange rates beside the amounts show it, such as 0.837934.',
      says: ({ rates }) => {
        const { point, comma } = decimalVotes(rates);
        return point > 0 && comma === 0 ? '.' : comma > 0 && point === 0 ? ',' : null;
      },
    },
    {
      code: 'minor_unit',
      confidence: 'likely',
      means: 'The only currency in the file has no cents, like the yen. The point or comma groups thousands.',
      says: ({ columns, onlyCurrency }) =>
        onlyCurrency !== null && WITHOUT_MINOR_UNIT.has(onlyCurrency) ? otherThan(onlyUndecided(columns)) : null,
    },
    {
      code: 'grouping',
      confidence: 'likely',
      means: 'Amounts of 1,000 and more have a point or comma, and smaller ones have none. It groups thousands.',
      says: ({ columns, headers, onlyCurrency }) => otherThan(groupingSeparator(columns, headers, onlyCurrency)),
    },
    ASKED,
  ],
};

/** What the shapes of all numbers leave open, before anything else is asked. */
export function decimalByVotes(columns: readonly ColumnStats[]): DecimalVotes {
  const facts = { columns, given: null, proved: null, profile: null, onlyCurrency: null, headers: [], rates: [] };
  const settled = settle(DECIMAL_BY_SHAPE, facts);
  // Where numbers contradict each other, no reading fits all: only the more frequent one is tried.
  const isMixed = settled.evidence.includes('both_separators');
  return { open: isMixed ? settled.values.slice(0, 1) : settled.values, detection: detectionOf(settled, columns) };
}

export function settleDecimal(facts: DecimalFacts): Detection<DecimalSeparator> {
  return detectionOf(settle(DECIMAL, facts), facts.columns);
}

function detectionOf(
  { values, confidence, evidence }: Settled<DecimalSeparator>,
  columns: readonly ColumnStats[],
): Detection<DecimalSeparator> {
  const value = values[0] as DecimalSeparator;
  if (confidence !== 'ambiguous') return { value, confidence, evidence, candidates: [] };
  const candidates = evidence.includes('both_separators')
    ? values.flatMap((one) => voteCandidate(columns, one) ?? [])
    : undecidedCandidates(columns);
  return { value, confidence, evidence, candidates };
}

function otherThan(separator: DecimalSeparator | null): DecimalSeparator | null {
  return separator === null ? null : separator === '.' ? ',' : '.';
}

/** The only separator among the numbers whose shape decides nothing. */
function onlyUndecided(columns: readonly ColumnStats[]): DecimalSeparator | null {
  const points = columns.some((column) => column.firstOfVote[VOTE.undecidedPoint] !== undefined);
  const commas = columns.some((column) => column.firstOfVote[VOTE.undecidedComma] !== undefined);
  return points === commas ? null : points ? '.' : ',';
}

function voteCandidate(columns: readonly ColumnStats[], value: DecimalSeparator): DetectionCandidate | null {
  const votes = decimalVotes(columns);
  const vote = value === '.' ? VOTE.point : VOTE.comma;
  const count = value === '.' ? votes.point : votes.comma;
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
  return sample ? bothReadings(sample) : [];
}

/** What an amount means with a point, and with a comma, before the cents. */
export function bothReadings({ line, raw }: { readonly line: number; readonly raw: string }): DetectionCandidate[] {
  return (['.', ','] as const).map((value) => ({ value, line, raw, read_as: amountText(raw, value) }));
}

function amountText(raw: string, decimal: DecimalSeparator): string {
  const number = new NumberCell();
  const cents = number.read(raw) ? number.cents(decimal) : Number.NaN;
  return Number.isNaN(cents) ? 'not an amount (it would have a third decimal)' : formatCents(cents);
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
  const separator = onlyUndecided(columns);
  if (separator === null) return null;
  if (separator === ',' && headers.some((name) => /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/u.test(name))) return ',';
  const isPlain = columns.some((column) => (column.votes[VOTE.none] as number) > 0);
  const isGrouped = columns.some(({ grouped }) => grouped.points + grouped.commas > 0);
  if (!isPlain || !isGrouped) return null;
  // Dinars written by a spreadsheet look like this too: `12.345` and `5`. Where `25.000` stands, zeros were not cut off.
  const keepsZeros = columns.some(
    ({ votes, grouped }) =>
      (votes[VOTE.undecidedPoint] as number) > grouped.points ||
      (votes[VOTE.undecidedComma] as number) > grouped.commas,
  );
  return onlyCurrency !== null || keepsZeros ? separator : null;
}
