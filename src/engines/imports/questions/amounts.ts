import { validationError } from '../../../kernel/errors.ts';
import type { FeeMode, ReadOptions, SignConvention } from '../analysis.ts';
import { normalisedText } from '../cells/cell-text.ts';
import { marksMoneyIn } from '../columns/column-stats.ts';
import type { TableStats } from '../columns/column-stats.ts';
import { directionOfTypes } from '../lexicon/lexicon.ts';
import { KIND, PROBLEM } from '../interpret/parsed-columns.ts';
import type { ParsedAmounts, ParsedColumns } from '../interpret/parsed-columns.ts';
import type { Mapping } from '../columns/mapping.ts';
import { directionPair, directionWords, IN, isLoosePair, OUT } from '../lexicon/lexicon.ts';
import type { DirectionWords } from '../lexicon/lexicon.ts';

export type AmountMode = 'pair' | 'direction' | 'signed';

export interface ModeDecision {
  readonly mode: AmountMode;
  readonly directionColumn: number;
  readonly words: DirectionWords | null;
  /** True when a suffix on the numbers states the direction. */
  readonly isStated: boolean;
  /** The direction of an unmarked number where only money in is marked, with `CR`. */
  readonly unmarked: 0 | typeof OUT;
}

/** How amounts are written: two columns, an unsigned one with a direction, or a signed one (36.5.7). */
export function decideMode(
  mapping: Mapping,
  stats: TableStats,
  options: ReadOptions,
  headers: readonly string[],
): ModeDecision {
  const amountIndex = mapping.get('amount')?.columns[0];
  const amount = amountIndex === undefined ? undefined : stats.columns[amountIndex];
  const hasPair = mapping.has('debit') || mapping.has('credit');
  if (options.has_debit_credit === true && !hasPair) {
    throw validationError('has_debit_credit', 'The file has no debit or credit column. Name them in column_mapping.');
  }
  const pair: ModeDecision = { mode: 'pair', directionColumn: -1, words: null, isStated: false, unmarked: 0 };
  const isWhole = !amount || (mapping.has('debit') && mapping.has('credit'));
  const mayPair =
    hasPair && (isWhole ? options.has_debit_credit !== false || !amount : options.has_debit_credit === true);
  if (mayPair && (!amount || amount.negatives === 0 || options.has_debit_credit === true)) return pair;
  const signed: ModeDecision = { mode: 'signed', directionColumn: -1, words: null, isStated: false, unmarked: 0 };
  if (!amount || (amount.negatives > 0 && amount.withDirection <= amount.negatives)) return signed;
  if (amount.withDirection > 0) {
    const isPartly = amount.withDirection < amount.numbers;
    const unmarked = isPartly && amount.negatives === 0 && amount.withDirectionIn === amount.withDirection ? OUT : 0;
    return { ...signed, mode: 'direction', isStated: true, unmarked };
  }
  const found = findDirection(mapping, stats, options, amountIndex as number, headers);
  return found ? { ...signed, mode: 'direction', directionColumn: found.column, words: found.words } : signed;
}

function findDirection(
  mapping: Mapping,
  stats: TableStats,
  options: ReadOptions,
  amountIndex: number,
  headers: readonly string[],
): { column: number; words: DirectionWords } | undefined {
  const mapped = mapping.get('direction');
  const given = options.direction_values
    ? directionWords(options.direction_values.out, options.direction_values.in)
    : undefined;
  if (mapped) {
    const column = mapped.columns[0] as number;
    if (given) return { column, words: given };
    const pair = mostlyPair(stats, column, mapped.source === 'header' || mapped.source === 'content' ? 0.9 : 0.5);
    return pair && { column, words: pair };
  }
  const claimed = new Set<number>([amountIndex]);
  for (const [field, { columns }] of mapping) if (field !== 'type') for (const column of columns) claimed.add(column);
  for (let column = 0; column < stats.columns.length; column++) {
    const words = stats.columns[column]?.words;
    if (claimed.has(column) || !words || words.size === 0 || words.size > 4) continue;
    if ([...words.keys()].every((word) => /^[-\u2010-\u2015\u2212]$/.test(word))) continue;
    if (namesInstrument(headers[column] ?? '')) continue;
    if ((stats.columns[column]?.filled ?? 0) < stats.completeRecords * 0.9) continue;
    const pair =
      given && [...words.keys()].every((word) => given.has(normalisedText(word)))
        ? given
        : (directionPair(words.keys()) ?? nearlyPair(stats, column));
    const isNamed = !/^(?:column_\d+)?$/.test(headers[column] ?? '');
    if (pair && !((isNamed || words.size < 2) && isLoosePair(pair))) return { column, words: pair };
  }
  return markedIn(stats, headers, claimed) ?? typedDirection(mapping, stats);
}

/** A nameless last column that marks only money in: rows it leaves empty are money out. */
function markedIn(
  stats: TableStats,
  headers: readonly string[],
  claimed: ReadonlySet<number>,
): { column: number; words: DirectionWords } | undefined {
  const column = stats.columns.length - 1;
  const marks = stats.columns[column];
  const isNamed = !/^(?:column_\d+)?$/.test(headers[column] ?? '');
  if (!marks || isNamed || claimed.has(column) || !marksMoneyIn(marks) || marks.filled >= stats.completeRecords)
    return undefined;
  return { column, words: directionWords([''], [...(marks.words?.keys() ?? [])]) };
}

/** A column of types that names the direction of each row. */
function typedDirection(mapping: Mapping, stats: TableStats): { column: number; words: DirectionWords } | undefined {
  const column = mapping.get('type')?.columns[0];
  const types = column === undefined ? undefined : stats.columns[column];
  if (column === undefined || !types?.words || types.filled < stats.completeRecords * 0.9) return undefined;
  const words = types.letters === types.filled ? directionOfTypes(types.words.keys()) : undefined;
  return words && { column, words };
}

/** In a column of cards, "debit" is the kind of card; in a column of channels, "C" is the channel. */
function namesInstrument(header: string): boolean {
  return /card|funding|account|instrument|karte|konto|carte|compte|tarjeta|cuenta|kort|channel|kanal|kanaal|canal|kilde|source|origin|quelle|herkunft|herkomst|origen|origem/.test(
    normalisedText(header),
  );
}

/** The pair of direction words in the column, if both occur and few other words do. */
function nearlyPair(stats: TableStats, column: number): DirectionWords | undefined {
  const pair = mostlyPair(stats, column, 0.9);
  const held = new Set(
    [...(stats.columns[column]?.words?.keys() ?? [])].map((word) => pair?.get(normalisedText(word))),
  );
  return held.has(OUT) && held.has(IN) ? pair : undefined;
}

/** The pair that covers at least `share` of the cells; rows with rare other words become invalid. */
function mostlyPair(stats: TableStats, column: number, share: number): DirectionWords | undefined {
  const counts = stats.columns[column]?.words;
  if (!counts) return undefined;
  const total = [...counts.values()].reduce((sum, times) => sum + times, 0);
  const common = [...counts].sort((a, b) => b[1] - a[1]);
  for (let kept = common.length; kept > 0; kept--) {
    const held = common.slice(0, kept).reduce((sum, [, times]) => sum + times, 0);
    if (held < total * share) return undefined;
    const pair = directionPair(common.slice(0, kept).map(([word]) => word));
    if (pair) return pair;
  }
  return undefined;
}

/** The part of an interpretation that amounts depend on. */
export interface AmountReading {
  readonly sign: SignConvention;
  readonly feeMode: FeeMode;
}

/** The amounts of all rows in our sign (positive = out) under one interpretation; NaN where the row has none. */
export function amountsUnder(
  parsed: ParsedColumns,
  amounts: ParsedAmounts,
  mode: AmountMode,
  interpretation: AmountReading,
): Float64Array {
  const out = new Float64Array(parsed.count);
  const flip = interpretation.sign === 'positive_is_out' ? 1 : -1;
  const hasFee = amounts.fee.length > 0 && interpretation.feeMode === 'separate';
  if (mode === 'pair') {
    const debitSign = normalSign(parsed, amounts, amounts.debit, interpretation.sign).sign;
    const creditSign = isSignedCredit(parsed, amounts)
      ? 1
      : normalSign(parsed, amounts, amounts.credit, interpretation.sign).sign;
    for (let row = 0; row < parsed.count; row++) {
      const debit = amounts.debit.length > 0 ? (amounts.debit[row] as number) : Number.NaN;
      const credit = amounts.credit.length > 0 ? (amounts.credit[row] as number) : Number.NaN;
      out[row] =
        Number.isNaN(debit) && Number.isNaN(credit)
          ? Number.NaN
          : (Number.isNaN(debit) ? 0 : debit * debitSign) - (Number.isNaN(credit) ? 0 : credit * creditSign);
    }
  } else if (mode === 'direction') {
    for (let row = 0; row < parsed.count; row++) {
      const direction = parsed.directions[row];
      const value = Math.abs(amounts.amount[row] as number);
      out[row] = direction === OUT ? value : direction === IN ? -value : Number.NaN;
    }
  } else {
    for (let row = 0; row < parsed.count; row++) out[row] = (amounts.amount[row] as number) * flip;
  }
  for (let row = 0; row < parsed.overrides.length && row < parsed.count; row++) {
    if (parsed.overrides[row] === IN) out[row] = -Math.abs(out[row] as number);
  }
  if (hasFee)
    for (let row = 0; row < parsed.count; row++) out[row] = (out[row] as number) + Math.abs(amounts.fee[row] as number);
  for (let row = 0; row < parsed.count; row++) if (out[row] === 0) out[row] = 0;
  return out;
}

/** A lone column of money in that holds both signs is a signed column: its negative amounts are money out. */
export function isSignedCredit(parsed: ParsedColumns, amounts: ParsedAmounts): boolean {
  if (amounts.debit.length > 0) return false;
  const { positive, negative } = signCounts(parsed, amounts, amounts.credit);
  return positive > 0 && negative > 0;
}

/** The sign that ordinary numbers of a debit or credit column have; the rarer sign marks reversals. */
export function normalSign(
  parsed: ParsedColumns,
  amounts: ParsedAmounts,
  column: Float64Array,
  tieBreak: SignConvention,
): { sign: 1 | -1; isTied: boolean } {
  const { positive, negative } = signCounts(parsed, amounts, column);
  if (positive === negative)
    return { sign: positive > 0 && tieBreak === 'positive_is_in' ? -1 : 1, isTied: positive > 0 };
  return { sign: positive > negative ? 1 : -1, isTied: false };
}

function signCounts(
  parsed: ParsedColumns,
  amounts: ParsedAmounts,
  column: Float64Array,
): { positive: number; negative: number } {
  let positive = 0;
  let negative = 0;
  for (let row = 0; row < column.length && row < parsed.count; row++) {
    if (parsed.kinds[row] !== KIND.row || parsed.problems[row] !== PROBLEM.none) continue;
    if (amounts.problem[row] !== PROBLEM.none) continue;
    const value = column[row] as number;
    if (value > 0) positive++;
    else if (value < 0) negative++;
  }
  return { positive, negative };
}
