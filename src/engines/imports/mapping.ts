import { validationError } from '../../kernel/errors.ts';
import type { ColumnChoice, Confidence, MappingSource, ReadOptions } from './analysis.ts';
import { decimalVotes, fitsDate, isDateColumn, isNumberColumn, isNumberColumnByName } from './column-stats.ts';
import type { ColumnStats, TableStats } from './column-stats.ts';
import { endsWithDateWord, holdsCodes, mostTelling, namesPlace } from './telling-column.ts';
import { AMOUNT_GROUP, CLAIM_ORDER, mayHold, mayShare, resolveColumns, findColumn, SEVERAL } from './column-choice.ts';
import { currencyInName } from './currency.ts';
import { chainingColumns } from './content-chain.ts';
import type { ProfileMatch } from './profile-match.ts';
import { meaningsOf, numberedBase } from './synonyms.ts';
import { FIELDS } from './synonyms.ts';
import type { Field, Meaning } from './synonyms.ts';
import type { Table } from './table.ts';

export interface FieldColumns {
  readonly columns: readonly number[];
  readonly confidence: Confidence;
  readonly source: MappingSource;
}

export type Mapping = Map<Field, FieldColumns>;

/** Decides which column is which field (36.3.3, 36.5.4): the caller, then a profile, then names, then content. */
export function decideMapping(
  table: Table,
  stats: TableStats,
  options: ReadOptions,
  profile: ProfileMatch | null,
): { mapping: Mapping; dropped: string[] } {
  const state = new MappingState(table, stats);
  state.takeGiven(options);
  const dropped = profile ? state.takeProfile(profile) : [];
  state.takeDates();
  for (const field of CLAIM_ORDER) state.takeNamed(field);
  state.takeContent();
  return { mapping: state.mapping, dropped };
}

class MappingState {
  readonly mapping: Mapping = new Map();
  readonly #table: Table;
  readonly #columns: readonly ColumnStats[];
  readonly #stats: TableStats;
  readonly #complete: number;
  readonly #claimed = new Set<number>();
  readonly #closed = new Set<Field>();
  readonly #meanings: readonly ReadonlyMap<Meaning, number>[];

  constructor(table: Table, stats: TableStats) {
    this.#table = table;
    this.#stats = stats;
    this.#complete = stats.completeRecords;
    this.#columns = stats.columns;
    this.#meanings = table.headers.map((name) => (table.headerLine === null ? new Map() : meaningsOf(name)));
  }

  takeGiven(options: ReadOptions): void {
    const users = new Map<number, Field[]>();
    for (const [key, choice] of Object.entries(options.column_mapping ?? {})) {
      const field = FIELDS.find((known) => known === key);
      if (!field)
        throw validationError(`column_mapping.${key}`, `There is no such field. Use one of: ${FIELDS.join(', ')}.`);
      this.#closed.add(field);
      if (AMOUNT_GROUP.includes(field) && choice !== null) for (const other of AMOUNT_GROUP) this.#closed.add(other);
      if (choice === null) continue;
      const columns = resolveColumns(field, choice, this.#table);
      for (const column of columns) users.set(column, [...(users.get(column) ?? []), field]);
      this.#set(field, columns, 'given', 'given');
    }
    for (const [column, fields] of users) {
      if (fields.length > 1 && !mayShare(fields)) {
        throw validationError(
          `column_mapping.${fields[1]}`,
          `Column ${column} cannot be both ${fields.join(' and ')}.`,
        );
      }
    }
  }

  /** Returns the fields whose columns the profile names but the file lacks. */
  takeProfile(match: ProfileMatch): string[] {
    const own: Readonly<Record<string, ColumnChoice | undefined>> = match.stored?.settings.column_mapping ?? {};
    const columns: Readonly<Record<string, ColumnChoice | undefined>> = { ...match.builtIn?.columns, ...own };
    const missing: string[] = [];
    const isAmountGiven = AMOUNT_GROUP.some((field) => this.mapping.has(field));
    for (const field of FIELDS) {
      const choice = columns[field];
      if (choice === undefined || this.#closed.has(field) || (isAmountGiven && AMOUNT_GROUP.includes(field))) continue;
      if (choice === null) {
        this.#closed.add(field);
        continue;
      }
      const found = (Array.isArray(choice) ? choice : [choice])
        .map((one) => findColumn(one, this.#table))
        .filter((index) => index !== undefined);
      const usable = found.filter(
        (index) =>
          !this.#claimedByCaller(index) &&
          (!(field in own || field === 'balance') || mayHold(field, this.#columns[index])),
      );
      if (usable.length === 0) {
        if (field in own) missing.push(field);
        continue;
      }
      this.#closed.add(field);
      const source: MappingSource = field in own ? 'stored_profile' : 'built_in_profile';
      this.#set(field, SEVERAL.has(field) ? usable : usable.slice(0, 1), 'profile', source);
    }
    const hasAmount = AMOUNT_GROUP.some((field) => this.mapping.has(field));
    if (hasAmount) for (const field of AMOUNT_GROUP) this.#closed.add(field);
    if (match.builtIn) {
      if (match.builtIn.strength === 'strong') this.#closed.add('bank_id');
      if (this.mapping.has('date')) this.#closed.add('authorized_date');
    }
    return missing;
  }

  takeDates(): void {
    const given = this.mapping.get('date')?.columns[0];
    const kinds: readonly Meaning[] = ['posting_date', 'transaction_date', 'plain_date', 'value_date'];
    const half = this.#complete / 2;
    let byKind = kinds.map((kind) => this.#best(kind, (column) => fitsDate(column) && column.filled >= half));
    if (byKind.every((found) => found === undefined))
      byKind = kinds.map((kind) => this.#best(kind, (column) => fitsDate(column)));
    const [posting, transaction, plain, value] = byKind;
    if (given === undefined && !this.#closed.has('date')) {
      const date = posting ?? transaction ?? plain ?? this.#withoutGaps(value ?? this.#anyNamedDate());
      if (date !== undefined) this.#set('date', [date], 'certain', 'header');
    }
    if (this.mapping.has('authorized_date') || this.#closed.has('authorized_date')) return;
    const date = this.mapping.get('date')?.columns[0];
    const datePosted = date !== undefined && (this.#meanings[date]?.has('posting_date') ?? false);
    if (transaction !== undefined && transaction !== date && datePosted)
      this.#set('authorized_date', [transaction], 'certain', 'header');
    else if (plain !== undefined && plain !== date && posting !== undefined && posting === date)
      this.#set('authorized_date', [plain], 'likely', 'header');
  }

  takeNamed(field: Field): void {
    if (this.#closed.has(field) || this.mapping.has(field)) return;
    const meaning = field as Meaning;
    // A text that never changes is a title of the account rather than what happened, if another column tells that.
    const telling = field === 'description' && this.#complete >= 3;
    if (field === 'amount' && this.#isInOtherCurrency()) return;
    const best =
      (telling
        ? this.#best(
            meaning,
            (column) =>
              this.#fits(field, column) && column.sampleValues.size > 1 && column.filled * 2 >= this.#complete,
          )
        : undefined) ??
      this.#best(meaning, (column) => this.#fits(field, column)) ??
      this.#required(field);
    if (best === undefined) return;
    const columns = field === 'description' ? this.#withNumberedSiblings(best) : [best];
    this.#set(field, columns, 'certain', 'header');
  }

  /** Amounts in two currencies under one name, such as `Valor (US$)` and `Valor (R$)`: only a person knows which. */
  #isInOtherCurrency(): boolean {
    const first = this.#best('amount', (column) => this.#fits('amount', column));
    if (first === undefined) return false;
    const rank = this.#meanings[first]?.get('amount');
    const known = currencyInName(this.#table.headers[first] ?? '');
    return this.#table.headers.some((name, i) => {
      const column = this.#columns[i] as ColumnStats;
      const own = this.#meanings[i]?.get('amount');
      if (own === undefined || this.#claimed.has(i) || !this.#fits('amount', column)) return false;
      const other = currencyInName(name);
      return (
        known !== undefined &&
        other !== known &&
        (other !== undefined || /\p{Sc}/u.test(name) || (own === rank && !name.includes('(')))
      );
    });
  }

  takeContent(): void {
    if (!this.mapping.has('date') && !this.#closed.has('date')) {
      const column =
        this.#firstFree((stats) => isDateColumn(stats)) ??
        this.#bestRegardless(['posting_date', 'transaction_date', 'plain_date', 'value_date']);
      if (column !== undefined) this.#set('date', [column], 'likely', 'content');
    }
    const hasAmount = AMOUNT_GROUP.some((field) => field !== 'fee' && field !== 'direction' && this.mapping.has(field));
    if (!hasAmount && !this.#closed.has('amount')) {
      const column = this.#isInOtherCurrency()
        ? undefined
        : (this.#amountByContent() ?? this.#bestRegardless(['amount']));
      if (column !== undefined) this.#set('amount', [column], 'likely', 'content');
      else this.#pairRegardless();
    }
    this.#otherHalf();
    this.#dropZeroHalf();
    this.#currencyByContent();
    if (!this.mapping.has('description') && !this.#closed.has('description')) {
      const merchant = this.#columns[this.mapping.get('merchant_name')?.columns[0] ?? -1];
      const least = merchant?.variety ?? 1;
      const notes = this.#notesThatDescribe(merchant !== undefined);
      const best = mostTelling(
        this.#columns,
        (column, index) =>
          (!this.#claimed.has(index) || index === notes) &&
          !namesPlace(this.#table.headers[index] ?? '') &&
          column.variety >= least &&
          column.currencies <= column.filled / 2 &&
          !(merchant && holdsCodes(column)),
      );
      if (best !== undefined && best === notes) this.mapping.delete('notes');
      if (best !== undefined) this.#set('description', [best], 'likely', 'content');
    }
  }

  /** The column of notes, where no other has the name of a text: what it says is all there is. */
  #notesThatDescribe(hasMerchant: boolean): number | undefined {
    const notes = this.mapping.get('notes');
    return hasMerchant || notes?.source !== 'header' ? undefined : notes.columns[0];
  }

  /** A number column without a known name; where two of them chain, the one is the amount and the other the balance. */
  #amountByContent(): number | undefined {
    const free = [...this.#columns.keys()].filter(
      (i) => !this.#claimed.has(i) && this.#nameless(i) && isNumberColumn(this.#columns[i] as ColumnStats),
    );
    const steady = free.filter((i) => (this.#columns[i] as ColumnStats).numbers >= this.#complete * 0.9);
    const named = this.mapping.get('balance')?.columns[0];
    if (named !== undefined) {
      const chained = chainingColumns(this.#table, this.#stats, [named, ...steady]);
      if (chained?.balance === named) return chained.amount;
    }
    const pair =
      named !== undefined || this.#closed.has('balance')
        ? undefined
        : (chainingColumns(this.#table, this.#stats, steady) ?? chainingColumns(this.#table, this.#stats, free));
    if (pair) {
      this.#set('balance', [pair.balance], 'likely', 'content');
      return pair.amount;
    }
    const hasDecimals = (i: number): boolean => {
      const { point, comma } = decimalVotes([this.#columns[i] as ColumnStats]);
      return point + comma > 0;
    };
    const hasNegatives = (i: number): boolean => (this.#columns[i] as ColumnStats).negatives > 0;
    const mayBeAmount = (i: number): boolean =>
      hasDecimals(i) || hasNegatives(i) || (this.#columns[i] as ColumnStats).stated > 0;
    const likely = (this.#table.headerLine === null ? free : steady).filter(mayBeAmount).length;
    const takesTurns = (i: number, j: number): boolean => {
      const both = (this.#columns[i] as ColumnStats).filled + (this.#columns[j] as ColumnStats).filled;
      return i < j && !steady.includes(i) && !steady.includes(j) && Math.abs(both - this.#complete) <= both * 0.1;
    };
    if (free.some((i) => free.some((j) => takesTurns(i, j)))) return undefined;
    if (likely > 1 || (likely === 0 && free.length > steady.length)) return undefined;
    const varies = (i: number): boolean => (this.#columns[i] as ColumnStats).sampleValues.size > 1;
    const pool = steady.length > 0 ? steady : free;
    return pool.find(hasDecimals) ?? pool.find(hasNegatives) ?? pool.find(varies) ?? pool[0];
  }

  /** Beside a lone column of money out or in: the one column of numbers that is filled exactly where that is empty. */
  #otherHalf(): void {
    const [known, missing] = this.mapping.has('debit')
      ? (['debit', 'credit'] as const)
      : (['credit', 'debit'] as const);
    const half = this.#columns[this.mapping.get(known)?.columns[0] ?? -1];
    if (!half || [missing, 'amount' as const].some((field) => this.mapping.has(field) || this.#closed.has(field)))
      return;
    const found = [...this.#columns.keys()].filter((i) => {
      const column = this.#columns[i] as ColumnStats;
      const isRest = column.filled > 0 && column.filled + half.filled <= this.#complete;
      const isWhole = column.filled + half.filled >= this.#complete * 0.9;
      return !this.#claimed.has(i) && this.#nameless(i) && isRest && isWhole && isNumberColumn(column);
    });
    if (found.length === 1) this.#set(missing, found, 'likely', 'content');
  }

  /** A lone column of money out or in that says 0.00 where the money went the other way, into a column not known. */
  #dropZeroHalf(): void {
    const field = this.mapping.has('debit') ? 'debit' : 'credit';
    const other = field === 'debit' ? 'credit' : 'debit';
    const known = this.mapping.get(field);
    const half = this.#columns[known?.columns[0] ?? -1];
    if (!half || known?.source !== 'header' || this.mapping.has(other) || this.mapping.has('amount')) return;
    const hasRival = this.#columns.some(
      (column, i) =>
        !this.#claimed.has(i) && this.#nameless(i) && isNumberColumnByName(column) && column.sampleValues.size > 1,
    );
    if ((half.zeros + half.dashes > 0 || half.filled >= this.#complete) && hasRival) this.mapping.delete(field);
  }

  /** Columns without any name that all hold one and the same currency code. */
  #currencyByContent(): void {
    if (this.mapping.has('currency') || this.#closed.has('currency')) return;
    const found = [...this.#columns.keys()].filter((i) => {
      const column = this.#columns[i] as ColumnStats;
      const hasNoName = this.#table.headerLine === null || (this.#table.headers[i] ?? '').trim() === '';
      const isFilled = column.filled > 0 && column.filled >= this.#complete * 0.9;
      return hasNoName && !this.#claimed.has(i) && isFilled && column.currencies >= column.filled * 0.9;
    });
    const values = new Set(found.flatMap((i) => [...(this.#columns[i] as ColumnStats).sampleValues]));
    if (values.size === 1) this.#set('currency', found.slice(0, 1), 'likely', 'content');
  }

  #nameless(index: number): boolean {
    const meanings = this.#meanings[index];
    return !meanings || meanings.size === 0 || (meanings.size === 1 && meanings.has('direction'));
  }

  /** Rows without a date are left out: beside a value date with gaps, one of no known name that has none is the date. */
  #withoutGaps(date: number | undefined): number | undefined {
    if (date === undefined || (this.#columns[date] as ColumnStats).filled >= this.#complete) return date;
    return (
      this.#firstFree((column, i) => this.#nameless(i) && isDateColumn(column) && column.filled >= this.#complete) ??
      date
    );
  }

  #anyNamedDate(): number | undefined {
    const index = this.#columns.findIndex(
      (column, i) => !this.#claimed.has(i) && isDateColumn(column) && endsWithDateWord(this.#table.headers[i] ?? ''),
    );
    return index < 0 ? undefined : index;
  }

  #firstFree(test: (column: ColumnStats, index: number) => boolean): number | undefined {
    const index = this.#columns.findIndex((column, i) => !this.#claimed.has(i) && test(column, i));
    return index < 0 ? undefined : index;
  }

  /** Date and amount are needed: a column of that name is taken when at least half of it reads. */
  #required(field: Field): number | undefined {
    if (field !== 'amount' || this.mapping.has('debit') || this.mapping.has('credit')) return undefined;
    if (this.#best('debit', (column) => this.#fits('debit', column)) !== undefined) return undefined;
    return this.#best('amount', (column) => column.numbers * 2 >= column.filled);
  }

  #bestRegardless(meanings: readonly Meaning[]): number | undefined {
    for (const meaning of meanings) {
      const index = this.#best(meaning, (column) => column.filled > 0);
      if (index !== undefined) return index;
    }
    return undefined;
  }

  #pairRegardless(): void {
    for (const field of ['debit', 'credit'] as const) {
      const column = this.#bestRegardless([field]);
      if (column !== undefined && !this.#closed.has(field)) this.#set(field, [column], 'likely', 'header');
    }
  }

  #best(meaning: Meaning, fits: (column: ColumnStats) => boolean): number | undefined {
    let best: number | undefined;
    let bestRank = Infinity;
    this.#meanings.forEach((meanings, index) => {
      const rank = meanings.get(meaning);
      const column = this.#columns[index];
      if (rank === undefined || rank >= bestRank || column === undefined || this.#claimed.has(index) || !fits(column))
        return;
      best = index;
      bestRank = rank;
    });
    return best;
  }

  #fits(field: Field, column: ColumnStats): boolean {
    if (field === 'amount') return isNumberColumnByName(column);
    if (field === 'balance') return isNumberColumnByName(column) && (column.sampleValues.size > 1 || column.filled < 3);
    if (field === 'debit' || field === 'credit' || field === 'fee')
      return column.filled === column.dashes || isNumberColumnByName(column);
    if (field === 'currency') return column.currencies > 0 && column.currencies >= column.filled * 0.9;
    if (field === 'bank_id')
      return (
        column.filled >= this.#complete * 0.9 &&
        column.repeatedIds === 0 &&
        column.ids !== undefined &&
        (column.withDigit >= column.filled * 0.9 || [...column.sampleValues].some((id) => id.length > 64))
      );
    if (field === 'direction') return column.words !== null && column.filled > 0 && column.letters * 2 >= column.filled;
    if (field === 'description')
      return column.letters > 0 && [...column.sampleValues].some((cell) => /\p{L}/u.test(cell));
    return column.filled > 0;
  }

  #withNumberedSiblings(index: number): number[] {
    const base = numberedBase(this.#table.headers[index] ?? '');
    if (base === undefined) return [index];
    const siblings = this.#table.headers.flatMap((name, i) =>
      numberedBase(name) === base && !this.#claimed.has(i) ? [i] : [],
    );
    return siblings.length > 1 ? siblings : [index];
  }

  #claimedByCaller(index: number): boolean {
    for (const { columns, source } of this.mapping.values())
      if (source === 'given' && columns.includes(index)) return true;
    return false;
  }

  #set(field: Field, columns: readonly number[], confidence: Confidence, source: MappingSource): void {
    this.mapping.set(field, { columns, confidence, source });
    for (const column of columns) this.#claimed.add(column);
  }
}
