import { validationError } from '../../../kernel/errors.ts';
import type { ReadOptions } from '../analysis.ts';
import { normalisedText } from '../text/cell-text.ts';
import { marksMoneyIn } from '../columns/column-stats.ts';
import type { ColumnStats, TableStats } from '../columns/column-stats.ts';
import type { Mapping } from '../columns/mapping.ts';
import type { BuiltInProfile } from '../profiles/built-in-profiles.ts';
import {
  directionOfTypes,
  directionPair,
  directionWords,
  IN,
  isLoosePair,
  OUT,
  wordDirection,
} from '../lexicon/lexicon.ts';
import type { DirectionWords } from '../lexicon/lexicon.ts';
import { settle } from '../question.ts';
import type { Question } from '../question.ts';

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

interface ModeFacts {
  readonly options: ReadOptions;
  /** True when the pair may be read although there is a column of amounts. */
  readonly mayPair: boolean;
  readonly amount: ColumnStats | undefined;
  /** The column that says out or in for each row, and its words. */
  findDirection(): Direction | undefined;
}

interface Direction {
  readonly column: number;
  readonly words: DirectionWords;
}

/** How amounts are written (36.5.7). */
export const AMOUNT_MODE: Question<AmountMode, ModeFacts> = {
  name: 'amounts',
  asks: 'How does the file show whether money went out or came in?',
  explains:
    'Some files have one column for money out and one for money in. Others have a single column of amounts, with a word such as “debit” beside each amount, or with a minus sign before some amounts.',
  tests: [
    {
      code: 'parameter',
      confidence: 'given',
      means: 'You said that money out and money in each have a column of their own.',
      says: ({ options, mayPair }) => (mayPair && options.has_debit_credit === true ? 'pair' : null),
    },
    {
      code: 'header_names',
      confidence: 'certain',
      means:
        'The column names say money out and money in. If there is another column of amounts, it has no minus sign.',
      says: ({ mayPair, amount }) => (mayPair && (!amount || amount.negatives === 0) ? 'pair' : null),
    },
    {
      code: 'negative_values',
      confidence: 'certain',
      means: 'At least as many amounts have a minus sign as end in DR or CR (debit or credit). The minus signs decide.',
      says: ({ amount }) =>
        !amount || (amount.negatives > 0 && amount.withDirection <= amount.negatives) ? 'signed' : null,
    },
    {
      code: 'direction_words',
      confidence: 'certain',
      means: 'Amounts end in DR, CR or the like (debit or credit). If only money in is marked, the rest is money out.',
      says: ({ amount }) => (amount && amount.withDirection > 0 ? 'direction' : null),
    },
    {
      code: 'direction_words',
      confidence: 'certain',
      means:
        'Another column shows it in nearly every row, by a pair of words such as “debit” and “credit”, or by the type of the row, and the bank is not known to use minus signs.',
      says: (facts) => (facts.findDirection() ? 'direction' : null),
    },
    {
      code: 'default',
      confidence: 'likely',
      means: 'There is one column of amounts, and no other column shows it. The minus signs decide.',
      says: () => 'signed',
    },
  ],
};

/** How amounts are written: two columns, an unsigned one with a direction, or a signed one (36.5.7). */
export function decideMode(
  mapping: Mapping,
  stats: TableStats,
  options: ReadOptions,
  headers: readonly string[],
  builtIn: BuiltInProfile | null,
): ModeDecision {
  const amountIndex = mapping.get('amount')?.columns[0];
  const amount = amountIndex === undefined ? undefined : stats.columns[amountIndex];
  const hasPair = mapping.has('debit') || mapping.has('credit');
  if (options.has_debit_credit === true && !hasPair) {
    throw validationError('has_debit_credit', 'The file has no debit or credit column. Name them in column_mapping.');
  }
  const isWhole = !amount || (mapping.has('debit') && mapping.has('credit'));
  const mayPair =
    hasPair && (isWhole ? options.has_debit_credit !== false || !amount : options.has_debit_credit === true);
  // A bank whose amounts are known to be signed lists refunds as "debit", too.
  const isSigned = builtIn?.strength === 'strong' && builtIn.sign !== undefined && !options.direction_values;
  const mayFind = mapping.has('direction') || (options.column_mapping?.['direction'] !== null && !isSigned);
  let found: Direction | undefined;
  const findIt = (): Direction | undefined =>
    mayFind ? (found ??= findDirection(mapping, stats, options, amountIndex as number, headers)) : undefined;
  const { values } = settle(AMOUNT_MODE, { options, mayPair, amount, findDirection: findIt });
  const mode = values[0] as AmountMode;
  const plain: ModeDecision = { mode, directionColumn: -1, words: null, isStated: false, unmarked: 0 };
  if (mode !== 'direction') return plain;
  if (amount && amount.withDirection > 0) {
    const isPartly = amount.withDirection < amount.numbers;
    const unmarked = isPartly && amount.negatives === 0 && amount.withDirectionIn === amount.withDirection ? OUT : 0;
    return { ...plain, isStated: true, unmarked };
  }
  return { ...plain, directionColumn: found?.column ?? -1, words: found?.words ?? null };
}

function findDirection(
  mapping: Mapping,
  stats: TableStats,
  options: ReadOptions,
  amountIndex: number,
  headers: readonly string[],
): Direction | undefined {
  const mapped = mapping.get('direction');
  const given = options.direction_values
    ? directionWords(options.direction_values.out, options.direction_values.in)
    : undefined;
  if (mapped) {
    const column = mapped.columns[0] as number;
    if (given) return { column, words: given };
    const marks = onlyMarksIn(stats, column);
    if (marks) return marks;
    const isFound = mapped.source === 'header' || mapped.source === 'content';
    const pair =
      severalPairs(stats, column) ??
      (isFound ? nearlyPair(stats, column, 0.5) : undefined) ??
      mostlyPair(stats, column, isFound ? 0.9 : 0.5);
    return pair && { column, words: pair };
  }
  const claimed = new Set<number>([amountIndex]);
  for (const [field, { columns }] of mapping) if (field !== 'type') for (const column of columns) claimed.add(column);
  for (let column = 0; column < stats.columns.length; column++) {
    const words = stats.columns[column]?.words;
    if (claimed.has(column) || !words || words.size === 0) continue;
    if (given && [...words.keys()].every((word) => given.has(normalisedText(word)))) return { column, words: given };
    if (words.size > 4) continue;
    if ([...words.keys()].every((word) => /^[-\u2010-\u2015\u2212]$/.test(word))) continue;
    if (namesInstrument(headers[column] ?? '')) continue;
    if ((stats.columns[column]?.filled ?? 0) < stats.completeRecords * 0.9) continue;
    const pair = directionPair(words.keys()) ?? nearlyPair(stats, column);
    const isNamed = !/^(?:column_\d+)?$/.test(headers[column] ?? '');
    if (pair && !((isNamed || words.size < 2) && isLoosePair(pair))) return { column, words: pair };
  }
  return markedIn(stats, headers, claimed) ?? typedDirection(mapping, stats);
}

/** A nameless last column that marks only money in. */
function markedIn(stats: TableStats, headers: readonly string[], claimed: ReadonlySet<number>): Direction | undefined {
  const column = stats.columns.length - 1;
  const isNamed = !/^(?:column_\d+)?$/.test(headers[column] ?? '');
  return isNamed || claimed.has(column) ? undefined : onlyMarksIn(stats, column);
}

/** A column that marks only money in: rows it leaves empty are money out. */
function onlyMarksIn(stats: TableStats, column: number): Direction | undefined {
  const marks = stats.columns[column];
  if (!marks || !marksMoneyIn(marks) || marks.filled >= stats.completeRecords) return undefined;
  return { column, words: directionWords([''], [...(marks.words?.keys() ?? [])]) };
}

/** A column of types that names the direction of each row. */
function typedDirection(mapping: Mapping, stats: TableStats): Direction | undefined {
  const column = mapping.get('type')?.columns[0];
  const types = column === undefined ? undefined : stats.columns[column];
  if (column === undefined || !types?.words) return undefined;
  // A sum below the rows has no type, and no date either.
  const dated = stats.columns[mapping.get('date')?.columns[0] ?? -1]?.dates ?? stats.completeRecords;
  if (types.filled < Math.min(dated, stats.completeRecords) * 0.9) return undefined;
  const words = types.letters === types.filled ? directionOfTypes(types.words.keys()) : undefined;
  return words && { column, words };
}

/** Words of several pairs, such as `Income` and `Transfer-Out`; letters of several languages may contradict each other. */
function severalPairs(stats: TableStats, column: number): DirectionWords | undefined {
  const words = [...(stats.columns[column]?.words?.keys() ?? [])];
  const [out, into] = [OUT, IN].map((way) => words.filter((word) => wordDirection(word, 'cell') === way));
  if (words.some((word) => word.length < 3)) return undefined;
  if (!out?.length || !into?.length || out.length + into.length < words.length) return undefined;
  return directionWords(out, into);
}

/** In a column of cards, "debit" is the kind of card; in a column of channels, "C" is the channel. */
function namesInstrument(header: string): boolean {
  return /card|funding|account|instrument|karte|konto|carte|compte|tarjeta|cuenta|kort|channel|kanal|kanaal|canal|kilde|source|origin|quelle|herkunft|herkomst|origen|origem/.test(
    normalisedText(header),
  );
}

/** The pair of direction words in the column, if both occur and in enough of the cells. */
function nearlyPair(stats: TableStats, column: number, share = 0.9): DirectionWords | undefined {
  const pair = mostlyPair(stats, column, share);
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
