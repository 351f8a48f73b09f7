import type { ErrorCode } from '../../kernel/errors.ts';
import type { Stretches } from './bytes/encoding.ts';
import type { BlockStore } from './packed.ts';
import type { StatementBalance, StatementEntry } from './statements/statement.ts';

/** What a caller may say about how to read a file (36.3.2). */
export interface ReadOptions {
  readonly encoding?: string | undefined;
  readonly delimiter?: string | undefined;
  readonly has_header?: boolean | undefined;
  readonly header_line?: number | undefined;
  readonly column_mapping?: Readonly<Record<string, ColumnChoice>> | undefined;
  readonly date_format?: string | undefined;
  readonly decimal_separator?: '.' | ',' | undefined;
  readonly sign?: SignConvention | undefined;
  readonly positive_is_debit?: boolean | undefined;
  readonly has_debit_credit?: boolean | undefined;
  readonly direction_values?: { readonly out: readonly string[]; readonly in: readonly string[] } | undefined;
  readonly fee_mode?: FeeMode | undefined;
  readonly pending?: 'skip' | 'import' | undefined;
  readonly refuse_assumptions?: boolean | undefined;
  readonly skip_invalid?: boolean | undefined;
  readonly accept_unproved?: boolean | undefined;
  readonly iso_currency_code?: string | undefined;
  readonly account_type?: string | undefined;
  /** Id or slug of a stored or built-in profile, or `none`. */
  readonly profile?: string | undefined;
}

export type ColumnChoice = number | string | null | readonly (number | string)[];
export type SignConvention = 'positive_is_in' | 'positive_is_out';
export type FeeMode = 'separate' | 'included';

/** The settings part of an import profile (36.12); every member is optional. */
export interface ProfileSettings {
  readonly encoding?: string;
  readonly delimiter?: string;
  readonly has_header?: boolean;
  readonly column_mapping?: Readonly<Record<string, ColumnChoice>>;
  readonly date_format?: string;
  readonly decimal_separator?: '.' | ',';
  readonly sign?: SignConvention;
  readonly has_debit_credit?: boolean;
  readonly direction_values?: { readonly out: readonly string[]; readonly in: readonly string[] };
  readonly fee_mode?: FeeMode;
  readonly pending?: 'skip' | 'import';
  readonly account_type?: string;
  readonly account_subtype?: string;
  readonly iso_currency_code?: string;
}

/** A remembered profile; the caller lists those it may choose from, best first (target account, then last used). */
export interface StoredProfile {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly institution_name: string | null;
  readonly header_signature: string;
  readonly account_id: string | null;
  /** Names as last seen; for files without a header, those of a record that looks like one. */
  readonly headers?: readonly string[];
  readonly settings: ProfileSettings;
  /** A person saved it for every account; no import learned it. */
  readonly isGeneral?: boolean;
  /** How files with this header are read for other accounts: named where the content leaves a reading open (36.12). */
  readonly otherReadings?: readonly ProfileSettings[];
}

/** What the ledger knows about the target account. */
export interface AccountKnowledge {
  readonly account_id: string;
  readonly type: string | null;
  readonly iso_currency_code: string | null;
  /** Live rows of the account dated within the range; used as evidence for sign and date order. */
  ledgerRows(firstDate: string, lastDate: string): readonly LedgerRow[];
}

export interface LedgerRow {
  readonly date: string;
  readonly amount_cents: number;
  readonly name: string;
}

export interface ReadContext {
  readonly today: string;
  readonly profiles: readonly StoredProfile[];
  readonly account: AccountKnowledge | null;
  readonly file_name: string | null;
  /** Currency of the household, for files that name none (36.5.9). */
  readonly default_currency?: string | null;
  /** Where entries are kept that would fill the memory; the memory itself without one. */
  readonly store?: BlockStore;
  /** Lets go of the bytes of the file, once its encoding is known, and gives what reads it from where it is kept. */
  readonly letGo?: () => Stretches;
}

export type Confidence = 'given' | 'proved' | 'certain' | 'profile' | 'likely' | 'assumed' | 'ambiguous' | 'none';

export interface DetectionCandidate {
  readonly value: string;
  readonly line: number;
  readonly raw: string;
  readonly read_as: string;
}

/** One decision with its confidence and evidence codes (36.9.2). */
export interface Detection<T = string | null> {
  readonly value: T;
  readonly confidence: Confidence;
  readonly evidence: readonly string[];
  readonly candidates: readonly DetectionCandidate[];
}

export interface Detections {
  readonly encoding: Detection;
  readonly delimiter: Detection;
  readonly header: Detection<number | null>;
  readonly date_format: Detection;
  readonly decimal_separator: Detection;
  readonly sign: Detection;
  readonly currency: Detection;
  readonly fee_mode: Detection;
  readonly pending: Detection<{ pending: number; ignored: number }>;
}

export interface ColumnRef {
  readonly index: number;
  readonly name: string;
}

export type MappingSource = 'given' | 'stored_profile' | 'built_in_profile' | 'header' | 'content';

export interface MappedField {
  readonly columns: readonly ColumnRef[];
  readonly confidence: Confidence;
  readonly source: MappingSource;
}

/** What an import would be refused for, in the order of 36.15. */
export interface Blocker {
  readonly code: ErrorCode;
  readonly message: string;
  readonly parameter: string | null;
  readonly candidates: readonly DetectionCandidate[];
  /** For INVALID_ROWS: the first 100 problems as error details. */
  readonly details: readonly { readonly path: string; readonly message: string }[];
}

export interface ReadWarning {
  readonly code: string;
  readonly message: string;
  readonly lines: readonly number[];
}

type RowOutcome = 'row' | 'skipped' | 'invalid';

/** One record of the file as read; `row` records carry a transaction, the others a reason. */
export interface AnalysedRow {
  readonly line: number;
  readonly part: number;
  readonly outcome: RowOutcome;
  /** Reason code of a skipped or invalid record; null for a row. */
  readonly reason: string | null;
  /** Plain words for an invalid record. */
  readonly message: string | null;
  /** First 500 characters of a skipped or invalid record. */
  readonly raw: string | null;
  readonly date: string | null;
  readonly authorized_date: string | null;
  /** UTC instant; only where the file states a zone. */
  readonly datetime: string | null;
  /** Time of day as written, for ordering the rows of a day; null when the file has none. */
  readonly time: string | null;
  /** Positive = money out. */
  readonly amount_cents: number | null;
  readonly iso_currency_code: string | null;
  /** What a symbol of several currencies beside the amount can mean, where nothing nearer says the currency. */
  readonly symbol_currencies: ReadonlySet<string> | null;
  /** Uncut; white space collapsed. */
  readonly description: string;
  readonly merchant_name: string | null;
  readonly category: string | null;
  readonly type: string | null;
  readonly pending: boolean;
  /** In the file's own sense. */
  readonly balance_cents: number | null;
  /** Value of the bank id column; placeholders and empty cells are null. */
  readonly bank_id: string | null;
  /** Value of the account column; null for files of one account. */
  readonly account_value: string | null;
  readonly check_number: string | null;
  readonly counterparty_account: string | null;
  readonly tags: string | null;
  readonly notes: string | null;
  /** The cells of the record, aligned to `headers`. */
  readonly cells: readonly string[];
  /** The raw record of formats without columns, by its names in the file; null for delimited files. */
  readonly fields: Readonly<Record<string, string>> | null;
  /** OFX only: the earlier entry that this one replaces or deletes. */
  readonly correction: StatementEntry['correction'];
}

export interface AccountInFile {
  readonly file_value: string | null;
  readonly iso_currency_code: string | null;
  readonly row_count: number;
  readonly first_date: string | null;
  readonly last_date: string | null;
  /** What a statement says about its account; null for delimited files. */
  readonly stated: StatedAccount | null;
}

/** The facts by which a statement names its account (36.14). */
export interface StatedAccount {
  /** IBAN, or bank code + `/` + account, without spaces: what the account is bound by. Never shown whole. */
  readonly identifier: string | null;
  readonly name: string | null;
  readonly institution_name: string | null;
  readonly institution_id: string | null;
  /** Last four characters of the account number. */
  readonly mask: string | null;
  readonly type: string | null;
  readonly subtype: string | null;
  /** The closing balance of the newest statement, with the sign of the file. */
  readonly closing: StatementBalance | null;
  readonly available: StatementBalance | null;
}

export type BreakCause = 'wrong_balance' | 'flipped_sign' | 'wrong_decimal' | 'doubled_row' | 'missing_row';

export interface BalanceBreak {
  /** null where the balances of a whole statement do not fit (36.6.3). */
  readonly line: number | null;
  readonly date: string;
  readonly expected_cents: number;
  readonly found_cents: number;
  readonly difference_cents: number;
  readonly likely_cause: BreakCause;
  readonly suspect_lines: readonly number[];
}

/** Proof of one account and currency (36.9.5), in the file's own sense; the import checks continuity. */
export interface BalanceResult {
  readonly file_value: string | null;
  readonly iso_currency_code: string | null;
  /** One chain of balances leads over the rows of all currencies (36.6.1); the one above is that of most rows. */
  readonly joins_currencies?: boolean;
  readonly status: 'proved' | 'broken' | 'not_available';
  /** A file that only closes leaves `none` here; the import may prove it by `anchors` from its ledger. */
  readonly method: 'running_balance' | 'statement_balances' | 'anchors' | 'none';
  readonly balance_is: 'after' | 'before' | null;
  readonly kind: 'asset' | 'debt';
  /** True if only the sign of the balances shows the kind. */
  readonly is_kind_assumed?: boolean;
  readonly first_date: string | null;
  readonly last_date: string | null;
  readonly opening_cents: number | null;
  readonly closing_cents: number | null;
  readonly rows_checked: number;
  readonly rows_total: number;
  readonly days_checked: number;
  readonly days_proved: number;
  readonly break_count: number;
  readonly first_break: BalanceBreak | null;
  /** Closing balance of each day that states one, oldest first: the balance snapshots to write. */
  readonly closings: readonly ClosingBalance[];
  /** The file closes on a later day than its last row, so rows may be missing in between. */
  readonly closesLater?: boolean;
}

export interface ClosingBalance {
  readonly date: string;
  readonly balance_cents: number;
  /** Only statements state one (OFX AVAILBAL, CAMT CLAV, MT940 `:64:`). */
  readonly available_cents?: number | null;
}

export interface BalanceProof {
  readonly status: 'proved' | 'broken' | 'not_available';
  readonly proves_with: readonly { readonly parameter: string; readonly value: string }[];
  readonly results: readonly BalanceResult[];
}

interface MatchedProfile {
  readonly source: 'stored' | 'built_in';
  readonly id: string | null;
  readonly slug: string;
  readonly name: string;
  readonly institution_name: string | null;
  readonly strength: 'strong' | 'weak';
  readonly account_type: string | null;
  readonly account_subtype: string | null;
  readonly account_id: string | null;
  /** The name for a new account: that of a strong built-in profile. */
  readonly account_name: string | null;
  /** The type of the accounts whose files a strong built-in profile knows, and the one currency of its bank. */
  readonly known_type: string | null;
  readonly known_currency: string | null;
}

export type BankFileFormat = 'csv' | StatementFormat;
export type StatementFormat = 'ofx' | 'qfx' | 'qif' | 'camt053' | 'mt940';

/** Everything a bank file says, decided over the whole file; nothing is written. */
export interface FileAnalysis {
  readonly format: BankFileFormat;
  /** `[]` for formats without columns. */
  readonly headers: readonly string[];
  /** null for formats without columns. */
  readonly header_signature: string | null;
  /** The record that looks like a header although somebody said that the file has none. */
  readonly overruled_header: readonly string[] | null;
  /** Format, header signature and amount columns: rows of two sources are compared more loosely (36.7). */
  readonly source: string;
  /** Namespace of `bank_id` (36.7.1); null when the file has no ids. */
  readonly bank_id_namespace: string | null;
  /** `,` `;` `tab` `|`; null for formats without columns. */
  readonly delimiter: string | null;
  readonly total_rows: number;
  readonly row_count: number;
  readonly skipped_count: number;
  readonly invalid_count: number;
  readonly pending_count: number;
  readonly date_format: string | null;
  readonly positive_is_debit: boolean | null;
  readonly has_debit_credit: boolean;
  readonly detection: Detections;
  readonly mapping: Readonly<Record<string, MappedField>>;
  readonly inferred_mapping: Readonly<Record<string, number | readonly number[]>>;
  readonly unmapped_columns: readonly ColumnRef[];
  readonly profile: MatchedProfile | null;
  readonly accounts: readonly AccountInFile[];
  readonly iso_currency_code: string | null;
  readonly first_date: string | null;
  readonly last_date: string | null;
  readonly balance_proof: BalanceProof;
  /** The first 100 invalid records. */
  readonly problems: readonly AnalysedRow[];
  readonly warnings: readonly ReadWarning[];
  readonly blockers: readonly Blocker[];
  /** The settings in force, as a profile remembers them. */
  readonly settings: ProfileSettings;
  /** Raw cells of the first data records, aligned to the headers. */
  previewRows(limit: number): string[][];
  /** Every record in file order; of a delimited file each call reads the bytes again. */
  rows(): Iterable<AnalysedRow>;
}
