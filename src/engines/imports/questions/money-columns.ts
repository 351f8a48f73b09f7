import { OUTCOME } from '../columns/parsed-columns.ts';
import { dateOfDayNumber } from '../../../kernel/dates.ts';
import { formatCents } from '../../../kernel/money.ts';
import type { Blocker, DetectionCandidate } from '../analysis.ts';
import { chooseInterpretation } from './choose-interpretation.ts';
import type { InterpretationResult } from './choose-interpretation.ts';
import type { MappedTable } from './parse-file.ts';
import { decimalVotes, isNumberColumn } from '../columns/column-stats.ts';
import type { ColumnStats, TableStats } from '../columns/column-stats.ts';
import type { Reading } from '../columns/booked-amount.ts';
import type { FieldColumns, Mapping } from '../columns/mapping.ts';
import { NumberCell } from '../cells/numbers.ts';
import { decimalByVotes } from '../columns/decimal.ts';
import type { Field } from '../lexicon/synonyms.ts';
import { openRecords } from '../cells/table.ts';
import type { Table } from '../cells/table.ts';

const ROWS_SHOWN = 3;
const CANDIDATE_CHARS = 200;

/** A file read in one of several ways, with the open question; null when the balances answer it. */
interface MoneyReading {
  readonly mapping: Mapping;
  readonly choice: InterpretationResult;
  readonly question: Blocker | null;
}

interface Tried {
  readonly money: MoneyColumns;
  readonly mapping: Mapping;
  readonly choice: InterpretationResult;
}

/**
 * Reads a headerless file whose amounts may be in several columns in every possible way, to see which one the balances
 * prove. Undefined where the columns are known, named by the caller, or hold no money.
 */
export function readMoneyColumns(input: MappedTable): MoneyReading | undefined {
  const { table, stats, mapping, options } = input;
  const isKnown = (['amount', 'debit', 'credit'] as const).some(
    (field) => mapping.has(field) || options.column_mapping?.[field] !== undefined,
  );
  if (table.headerLine !== null || isKnown || !mapping.has('date')) return undefined;
  const tried = moneyColumns(table, stats, mapping).map((money): Tried => {
    const own = withMoney(mapping, money);
    return { money, mapping: own, choice: chooseInterpretation({ ...input, mapping: own }) };
  });
  const [first] = tried;
  if (!first) return undefined;
  const proved = tried.filter(({ choice }) => isProved(choice));
  const [only] = proved;
  if (only && proved.length === 1 && (isTypeKnown(input) || options.refuse_assumptions !== true))
    return { mapping: only.mapping, choice: isTypeKnown(input) ? only.choice : assumed(only.choice), question: null };
  const open = proved.length > 1 ? proved : tried;
  const chosen = open[0] ?? first;
  const question = tried.length === 1 && isRepeated(input, first.money) ? null : questionOf(open, input);
  return { mapping: chosen.mapping, choice: chosen.choice, question };
}

/** The one of these readings under which the balances of the file add up; undefined if none or several do (36.6.4). */
export function readProvedAmount(input: MappedTable, readings: readonly Reading[]): MoneyReading | undefined {
  const tried = readings.map((reading) => ({ ...reading, choice: chooseInterpretation({ ...input, ...reading }) }));
  const [only, ...others] = tried.filter(({ choice }) => isProved(choice));
  return only && others.length === 0 ? { mapping: only.mapping, choice: only.choice, question: null } : undefined;
}

/** Balances decide with two links or more (36.6.4). */
function isProved({ proof }: InterpretationResult): boolean {
  return proof.status === 'proved' && proof.results.reduce((sum, { rows_checked: rows }) => sum + rows, 0) >= 2;
}

function isTypeKnown({ options, context }: MappedTable): boolean {
  return (context.account?.type ?? options.account_type ?? null) !== null;
}

/** Balances that prove one sign for money owned prove the opposite for money owed. */
function assumed(choice: InterpretationResult): InterpretationResult {
  const { sign } = choice.detection;
  const message =
    'The balances fit if this is a current or savings account, so we assumed that it is one. If it is a card or a loan, choose that kind of account.';
  return {
    ...choice,
    detection: {
      ...choice.detection,
      sign: { ...sign, confidence: 'assumed', evidence: ['balance_proof', 'default'] },
    },
    warnings: (counts, today) => [
      ...choice.warnings(counts, today).filter(({ code }) => code !== 'SIGN_ASSUMED'),
      { code: 'SIGN_ASSUMED', message, lines: [] },
    ],
  };
}

function questionOf(open: readonly Tried[], { table }: MappedTable): Blocker {
  const columns = [...new Set(open.flatMap(({ money }) => moving(money)))].sort((a, b) => a - b);
  const names = columns
    .map((index) => index + 1)
    .join(', ')
    .replace(/, (\d+)$/, ' and $1');
  const isPair = open[0]?.money.debit !== undefined;
  const what = isPair ? 'which one is money spent' : 'which one is the amount of the transaction';
  return {
    code: 'AMBIGUOUS_FORMAT',
    message: `The columns of this file have no names, and columns ${names} hold amounts. Nothing shows ${what}. Choose the reading with the correct rows.`,
    parameter: 'column_mapping',
    candidates: open.map((one) => candidateOf(one, table)),
    details: open.map(({ money }) => ({
      path: 'column_mapping',
      message: `Send column_mapping: ${JSON.stringify(money)}.`,
    })),
  };
}

function moving({ amount, debit, credit }: MoneyColumns): number[] {
  return [amount, debit, credit].filter((index) => index !== undefined);
}

/** The mapping to send, and the first rows under it. */
function candidateOf({ money, choice: { final } }: Tried, table: Table): DetectionCandidate {
  const shown: string[] = [];
  let line = 0;
  for (let row = 0; row < final.parsed.count && shown.length < ROWS_SHOWN; row++) {
    const cents = final.read.amounts[row] as number;
    if (final.outcomes[row] !== OUTCOME.row || Number.isNaN(cents)) continue;
    line ||= final.parsed.lines[row] as number;
    const date = dateOfDayNumber(final.days[row] as number);
    const way = money.amount === undefined ? (cents < 0 ? ' money in' : ' money out') : '';
    shown.push(`${date} ${formatCents(Math.abs(cents))}${way}`);
  }
  return { value: JSON.stringify(money), line, raw: recordAt(table, line), read_as: shown.join('; ') };
}

function recordAt(table: Table, line: number): string {
  const reader = openRecords(table);
  while (reader.next()) if (reader.line >= line && !reader.isBlank()) return reader.raw(CANDIDATE_CHARS);
  return '';
}

/** One way of reading the amounts of a file whose columns have no names. */
type MoneyColumns = Readonly<Partial<Record<'amount' | 'debit' | 'credit' | 'balance', number>>>;

const MOST = 6;

/**
 * The columns that may hold the amounts of a headerless file: two that take turns are money out and in, or the other
 * way round; else each column of numbers may be the amount, or with a column of zeros the only half with money.
 */
function moneyColumns(table: Table, stats: TableStats, mapping: Mapping): MoneyColumns[] {
  const claimed = new Set([...mapping].flatMap(([field, { columns }]) => (field === 'balance' ? [] : columns)));
  const all = [...stats.columns.keys()].filter((i) => {
    const column = stats.columns[i] as ColumnStats;
    return !claimed.has(i) && isNumberColumn(column);
  });
  const money = all.filter((i) => looksLikeMoney(stats.columns[i] as ColumnStats));
  const numbers = money.length > 0 ? money : all;
  const pairsOf = (columns: readonly number[]): (readonly [number, number])[] =>
    columns.flatMap((a) => columns.flatMap((b) => (a < b && takeTurns(stats, a, b) ? [[a, b] as const] : [])));
  const likely = pairsOf(numbers);
  const pairs = likely.length > 0 ? likely : pairsOf(all);
  if (pairs.length > 0) {
    return pairs.slice(0, MOST / 2).flatMap(([a, b]) => {
      const others = all.filter((i) => i !== a && i !== b && isSteady(stats, i));
      const balance = others.find((i) => follows(table, stats, [a, b], i));
      const rest = balance === undefined ? {} : { balance };
      return [
        { debit: a, credit: b, ...rest },
        { debit: b, credit: a, ...rest },
      ];
    });
  }
  const steady = withoutRepeats(
    table,
    numbers.filter((i) => isSteady(stats, i) && hasMoney(stats, i)),
  );
  const amounts = steady.slice(0, MOST).map((amount) => {
    const balance = steady.find((i) => i !== amount && follows(table, stats, [amount], i));
    return balance === undefined ? { amount } : { amount, balance };
  });
  const still = all.filter((i) => isSteady(stats, i) && !hasMoney(stats, i));
  const halves = still.flatMap((a) =>
    steady.flatMap((b) => [
      { debit: b, credit: a },
      { debit: a, credit: b },
    ]),
  );
  return [...amounts, ...halves.slice(0, MOST)];
}

const FEWEST_EQUAL = 3;

/** Without columns that repeat an earlier one, as a card states what was bought and what is due for it. */
function withoutRepeats(table: Table, columns: readonly number[]): readonly number[] {
  const seen = new Map<number, Set<number>>(columns.map((i) => [i, new Set(columns.filter((other) => other < i))]));
  let rows = 0;
  const reader = openRecords(table);
  while (columns.length > 1 && reader.next()) {
    // A sum below the rows fills only one of them.
    if (columns.some((i) => reader.isEmpty(i))) continue;
    rows++;
    for (const [i, equal] of seen)
      for (const other of equal) if (reader.cell(other).trim() !== reader.cell(i).trim()) equal.delete(other);
  }
  return rows < FEWEST_EQUAL ? columns : columns.filter((i) => seen.get(i)?.size === 0);
}

function isRepeated({ table, stats }: MappedTable, { amount }: MoneyColumns): boolean {
  if (amount === undefined) return false;
  const others = [...stats.columns.keys()].filter((i) => i > amount && isNumberColumn(stats.columns[i] as ColumnStats));
  return others.some((i) => withoutRepeats(table, [amount, i]).length === 1);
}

/** The mapping with these columns in it. */
function withMoney(mapping: Mapping, money: MoneyColumns): Mapping {
  const entries = Object.entries(money).map(([field, index]): [Field, FieldColumns] => [
    field as Field,
    { columns: [index], confidence: 'likely', source: 'content' },
  ]);
  return new Map([...mapping, ...entries]);
}

function looksLikeMoney(column: ColumnStats): boolean {
  const { point, comma } = decimalVotes([column]);
  return point + comma > 0 || column.negatives > 0 || column.withDirection > 0;
}

/** True unless every cell is a zero, as in a column of money in where all was spent. */
function hasMoney(stats: TableStats, index: number): boolean {
  const { filled, zeros, dashes } = stats.columns[index] as ColumnStats;
  return filled > zeros + dashes;
}

function isSteady(stats: TableStats, index: number): boolean {
  return (stats.columns[index] as ColumnStats).filled * 2 >= stats.completeRecords;
}

/** True when each row has its amount in one of the two: the other is empty there, or zero. Zeros in both move nothing. */
function takeTurns(stats: TableStats, a: number, b: number): boolean {
  const columns = [a, b].map((i) => stats.columns[i] as ColumnStats);
  const moving = columns.map(({ filled, zeros, dashes }) => filled - zeros - dashes) as [number, number];
  const both = moving[0] + moving[1];
  const isWhole = both >= stats.completeRecords * 0.8 || columns.every(({ filled }) => filled >= stats.completeRecords);
  return Math.min(...moving) > 0 && both <= stats.completeRecords && isWhole;
}

/** True when a column changes from row to row by the amounts of the rows, forwards or backwards in time. */
function follows(table: Table, stats: TableStats, moves: readonly number[], balance: number): boolean {
  const decimal = decimalByVotes([...moves, balance].map((i) => stats.columns[i] as ColumnStats)).detection.value;
  const reader = openRecords(table);
  const number = new NumberCell();
  const read = (index: number): number => (number.read(reader.cell(index)) ? number.cents(decimal) : Number.NaN);
  let [links, forward, backward] = [0, 0, 0];
  let previous: { move: number; balance: number } | undefined;
  while (reader.next()) {
    if (reader.isBlank()) continue;
    const move = moves.reduce((sum, index) => sum + Math.abs(read(index) || 0), 0);
    const stated = read(balance);
    if (Number.isNaN(stated)) continue;
    if (previous) {
      const step = Math.abs(stated - previous.balance);
      links++;
      if (step === move) forward++;
      if (step === previous.move) backward++;
    }
    previous = { move, balance: stated };
  }
  return links > 0 && Math.max(forward, backward) >= links * 0.9;
}
