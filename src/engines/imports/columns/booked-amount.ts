import type { Blocker } from '../analysis.ts';
import { NumberCell } from '../cells/numbers.ts';
import { openRecords } from '../cells/table.ts';
import type { Table } from '../cells/table.ts';
import { currencyInName, currencyOf } from '../lexicon/currency.ts';
import { normalisedName } from '../text/cell-text.ts';
import {
  meaningsOf,
  namesAccountMoney,
  namesBooked,
  namesForeignPrice,
  namesNet,
  namesOtherMoney,
  namesRate,
} from '../lexicon/synonyms.ts';
import type { ProfileMatch } from '../profiles/profile-match.ts';
import { isNumberColumnByName } from './column-stats.ts';
import type { ColumnStats, TableStats } from './column-stats.ts';
import { decimalByVotes } from './decimal.ts';
import type { FieldColumns, Mapping } from './mapping.ts';

/** What follows for a file that states the price of each purchase beside what was booked (36.5.7). */
interface BookedAmount {
  readonly mapping: Mapping;
  /** The one currency of what was booked, where the file states it in no column of its own. */
  readonly currency: string | null;
  readonly question: Blocker | null;
  /** The same with each column that the balances could still show to be the one: the proof comes before names. */
  readonly readings: readonly Reading[];
}

/** A mapping with one of the columns as the amount. */
export interface Reading {
  readonly mapping: Mapping;
  readonly bookedCurrency: string | null;
}

const MOST = 6;
/** Columns that are tried through the whole proof (36.6.4). */
const MOST_PROVED = 4;
/** Numbers beside an amount that are no amounts of money that moved. */
const OTHER_NUMBERS =
  /\b(?:price|preis|prix|precio|prezzo|prijs|kurs|quantity|qty|anzahl|stuck|shares|units|tax|vat|mwst|iva|tip|points|punkte|cash ?back|rewards?|limit|saldo|balance|fees?|net|netto|gross|brutto|rabatt|discount)\b/;

/** Undefined where a known bank's profile says it all, or only one column may be the amount. */
export function bookedAmount(
  table: Table,
  stats: TableStats,
  mapping: Mapping,
  profile: ProfileMatch | null,
): BookedAmount | undefined {
  const named = mapping.get('amount');
  const first = named?.columns[0] ?? bookedByName(table, stats);
  const isStrong = named?.source === 'built_in_profile' && profile?.builtIn?.strength === 'strong';
  if (first === undefined || table.headerLine === null || isStrong) return undefined;
  // A lone charge beside an amount may be what was booked.
  if (mapping.has('credit') || (mapping.has('debit') && !named)) return undefined;
  const candidates = rivalsOf(first, table, stats, mapping);
  if (candidates.length < 2) return undefined;
  const compared = new Compared(table, stats, mapping, candidates);
  const columns = candidates.filter((index) => index === first || compared.isTwin(first, index));
  if (columns.length < 2 || columns.every((index) => compared.isEqual(first, index))) return undefined;
  const isKnown = named?.source === 'given' || named?.source === 'stored_profile';
  const chained = columns.filter((index) => compared.chains(index));
  const proved = chained.length === 1 ? chained[0] : undefined;
  const readingOf = (index: number): Reading => readingWith(index, { columns, compared, table, mapping, named });
  const isOpen = !isKnown && proved === undefined && mapping.has('balance');
  const readings = isOpen ? columns.slice(0, MOST_PROVED).map(readingOf) : [];
  const asNamed = { mapping, currency: null, question: null, readings };
  if (!isKnown && proved === undefined && table.headers.some(settles)) return asNamed;
  const found = isKnown ? first : (proved ?? decide(columns, compared, table));
  if (found === undefined) return { ...asNamed, question: questionOf(columns, compared, table) };
  const { mapping: out, bookedCurrency: currency } = readingOf(found);
  return { mapping: out, currency, question: null, readings };
}

interface Reads {
  readonly columns: readonly number[];
  readonly compared: Compared;
  readonly table: Table;
  readonly mapping: Mapping;
  /** The amount as it is mapped so far. */
  readonly named: FieldColumns | undefined;
}

/** The mapping if this column is what was booked. */
function readingWith(found: number, { columns, compared, table, mapping, named }: Reads): Reading {
  const out = new Map(mapping);
  out.delete('debit');
  // A charge is money out in the sign that most of them have, and a refund has the other.
  const isCharge = meaningsOf(table.headers[found] ?? '').has('debit');
  if (isCharge) out.delete('amount');
  if (isCharge || found !== named?.columns[0])
    out.set(isCharge ? 'debit' : 'amount', { columns: [found], confidence: 'certain', source: 'content' });
  const currency =
    compared.ownCurrency(found) ?? balanceCurrency(table, mapping) ?? compared.currencyAtHome(found, columns);
  const given = mapping.get('currency');
  if (given && given.source !== 'given' && !compared.isOwnCode(given.columns[0] ?? -1, found)) out.delete('currency');
  const codes = compared.codesBehind(found);
  if (given?.source !== 'given' && codes >= 0)
    out.set('currency', { columns: [codes], confidence: 'certain', source: 'content' });
  return { mapping: out, bookedCurrency: out.has('currency') ? null : currency };
}

/** Names of other columns that already say which amount is the one booked. */
function settles(header: string): boolean {
  const isOfBooking = namesRate(header) || namesForeignPrice(header) || namesAccountMoney(header);
  return isOfBooking || namesNet(header) || meaningsOf(header).has('fee');
}

function bookedByName({ headers }: Table, { columns }: TableStats): number | undefined {
  const found = headers.flatMap((name, i) => {
    const column = columns[i];
    return column && namesBooked(name) && isNumberColumnByName(column) ? [i] : [];
  });
  return found.length === 1 ? found[0] : undefined;
}

function rivalsOf(first: number, table: Table, { columns, completeRecords }: TableStats, mapping: Mapping): number[] {
  const claimed = new Set(
    [...mapping].flatMap(([field, own]) => (field === 'amount' || field === 'debit' ? [] : own.columns)),
  );
  const isRival = (index: number): boolean => {
    const column = columns[index] as ColumnStats;
    const isMoney = isNumberColumnByName(column) && column.filled * 2 >= completeRecords && column.dates === 0;
    const name = table.headers[index] ?? '';
    const isOther = namesRate(name) || OTHER_NUMBERS.test(normalisedName(name));
    return index === first || (isMoney && !claimed.has(index) && !isOther);
  };
  return [...columns.keys()].filter(isRival).slice(0, MOST);
}

/** What the currencies, then the names say; undefined if nothing does. */
function decide(columns: readonly number[], compared: Compared, { headers }: Table): number | undefined {
  const only = (test: (index: number) => boolean): number | undefined => {
    const found = columns.filter(test);
    return found.length === 1 ? found[0] : undefined;
  };
  const steady = only((index) => compared.currenciesOf(index) === 1);
  if (steady !== undefined && columns.every((index) => index === steady || compared.currenciesOf(index) > 1))
    return steady;
  return only((index) => namesBooked(headers[index] ?? '')) ?? only((index) => !namesOtherMoney(headers[index] ?? ''));
}

function balanceCurrency({ headers }: Table, mapping: Mapping): string | null {
  return currencyInName(headers[mapping.get('balance')?.columns[0] ?? -1] ?? '') ?? null;
}

/** The columns of numbers, compared row by row. */
class Compared {
  readonly #table: Table;
  readonly #columns: readonly ColumnStats[];
  /** The column that names the currency of the rows. */
  readonly #named: number;
  readonly #equal = new Map<
    string,
    { equal: number; differing: number; opposite: number; line: number; raw: string }
  >();
  readonly #currencies = new Map<number, Set<string>>();
  readonly #links = new Map<number, { links: number; forward: number; backward: number }>();
  readonly #atHome = new Map<number, Set<string>>();

  constructor(table: Table, { columns }: TableStats, mapping: Mapping, candidates: readonly number[]) {
    this.#table = table;
    this.#columns = columns;
    this.#named = mapping.get('currency')?.columns[0] ?? -1;
    const balance = mapping.get('balance')?.columns[0] ?? -1;
    const account = mapping.get('account')?.columns[0] ?? -1;
    const used = [...candidates, balance].flatMap((index) => columns[index] ?? []);
    const decimal = decimalByVotes(used).detection.value;
    const previous = new Map<string, { balance: number; values: readonly number[] }>();
    const number = new NumberCell();
    const reader = openRecords(table);
    const read = (index: number): number => (number.read(reader.cell(index)) ? number.cents(decimal) : Number.NaN);
    for (const index of candidates) {
      this.#currencies.set(index, new Set());
      this.#atHome.set(index, new Set());
      this.#links.set(index, { links: 0, forward: 0, backward: 0 });
    }
    while (reader.next()) {
      if (reader.isBlank()) continue;
      const values = candidates.map((index) => {
        const value = read(index);
        const code = currencyOf(reader.cell(this.codesBehind(index))) ?? number.currency ?? sign(number.currencies);
        if (!Number.isNaN(value) && code !== undefined) this.#currencies.get(index)?.add(code);
        return value;
      });
      this.#compare(candidates, values, reader.line, (index) => {
        const codes = this.codesBehind(index);
        return currencyOf(reader.cell(codes < 0 ? this.#named : codes)) ?? this.#symbolIn(reader.cell(index));
      });
      const stated = balance < 0 ? Number.NaN : read(balance);
      if (Number.isNaN(stated)) continue;
      const key = account < 0 ? '' : reader.cell(account);
      const before = previous.get(key);
      if (before) this.#link(candidates, values, before, stated - before.balance);
      previous.set(key, { balance: stated, values });
    }
  }

  /** Equal in some row, and never of opposite signs. */
  isTwin(a: number, b: number): boolean {
    const pair = this.#equal.get(keyOf(a, b));
    return pair !== undefined && pair.equal > 0 && pair.opposite === 0;
  }

  isEqual(a: number, b: number): boolean {
    return a === b || this.#equal.get(keyOf(a, b))?.differing === 0;
  }

  /** A row in which two of the columns differ. */
  difference(a: number, b: number): { line: number; raw: string } {
    return this.#equal.get(keyOf(a, b)) ?? { line: 1, raw: '' };
  }

  chains(index: number): boolean {
    const { links, forward, backward } = this.#links.get(index) ?? { links: 0, forward: 0, backward: 0 };
    return links >= 2 && Math.max(forward, backward) === links;
  }

  /** How many currencies the column states; 0 if none. */
  currenciesOf(index: number): number {
    return currencyInName(this.#table.headers[index] ?? '') ? 1 : (this.#currencies.get(index)?.size ?? 0);
  }

  ownCurrency(index: number): string | null {
    const inName = currencyInName(this.#table.headers[index] ?? '');
    const [only, ...others] = this.#currencies.get(index) ?? [];
    return inName ?? (others.length === 0 && only !== undefined && currencyOf(only) ? only : null);
  }

  /** The one currency of the price in the rows where it is the amount itself. */
  currencyAtHome(amount: number, columns: readonly number[]): string | null {
    const found = new Set(columns.flatMap((index) => (index === amount ? [] : [...(this.#atHome.get(index) ?? [])])));
    return found.size === 1 ? ([...found][0] as string) : null;
  }

  /** The column of currency codes right behind an amount; -1 without one. */
  codesBehind(index: number): number {
    const next = this.#columns[index + 1];
    return next && next.filled > 0 && next.currencies >= next.filled * 0.9 ? index + 1 : -1;
  }

  /** Whether a column of codes tells the currency of what was booked, not that of the price. */
  isOwnCode(codes: number, amount: number): boolean {
    return codes === this.codesBehind(amount) || (this.#columns[codes]?.sampleValues.size ?? 0) === 1;
  }

  #symbolIn(cell: string): string | undefined {
    const number = new NumberCell();
    return number.read(cell) ? number.currency : undefined;
  }

  #compare(
    candidates: readonly number[],
    values: readonly number[],
    line: number,
    codeAt: (index: number) => string | undefined,
  ): void {
    candidates.forEach((a, i) => {
      candidates.slice(i + 1).forEach((b, at) => {
        const [left, right] = [values[i] as number, values[i + 1 + at] as number];
        if (Number.isNaN(left) || Number.isNaN(right)) return;
        const pair = this.#equal.get(keyOf(a, b)) ?? { equal: 0, differing: 0, opposite: 0, line: 0, raw: '' };
        this.#equal.set(keyOf(a, b), pair);
        if (left * right < 0) pair.opposite++;
        if (left === right) {
          if (left !== 0) pair.equal++;
          for (const index of [a, b]) {
            const code = left === 0 ? undefined : codeAt(index);
            if (code !== undefined) this.#atHome.get(index)?.add(code);
          }
        } else if (pair.differing++ === 0) {
          pair.line = line;
          pair.raw = `${left / 100} / ${right / 100}`;
        }
      });
    });
  }

  #link(
    candidates: readonly number[],
    values: readonly number[],
    before: { values: readonly number[] },
    moved: number,
  ): void {
    candidates.forEach((index, i) => {
      const link = this.#links.get(index) as { links: number; forward: number; backward: number };
      link.links++;
      if (Math.abs(moved) === Math.abs(values[i] as number)) link.forward++;
      if (Math.abs(moved) === Math.abs(before.values[i] as number)) link.backward++;
    });
  }
}

function keyOf(a: number, b: number): string {
  return a < b ? `${a} ${b}` : `${b} ${a}`;
}

/** Stands for the currencies that a shared symbol can mean: it differs from any code. */
function sign(currencies: ReadonlySet<string> | undefined): string | undefined {
  return currencies && [...currencies].join('/');
}

function questionOf(columns: readonly number[], compared: Compared, { headers }: Table): Blocker {
  const names = columns.map((index) => headers[index] || `column_${index + 1}`);
  const { line, raw } = compared.difference(columns[0] as number, columns[1] as number);
  return {
    code: 'AMBIGUOUS_FORMAT',
    message: `Two columns may hold the amounts, and they differ on line ${line}. Nothing shows which one was booked on the account. Choose it.`,
    parameter: 'column_mapping.amount',
    candidates: names.map((name, i) => ({ value: name, line, raw, read_as: raw.split(' / ')[i] ?? raw })),
    details: names.map((name) => ({
      path: 'column_mapping.amount',
      message: `Send column_mapping: ${JSON.stringify({ amount: name })}.`,
    })),
  };
}
