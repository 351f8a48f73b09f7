import { balanceLabel, isSumLabel } from '../lexicon/balances.ts';
import { collapsed } from '../text/cell-text.ts';
import { NO_DAY } from '../cells/date-cells.ts';
import { OUT } from '../lexicon/lexicon.ts';
import { dayStepsOf } from './file-order.ts';
import { KIND, PROBLEM } from '../columns/parsed-columns.ts';
import type { ColumnPlan, OpeningBalance, ParsedAmounts } from '../columns/parsed-columns.ts';
import type { RecordReader } from '../cells/records.ts';
import { describe, openRecords } from '../cells/table.ts';

const FEWEST = 3;

type Label = ReturnType<typeof balanceLabel>;

/** The parsed columns that show which records state a balance instead of a movement. */
interface StatedColumns {
  readonly count: number;
  readonly kinds: Uint8Array;
  readonly days: Int32Array;
  readonly directions: Uint8Array;
  readonly currencyIds: Int16Array;
  readonly accountIds: Uint16Array;
  readonly amounts: readonly ParsedAmounts[];
}

/**
 * Records whose whole text is the label of a balance, where the amount column holds that balance (36.5.4). They are
 * noted while the file is read and settled at its end: an opening balance is the first record of its account.
 */
export class StatedBalances {
  readonly #plan: ColumnPlan;
  readonly #openings: number[] = [];
  readonly #bare: number[] = [];
  readonly #dated: number[] = [];
  readonly #labelled = new Set<number>();
  #hasClosing = false;

  constructor(plan: ColumnPlan) {
    this.#plan = plan;
  }

  /** Notes a record without a known kind; true for a closing balance or a label without numbers: these are never rows. */
  note(
    reader: RecordReader,
    amounts: readonly ParsedAmounts[],
    row: number,
    hasAmount: boolean,
    dated: boolean,
  ): boolean {
    if (dated && !hasAmount && !isBalanceStated(amounts, row)) {
      const bare = this.#labelIn(reader);
      return bare === 'opening' || bare === 'closing';
    }
    const label = this.#labelOf(reader, amounts, row, hasAmount);
    if (label === '' || (!dated && label !== 'opening')) return false;
    this.#labelled.add(row);
    if (label === 'opening') this.#openings.push(row);
    if (label === 'bare') this.#bare.push(row);
    if (label === 'dated') this.#dated.push(row);
    if (label === 'closing') this.#hasClosing = true;
    return label === 'closing';
  }

  /** Marks the records that turned out to be balances. Returns the opening ones, for the proof. */
  settle(parsed: StatedColumns): OpeningBalance[] {
    const { kinds } = parsed;
    const isFramed = this.#hasClosing || (this.#openings.length > 0 && this.#bare.length > 0);
    if (isFramed) for (const row of this.#bare) kinds[row] = KIND.notARow;
    const ends = this.#openings.length + this.#dated.length > 0 ? this.#ends(parsed) : undefined;
    const found = [
      ...this.#openings.filter((row) => isFramed || ends?.holds(row)),
      ...this.#dated.filter((row) => ends?.holds(row)),
    ];
    for (const row of this.#dated) kinds[row] = KIND.notARow;
    for (const row of found) kinds[row] = KIND.opening;
    return found.map((row) => ({
      account: parsed.accountIds[row] ?? 0,
      currency: parsed.currencyIds[row] as number,
      balances: parsed.amounts.map((numbers) => this.#balanceAt(numbers, parsed, row)),
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
    return label === 'bare' && hasAmount && this.#plan.balance >= 0 ? '' : label;
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

  /** Which rows come before all movements of their account, or after them in a file with the newest first. */
  #ends({ count, kinds, days, accountIds }: StatedColumns): { holds(row: number): boolean } {
    const first = new Map<number, number>();
    const last = new Map<number, number>();
    const moved: number[] = [];
    for (let row = 0; row < count; row++) {
      const day = days[row] as number;
      if (kinds[row] !== KIND.row || this.#labelled.has(row) || day === NO_DAY) continue;
      const account = accountIds[row] ?? 0;
      if (!first.has(account)) first.set(account, row);
      last.set(account, row);
      moved.push(day);
    }
    const { falls, rises } = dayStepsOf(moved);
    return {
      holds: (row) => {
        const account = accountIds[row] ?? 0;
        const isAbove = row < (first.get(account) ?? Infinity);
        return (falls <= rises && isAbove) || (rises <= falls && row > (last.get(account) ?? -1));
      },
    };
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

/** True when the last dated record is not a movement but the sum of all above it, by its text and by its amounts. */
export function isSumRow(plan: ColumnPlan, amounts: readonly ParsedAmounts[], kinds: Uint8Array, row: number): boolean {
  if (row < FEWEST || kinds[row] !== KIND.row || !amounts.some((parsed) => sumsUp(parsed, kinds, row))) return false;
  const reader = openRecords(plan.table);
  for (let at = 0; at <= row && reader.next();) {
    if (reader.isBlank()) continue;
    if (at === row) {
      for (let i = 0; i < plan.table.width; i++) if (isSumLabel(reader.cell(i))) return true;
    }
    at++;
  }
  return false;
}

function sumsUp({ amount, debit, credit }: ParsedAmounts, kinds: Uint8Array, row: number): boolean {
  let summed = 0;
  for (const column of [amount, debit, credit]) {
    const found = column.length > 0 ? (column[row] as number) : Number.NaN;
    if (Number.isNaN(found)) continue;
    let sum = 0;
    for (let i = 0; i < row; i++) if (kinds[i] === KIND.row && !Number.isNaN(column[i])) sum += column[i] as number;
    if (sum !== found) return false;
    if (found !== 0) summed++;
  }
  return summed > 0;
}
