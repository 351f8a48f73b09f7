import type { DateOrder } from '../cells/date-cells.ts';
import type { DecimalSeparator } from '../cells/numbers.ts';
import type { Table } from '../cells/table.ts';
import type { DirectionWords } from '../lexicon/lexicon.ts';

/** What a record is; anything but ROW is skipped. */
export const KIND = { row: 0, repeatedHeader: 1, opening: 2, notARow: 3, ignored: 4, stated: 5 } as const;

/** What becomes of a record, before the ledger is asked. */
export const OUTCOME = {
  row: 0,
  invalid: 1,
  repeatedHeader: 2,
  opening: 3,
  notARow: 4,
  pending: 5,
  ignored: 6,
  stated: 7,
} as const;
export const SKIP_REASONS = [
  '',
  '',
  'REPEATED_HEADER',
  'OPENING_BALANCE',
  'NOT_A_ROW',
  'PENDING',
  'STATUS_IGNORED',
  'STATED_BALANCE',
] as const;

/** Reasons that make a row invalid; the index is stored per row. */
export const PROBLEMS = [
  '',
  'AMOUNT_MISSING',
  'AMOUNT_INVALID',
  'AMOUNT_PRECISION',
  'AMOUNT_OUT_OF_RANGE',
  'FIELD_COUNT',
  'DATE_MISSING',
  'DATE_INVALID',
  'DATE_OUT_OF_RANGE',
  'DIRECTION_UNKNOWN',
  'CURRENCY_INVALID',
  'FIELD_COUNT',
  'AMOUNT_INVALID',
] as const;
export const PROBLEM = {
  none: 0,
  amountMissing: 1,
  amountInvalid: 2,
  precision: 3,
  range: 4,
  fieldCount: 5,
  dateMissing: 6,
  dateInvalid: 7,
  dateRange: 8,
  direction: 9,
  currency: 10,
  /** The record is below the column names of a further section. */
  otherSection: 11,
  /** The file ends amid the record. */
  cut: 12,
} as const;

/** Days between the two dates of a row, such as those of a purchase and its booking, at most. */
export const NEAR_DAYS = 10;

export const NO_CURRENCY = -1;
export const BAD_CURRENCY = -2;
/** The symbol of the amount contradicts every currency that the row could take. */
export const UNKNOWN_CURRENCY = -3;

/** Which columns to read, and how, in one pass over the file. */
export interface ColumnPlan {
  readonly table: Table;
  readonly capacity: number;
  readonly date: number;
  readonly authorizedDate: number;
  /** Readers of the date column, one per order that is still possible. */
  readonly readers: readonly { readonly order: DateOrder; read(cell: string): number }[];
  readonly readAuthorized: ((cell: string) => number) | null;
  readonly decimals: readonly DecimalSeparator[];
  readonly amount: number;
  readonly debit: number;
  readonly credit: number;
  readonly fee: number;
  /** A tax beside the fee, which counts as the fee does; -1 without one. */
  readonly tax: number;
  readonly balance: number;
  readonly direction: number;
  readonly directionWords: DirectionWords | null;
  /** True when every number states its direction by a suffix such as DR. */
  readonly isStated: boolean;
  readonly unmarked: 0 | 1 | 2;
  readonly currency: number;
  readonly currencyInHeader: string | null;
  /** What the symbol in the name of the amount column can mean. */
  readonly currenciesInHeader: ReadonlySet<string> | undefined;
  /** The currency of rows for which the file states none. */
  readonly fallbackCurrency: string | null;
  readonly status: number;
  /** A heading above the column names says that the rows are not booked yet. */
  readonly beginsPending: boolean;
  readonly isWiseStatus: boolean;
  /** COMPLETED is posted, PENDING pending, everything else ignored. */
  readonly isRevolutStatus: boolean;
  readonly ignoredWhenFilled: number;
  /** A column that says of each row whether it moved the balance or is a mere note; -1 without one. */
  readonly effect: number;
  readonly moneyInType: string | null;
  readonly account: readonly number[];
  readonly description: readonly number[];
  /** Names the row where the description is empty. */
  readonly merchant: number;
  /** Columns whose texts have a `'` before them that belongs to no text. */
  readonly escaped: ReadonlySet<number>;
  readonly type: number;
  readonly wantsWords: boolean;
  readonly isCreditAccount: boolean;
}

/** The numbers of the file under one decimal separator; NaN where a cell has none. */
export interface ParsedAmounts {
  readonly decimal: DecimalSeparator;
  readonly amount: Float64Array;
  readonly debit: Float64Array;
  readonly credit: Float64Array;
  readonly fee: Float64Array;
  readonly balance: Float64Array;
  readonly problem: Uint8Array;
}

export interface OpeningBalance {
  readonly account: number;
  readonly currency: number;
  readonly balances: readonly number[];
}

/** What the mapped columns say of every record below the header, in file order, kept in typed arrays only. */
export interface ParsedColumns {
  readonly count: number;
  readonly lines: Int32Array;
  readonly kinds: Uint8Array;
  readonly statuses: Uint8Array;
  /** Problems that do not depend on the interpretation; those of amounts are in `amounts`. */
  readonly problems: Uint8Array;
  /** Days per order, as in the plan's readers. */
  readonly days: readonly Int32Array[];
  readonly authorizedDays: Int32Array | null;
  /** Rows with both dates, where the order of the other date is open too: how many, and for each order how many near. */
  readonly otherDates: { readonly count: number; readonly near: readonly number[] };
  readonly amounts: readonly ParsedAmounts[];
  readonly directions: Uint8Array;
  /** IN where the bank's type word overrules the sign; empty when no profile says so. */
  readonly overrides: Uint8Array;
  readonly currencyIds: Int16Array;
  readonly accountIds: Uint16Array;
  readonly currencies: readonly string[];
  /** Of each row the place of its symbol in `symbols`, where one of several currencies is all that states it; else 0. */
  readonly symbolIds: Uint8Array;
  readonly symbols: readonly (ReadonlySet<string> | null)[];
  readonly accounts: readonly string[];
  readonly typeWords: Uint8Array;
  readonly textWords: Uint8Array;
  readonly openings: readonly OpeningBalance[];
  readonly unknownStatusLines: readonly number[];
  readonly unbalancedLines: readonly number[];
  /** Lines with the column names of further sections, whose columns are not those of the file. */
  readonly sectionLines: readonly number[];
  /** True when at least half of the rows are followed by a record that only goes on with their description. */
  readonly hasContinuations: boolean;
}

/** The currency of a row, by its number in the parsed columns; null for an unknown one. */
export function currencyAt(
  { currencies }: Pick<ParsedColumns, 'currencies'>,
  id: number,
  fallback: string | null,
): string | null {
  return id === UNKNOWN_CURRENCY ? null : (currencies[id] ?? fallback);
}
