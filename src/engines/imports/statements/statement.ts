import { validationError } from '../../../kernel/errors.ts';
import type { Detection, ReadOptions, ReadWarning, StatementFormat } from '../analysis.ts';
import { FORMAT_NAMES } from '../bytes/format.ts';
import type { Series } from '../packed.ts';

/** What OFX, QIF, CAMT.053 and MT940 files say, before it is proved and summed up by `analyse-statements.ts`. */
export interface StatementFile {
  readonly format: 'ofx' | 'qfx' | 'qif' | 'camt053' | 'mt940';
  readonly encoding: Detection;
  /** Only QIF leaves it open; the other formats fix it. */
  readonly date_format: Detection;
  /** Absent where the format fixes it, or each amount shows it by its shape. */
  readonly decimal_separator?: Detection | undefined;
  /** Namespace of the entries' `bank_id` (36.7.1); null for formats without ids. */
  readonly bank_id_namespace: string | null;
  readonly statements: readonly Statement[];
  readonly warnings: readonly ReadWarning[];
}

/** One account's statement. Balances are in the file's own sense, in hundredths. */
export interface Statement {
  /** What names the account: IBAN without spaces, or bank code + `/` + account; null where the file does not say. */
  readonly account_identifier: string | null;
  /** The account as the file prints it. */
  readonly account_label: string | null;
  readonly account_name: string | null;
  readonly institution_name: string | null;
  readonly institution_id: string | null;
  /** Last four characters of the account number. */
  readonly mask: string | null;
  readonly account_type: string | null;
  readonly account_subtype: string | null;
  readonly iso_currency_code: string | null;
  readonly opening: StatementBalance | null;
  readonly closing: StatementBalance | null;
  readonly available: StatementBalance | null;
  readonly entries: Series<StatementEntry>;
}

export interface StatementBalance {
  readonly date: string | null;
  readonly cents: number;
}

/** One booked entry, or one that cannot become a row, with the reason. */
export interface StatementEntry {
  /** Physical line (QIF, MT940) or 1-based ordinal of the entry in the file (OFX, CAMT). */
  readonly line: number;
  readonly part: number;
  readonly outcome: 'row' | 'skipped' | 'invalid';
  /** Reason code of 36.7.4 or 36.15.2 for an entry that is not a row; null for a row. */
  readonly reason: string | null;
  /** What is wrong with an invalid entry, for people. */
  readonly message: string | null;
  readonly status: 'posted' | 'pending' | 'ignored';
  readonly date: string | null;
  readonly authorized_date: string | null;
  /** UTC instant; only where the file states a zone. */
  readonly datetime: string | null;
  /** Positive = money out. */
  readonly amount_cents: number | null;
  readonly iso_currency_code: string | null;
  readonly description: string;
  readonly merchant_name: string | null;
  readonly category: string | null;
  readonly type: string | null;
  readonly bank_id: string | null;
  readonly check_number: string | null;
  readonly counterparty_account: string | null;
  /** OFX CORRECTFITID: the id of the entry that this one replaces or deletes. */
  readonly correction: { readonly action: 'replace' | 'delete'; readonly bank_id: string } | null;
  /** The entry's other fields by their names in the file, kept with the raw row; at most a few kilobytes. */
  readonly fields: Readonly<Record<string, string>>;
}

const TABLE_ONLY = [
  'delimiter',
  'has_header',
  'header_line',
  'column_mapping',
  'has_debit_credit',
  'direction_values',
  'fee_mode',
] as const;
const STATED = ['date_format', 'decimal_separator', 'sign', 'positive_is_debit'] as const;

/** Options that a format leaves open, so a caller may send them. */
const OPEN: Readonly<Record<StatementFormat, readonly string[]>> = {
  camt053: [],
  mt940: [],
  ofx: ['sign', 'positive_is_debit'],
  qfx: ['sign', 'positive_is_debit'],
  qif: ['date_format', 'decimal_separator', 'sign', 'positive_is_debit'],
};

/** @throws VALIDATION_ERROR for an option that only makes sense for delimited text (36.14). */
export function refuseTableOptions(format: StatementFormat, options: ReadOptions): void {
  for (const name of [...TABLE_ONLY, ...STATED]) {
    const value = options[name];
    if (value === undefined || OPEN[format].includes(name)) continue;
    if (name === 'column_mapping' && Object.keys(value).length === 0) continue;
    throw validationError(name, `Leave ${name} out: it is fixed by the format ${FORMAT_NAMES[format]}.`);
  }
}
