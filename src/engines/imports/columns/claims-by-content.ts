import { normalisedText } from '../cells/cell-text.ts';
import { DATE_MEANINGS, isInSeveralCurrencies } from './claims-by-name.ts';
import { AMOUNT_GROUP } from './column-choice.ts';
import type { ColumnClaims } from './column-claims.ts';
import { decimalVotes, isDateColumn, isNumberColumn, isNumberColumnByName } from './column-stats.ts';
import type { ColumnStats, TableStats } from './column-stats.ts';
import { NumberCell } from '../cells/numbers.ts';
import { decimalByVotes } from '../questions/decimal.ts';
import { directionOfTypes } from '../lexicon/lexicon.ts';
import { IGNORED, PENDING, statusOf, UNKNOWN_STATUS } from '../lexicon/statuses.ts';
import { openRecords } from '../cells/table.ts';
import type { Table } from '../cells/table.ts';

const MOST_CHAINED = 6;

export function claimDateByContent(claims: ColumnClaims): void {
  if (!claims.isOpen('date')) return;
  const column = claims.firstFree((stats) => isDateColumn(stats)) ?? claims.bestRegardless(DATE_MEANINGS);
  if (column !== undefined) claims.claim('date', [column], 'likely', 'content');
}

/** Claims the amount by the content of the columns; else those named as money out and in, whatever their content. */
export function claimAmountByContent(claims: ColumnClaims): void {
  const hasAmount = AMOUNT_GROUP.some((field) => field !== 'fee' && field !== 'direction' && claims.mapping.has(field));
  if (hasAmount || claims.isClosed('amount')) return;
  const column = isInSeveralCurrencies(claims)
    ? undefined
    : (amountByContent(claims) ?? claims.bestRegardless(['amount']));
  if (column !== undefined) return claims.claim('amount', [column], 'likely', 'content');
  for (const field of ['debit', 'credit'] as const) {
    const half = claims.bestRegardless([field]);
    if (half !== undefined && !claims.isClosed(field)) claims.claim(field, [half], 'likely', 'header');
  }
}

/** A number column without a known name; where two of them chain, one is the amount and the other the balance. */
function amountByContent(claims: ColumnClaims): number | undefined {
  const { table, stats, completeRecords } = claims;
  const columnAt = (i: number): ColumnStats => claims.columns[i] as ColumnStats;
  const free = claims.free((column, i) => claims.isNameless(i) && isNumberColumn(column));
  const steady = free.filter((i) => columnAt(i).numbers >= completeRecords * 0.9);
  const balance = claims.indexOf('balance');
  if (balance !== undefined) {
    const chained = chainingColumns(table, stats, [balance, ...steady]);
    if (chained?.balance === balance) return chained.amount;
  } else if (!claims.isClosed('balance')) {
    const pair = chainingColumns(table, stats, steady) ?? chainingColumns(table, stats, free);
    if (pair) {
      claims.claim('balance', [pair.balance], 'likely', 'content');
      return pair.amount;
    }
  }
  const isAll = (cells: number): boolean => Math.abs(cells - completeRecords) <= cells * 0.1;
  const takesTurns = (i: number, j: number): boolean =>
    i < j && (isAll(moving(columnAt(i)) + moving(columnAt(j))) || isAll(columnAt(i).filled + columnAt(j).filled));
  const partly = free.filter((i) => moving(columnAt(i)) > 0 && moving(columnAt(i)) < completeRecords);
  if (partly.some((i) => partly.some((j) => takesTurns(i, j)))) return undefined;
  const hasDecimals = (i: number): boolean => {
    const { point, comma } = decimalVotes([columnAt(i)]);
    return point + comma > 0;
  };
  const hasNegatives = (i: number): boolean => columnAt(i).negatives > 0;
  const isGrouped = (i: number): boolean => decimalVotes([columnAt(i)]).undecided > 0;
  const mayBeAmount = (i: number): boolean =>
    hasDecimals(i) || isGrouped(i) || hasNegatives(i) || columnAt(i).withDirection > 0;
  const likely = (table.headerLine === null ? free : steady).filter(mayBeAmount).length;
  if (likely > 1 || (likely === 0 && free.length > steady.length)) return undefined;
  const steadiest = steady.length > 0 ? steady : free;
  const moved = steadiest.filter((i) => moving(columnAt(i)) > 0);
  const pool = moved.length > 0 ? moved : steadiest;
  if (table.headerLine === null && pool.length > 1 && !pool.some(hasDecimals)) return undefined;
  return (
    pool.find(hasDecimals) ?? pool.find(hasNegatives) ?? pool.find((i) => columnAt(i).sampleValues.size > 1) ?? pool[0]
  );
}

/** How many cells move money. */
function moving({ filled, zeros, dashes }: ColumnStats): number {
  return filled - zeros - dashes;
}

/**
 * Among number columns without a known name, the pair in which one is the running balance of the other: from row to
 * row it changes by the amount of one of the two rows. Undefined without such a pair.
 */
function chainingColumns(
  table: Table,
  stats: TableStats,
  candidates: readonly number[],
): { amount: number; balance: number } | undefined {
  const columns = candidates.slice(0, MOST_CHAINED);
  if (columns.length < 2) return undefined;
  const all = columns.flatMap((index) => stats.columns[index] ?? []);
  const { point, comma } = decimalVotes(all);
  // `3.665` is a number under either separator, but has no hundredths under one of them.
  const decimals = point + comma === 0 ? (['.', ','] as const) : [decimalByVotes(all).detection.value];
  for (const decimal of decimals) {
    const found = chainedUnder(decimal, table, columns);
    if (found) return found;
  }
  return undefined;
}

function chainedUnder(
  decimal: '.' | ',',
  table: Table,
  columns: readonly number[],
): { amount: number; balance: number } | undefined {
  const reader = openRecords(table);
  const number = new NumberCell();
  const hits = new Map<string, number>();
  const turns = new Turns(columns.length);
  let links = 0;
  let previous: number[] | undefined;
  while (reader.next()) {
    if (reader.isBlank()) continue;
    const values = columns.map((index) => (number.read(reader.cell(index)) ? number.cents(decimal) : Number.NaN));
    if (values.some(Number.isNaN)) continue;
    turns.note(values);
    if (previous) {
      links++;
      for (let balance = 0; balance < columns.length; balance++) {
        const step = Math.abs((values[balance] as number) - (previous[balance] as number));
        for (let amount = 0; amount < columns.length; amount++) {
          if (amount === balance) continue;
          if (step === Math.abs(values[amount] as number))
            hits.set(`${amount} ${balance} after`, (hits.get(`${amount} ${balance} after`) ?? 0) + 1);
          if (step === Math.abs(previous[amount] as number))
            hits.set(`${amount} ${balance} before`, (hits.get(`${amount} ${balance} before`) ?? 0) + 1);
        }
      }
    }
    previous = values;
  }
  const best = [...hits].sort((a, b) => b[1] - a[1])[0];
  if (!best || links < 2 || best[1] < links * 0.9) return undefined;
  const [amount, balance] = best[0].split(' ').map(Number) as [number, number];
  if (columns.some((_, i) => i !== balance && turns.areTaken(amount, i))) return undefined;
  return { amount: columns[amount] as number, balance: columns[balance] as number };
}

/** Which columns have money in different rows, as money out and in do: even one such row counts. */
class Turns {
  readonly #alone: Uint8Array;
  readonly #together: Uint8Array;
  readonly #count: number;

  constructor(count: number) {
    this.#count = count;
    this.#alone = new Uint8Array(count * count);
    this.#together = new Uint8Array(count * count);
  }

  note(values: readonly number[]): void {
    for (let a = 0; a < this.#count; a++) {
      for (let b = 0; b < this.#count; b++) {
        if (values[b] === 0) continue;
        (values[a] === 0 ? this.#alone : this.#together)[a * this.#count + b] = 1;
      }
    }
  }

  /** True when the second has money only where the first is zero. */
  areTaken(first: number, second: number): boolean {
    const place = first * this.#count + second;
    return this.#alone[place] === 1 && this.#together[place] === 0;
  }
}

/** Beside a lone column of money out or in: the one column of numbers that is filled exactly where that is empty. */
export function claimOtherHalf(claims: ColumnClaims): void {
  const [known, missing] = claims.mapping.has('debit')
    ? (['debit', 'credit'] as const)
    : (['credit', 'debit'] as const);
  const half = claims.columnOf(known);
  if (!half || !claims.isOpen(missing) || !claims.isOpen('amount')) return;
  const found = claims.free((column, i) => {
    const isRest = column.filled > 0 && column.filled + half.filled <= claims.completeRecords;
    const isWhole = column.filled + half.filled >= claims.completeRecords * 0.9;
    return claims.isNameless(i) && isRest && isWhole && isNumberColumn(column);
  });
  if (found.length === 1) claims.claim(missing, found, 'likely', 'content');
}

/** Releases a lone column of money out or in with 0.00 where the money went the other way, into a column not known. */
export function releaseZeroHalf(claims: ColumnClaims): void {
  const field = claims.mapping.has('debit') ? 'debit' : 'credit';
  const other = field === 'debit' ? 'credit' : 'debit';
  const half = claims.columnOf(field);
  if (!half || claims.mapping.get(field)?.source !== 'header') return;
  if (claims.mapping.has(other) || claims.mapping.has('amount')) return;
  const rivals = claims.free(
    (column, i) => claims.isNameless(i) && isNumberColumnByName(column) && column.sampleValues.size > 1,
  );
  if ((half.zeros + half.dashes > 0 || half.filled >= claims.completeRecords) && rivals.length > 0)
    claims.release(field);
}

/** Columns without any name that hold currency codes: the only one, or several that all hold the same. */
export function claimCurrencyByContent(claims: ColumnClaims): void {
  if (!claims.isOpen('currency')) return;
  const { headerLine, headers } = claims.table;
  const found = claims.free((column, i) => {
    const hasNoName = headerLine === null || (headers[i] ?? '').trim() === '';
    const isFilled = column.filled > 0 && column.filled >= claims.completeRecords * 0.9;
    return hasNoName && isFilled && column.currencies >= column.filled * 0.9;
  });
  const values = new Set(found.flatMap((i) => [...(claims.columns[i] as ColumnStats).sampleValues]));
  if (values.size === 1 || found.length === 1) claims.claim('currency', found.slice(0, 1), 'likely', 'content');
}

/** A column that nobody knows by name and that holds only words for states, one of which keeps rows out. */
export function claimStatusByContent(claims: ColumnClaims): void {
  if (!claims.isOpen('status')) return;
  const found = claims.firstFree(({ words, filled }, i) => {
    if (words === null || words.size === 0 || !claims.isNameless(i)) return false;
    const states = [...words.keys()].map((word) => statusOf(word, false));
    const isMost = filled * 2 >= claims.completeRecords;
    return isMost && !states.includes(UNKNOWN_STATUS) && (states.includes(PENDING) || states.includes(IGNORED));
  });
  if (found !== undefined) claims.claim('status', [found], 'likely', 'content');
}

/** A column without any name whose every word is a kind of movement that says which way the money went. */
export function claimTypeByContent(claims: ColumnClaims): void {
  if (!claims.isOpen('type') || claims.table.headerLine !== null) return;
  const found = claims.firstFree(({ words, filled, letters }) => {
    const isWhole = filled > 0 && filled >= claims.completeRecords * 0.9 && letters === filled;
    return isWhole && words !== null && words.size > 1 && directionOfTypes(words.keys()) !== undefined;
  });
  if (found !== undefined) claims.claim('type', [found], 'likely', 'content');
}

/** Claims the column that says most about the rows, or the notes if no other column is named as a text. */
export function claimDescriptionByContent(claims: ColumnClaims): void {
  if (!claims.isOpen('description')) return;
  const merchant = claims.columnOf('merchant_name');
  const least = merchant?.variety ?? 1;
  const notes = merchant || claims.mapping.get('notes')?.source !== 'header' ? undefined : claims.indexOf('notes');
  const best = mostTelling(
    claims.columns,
    (column, index) =>
      (!claims.isClaimed(index) || index === notes) &&
      !namesPlace(claims.table.headers[index] ?? '') &&
      column.variety >= least &&
      column.currencies <= column.filled / 2 &&
      !(merchant && holdsCodes(column)),
  );
  if (best === undefined) return;
  if (best === notes) claims.release('notes');
  claims.claim('description', [best], 'likely', 'content');
}

/**
 * The column that says most about the rows: the greatest variety of texts, but words before codes, and either before
 * a text that never changes. Masked numbers (`**** 1234`) say nothing.
 */
function mostTelling(
  columns: readonly ColumnStats[],
  isFree: (column: ColumnStats, index: number) => boolean,
): number | undefined {
  let best: number | undefined;
  let bestRank: readonly number[] = [];
  columns.forEach((column, index) => {
    if (!isFree(column, index) || !holdsWords(column)) return;
    const rank = [column.sampleValues.size < 2 && column.filled > 1 ? 0 : holdsCodes(column) ? 1 : 2, column.variety];
    if (best !== undefined && !isHigher(rank, bestRank)) return;
    best = index;
    bestRank = rank;
  });
  return best;
}

/** A place does not say what happened. */
function namesPlace(header: string): boolean {
  return /\b(?:city|town|state|county|country|location|postcode|zip|ort|land|plaats|ville|pays|ciudad|kraj)\b/.test(
    normalisedText(header),
  );
}

function holdsWords({ sampleValues }: ColumnStats): boolean {
  return [...sampleValues].some((cell) => /\p{L}/u.test(cell));
}

/** Short words or codes in capitals, which say nothing by themselves. */
function holdsCodes({ sampleValues }: ColumnStats): boolean {
  return [...sampleValues].every((cell) => /^(?:\S{1,5}|[A-Z0-9_-]{6,})$/.test(cell));
}

function isHigher(rank: readonly number[], than: readonly number[]): boolean {
  for (let i = 0; i < rank.length; i++) {
    if (rank[i] !== than[i]) return (rank[i] as number) > (than[i] as number);
  }
  return false;
}
