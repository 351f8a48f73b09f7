import { balanceLabel } from '../lexicon/balances.ts';
import { collapsed } from '../text/cell-text.ts';
import { NO_DAY } from '../cells/date-cells.ts';
import { OUT } from '../lexicon/lexicon.ts';
import { dayStepsOf } from './file-order.ts';
import { KIND, PROBLEM } from '../columns/parsed-columns.ts';
import type { ColumnPlan, OpeningBalance, ParsedAmounts } from '../columns/parsed-columns.ts';
import type { RecordReader } from '../cells/records.ts';
import { describe } from '../cells/table.ts';

type Label = ReturnType<typeof balanceLabel>;

/** Words that are balances only beside a record that certainly is one. */
function isUnsure(label: Label): boolean {
  return label === 'bare' || label === 'turnover';
}

/** The parsed columns that show which records state a balance instead of a movement. */
interface StatedColumns {
  readonly count: number;
  readonly lines: Int32Array;
  readonly kinds: Uint8Array;
  readonly days: Int32Array;
  readonly directions: Uint8Array;
  readonly currencyIds: Int16Array;
  readonly accountIds: Uint16Array;
  readonly amounts: readonly { -readonly [K in keyof ParsedAmounts]: ParsedAmounts[K] }[];
}

interface FileOrder {
  readonly falls: number;
  readonly rises: number;
  readonly first: ReadonlyMap<number, number>;
  readonly last: ReadonlyMap<number, number>;
}

/**
 * Records whose whole text is the label of a balance, where the amount column holds that balance (36.5.4). They are
 * noted while the file is read and settled at its end: the first record of its account is the opening balance.
 */
export class StatedBalances {
  readonly #plan: ColumnPlan;
  readonly #labels = new Map<number, Exclude<Label, ''>>();

  constructor(plan: ColumnPlan) {
    this.#plan = plan;
  }

  /** Notes a record without a known kind; true for a label without numbers, which is never a row. */
  note(
    reader: RecordReader,
    amounts: readonly ParsedAmounts[],
    row: number,
    hasAmount: boolean,
    dated: boolean,
  ): boolean {
    if (dated && !hasAmount && !isBalanceStated(amounts, row)) {
      const label = this.#labelIn(reader);
      return label !== '' && label !== 'dated' && !isUnsure(label);
    }
    const label = this.#labelOf(reader, amounts, row, hasAmount);
    if (label === '' || (!dated && isUnsure(label))) return false;
    this.#labels.set(row, dated || label === 'opening' ? label : 'apart');
    return false;
  }

  /** Marks the records that turned out to be balances. Returns the opening ones, for the proof. */
  settle(parsed: StatedColumns): OpeningBalance[] {
    if (this.#labels.size === 0) return [];
    const { kinds } = parsed;
    const labels = [...this.#labels.values()];
    const isFramed = labels.includes('opening') || labels.includes('closing') || labels.includes('apart');
    const found = [...this.#labels].filter(([, label]) => isFramed || !isUnsure(label));
    for (const [row, label] of found) kinds[row] = label === 'turnover' ? KIND.notARow : KIND.stated;
    const rows = found.flatMap(([row, label]) => (isUnsure(label) || label === 'apart' ? [] : [row]));
    const order = this.#orderOf(parsed);
    const openings = openingsAmong(rows, parsed, order, (row) => this.#labels.get(row) === 'opening');
    for (const row of openings) kinds[row] = KIND.opening;
    const balanceAt = (numbers: ParsedAmounts, row: number): number => this.#balanceAt(numbers, parsed, row);
    if (this.#plan.balance < 0)
      for (const row of rows) if (kinds[row] === KIND.stated) putBalance(parsed, row, order, balanceAt);
    return openings.map((row) => ({
      account: parsed.accountIds[row] ?? 0,
      currency: parsed.currencyIds[row] as number,
      balances: parsed.amounts.map((numbers) => balanceAt(numbers, row)),
    }));
  }

  /**
   * The label, where the record has a balance and no amount (or 0.00), an amount and no balance, or the same in both. A
   * bare word only counts in a file without balances.
   */
  #labelOf(reader: RecordReader, amounts: readonly ParsedAmounts[], row: number, hasAmount: boolean): Label {
    const hasBalance = isBalanceStated(amounts, row);
    if (hasAmount && hasBalance && !amounts.some((parsed) => isTheBalance(parsed, row) || isZero(parsed, row)))
      return '';
    if (!hasAmount && !hasBalance) return '';
    const label = this.#labelIn(reader);
    return label !== '' && isUnsure(label) && hasAmount && this.#plan.balance >= 0 ? '' : label;
  }

  #labelIn(reader: RecordReader): Label {
    const text = describe(reader, this.#plan.description);
    if (text !== '') return balanceLabel(text);
    for (let i = 0; i < this.#plan.table.width; i++) {
      const label = reader.isEmpty(i) ? '' : balanceLabel(collapsed(reader.cell(i)));
      if (label !== '') return label;
    }
    return '';
  }

  /** Whether days rise or fall in the file, and where the movements of each account begin and end. */
  #orderOf({ count, kinds, days, accountIds }: StatedColumns): FileOrder {
    const first = new Map<number, number>();
    const last = new Map<number, number>();
    const moved: number[] = [];
    for (let row = 0; row < count; row++) {
      const day = days[row] as number;
      if (kinds[row] !== KIND.row || this.#labels.has(row) || day === NO_DAY) continue;
      const account = accountIds[row] ?? 0;
      if (!first.has(account)) first.set(account, row);
      last.set(account, row);
      moved.push(day);
    }
    return { ...dayStepsOf(moved), first, last };
  }

  #balanceAt(numbers: ParsedAmounts, { directions }: StatedColumns, row: number): number {
    const valueIn = (column: Float64Array): number => (column.length > 0 ? (column[row] as number) : Number.NaN);
    const stated = valueIn(numbers.balance);
    if (!Number.isNaN(stated)) return stated;
    const amount = valueIn(numbers.amount);
    if (!Number.isNaN(amount)) return directions[row] === OUT ? -Math.abs(amount) : amount;
    return (valueIn(numbers.credit) || 0) - (valueIn(numbers.debit) || 0);
  }
}

/**
 * Which of the records come before all movements of their account, or after them in a file with the newest first. Where
 * all are of one day, only a label of its own tells the end of the file from its beginning.
 */
function openingsAmong(
  rows: readonly number[],
  { accountIds }: StatedColumns,
  { falls, rises, first, last }: FileOrder,
  isOpening: (row: number) => boolean,
): number[] {
  const accountOf = (row: number): number => accountIds[row] ?? 0;
  const labelled = new Set(rows.filter(isOpening).map(accountOf));
  const seen = new Set<number>();
  const inTime = falls > rises ? rows.toReversed() : rows;
  return inTime.filter((row) => {
    const account = accountOf(row);
    const isAbove = row < (first.get(account) ?? Infinity);
    const isBelow = row > (last.get(account) ?? -1);
    const ends = isOpening(row) ? rises <= falls : rises < falls;
    const isFirst = isOpening(row) || (!labelled.has(account) && !seen.has(account));
    seen.add(account);
    return isFirst && ((falls <= rises && isAbove) || (ends && isBelow));
  });
}

/** Gives the last movement of the day, if it is next to the record, the balance that the record states for that day. */
function putBalance(
  { lines, kinds, days, accountIds, amounts }: StatedColumns,
  row: number,
  { falls, rises }: FileOrder,
  balanceAt: (numbers: ParsedAmounts, row: number) => number,
): void {
  const step = falls > rises ? 1 : -1;
  let at = row + step;
  while (at >= 0 && at < lines.length && kinds[at] !== KIND.row && lines[at] !== 0) at += step;
  const isSame = (accountIds[at] ?? 0) === (accountIds[row] ?? 0) && days[at] === days[row];
  if (at < 0 || at >= lines.length || lines[at] === 0 || !isSame) return;
  for (const numbers of amounts) {
    if (numbers.balance.length === 0) numbers.balance = new Float64Array(lines.length).fill(Number.NaN);
    numbers.balance[at] = balanceAt(numbers, row);
  }
}

function isBalanceStated(amounts: readonly ParsedAmounts[], row: number): boolean {
  return amounts.some(({ balance }) => balance.length > 0 && !Number.isNaN(balance[row]));
}

function isTheBalance({ amount, debit, credit, balance }: ParsedAmounts, row: number): boolean {
  const size = Math.abs(balance[row] as number);
  return [amount, debit, credit].some((column) => column.length > 0 && Math.abs(column[row] as number) === size);
}

/** One of the amounts is zero, and none is anything else: not even one that cannot be read. */
function isZero({ amount, debit, credit, problem }: ParsedAmounts, row: number): boolean {
  if (problem[row] !== PROBLEM.none) return false;
  const stated = [amount, debit, credit].filter((column) => column.length > 0).map((column) => column[row]);
  return stated.includes(0) && stated.every((cents) => cents === 0 || Number.isNaN(cents));
}
