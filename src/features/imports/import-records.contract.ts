import { z } from 'zod';

import {
  ActorType,
  Code,
  CurrencyCode,
  DateOnly,
  Failure,
  Id,
  Instant,
  Money,
  oneOf,
  ShortId,
  Slug,
  Total,
  UserRef,
} from '../../contract/common.ts';
import { describedAs } from '../../contract/described-as.ts';
import { Outcome } from './import-fields.contract.ts';

/** The records of contract 36.9. */

const Candidate = z
  .object({ value: z.string(), line: z.int(), raw: z.string(), read_as: z.string() })
  .meta({ id: 'ImportCandidate' });
const Confidence = z
  .enum(['given', 'proved', 'certain', 'profile', 'likely', 'assumed', 'ambiguous', 'none'])
  .meta({ id: 'Confidence' });

function detection<T extends z.ZodType>(value: T) {
  return z.object({
    value,
    confidence: Confidence,
    evidence: z.array(Code).meta({ description: 'Codes of the tests that led to the value' }),
    candidates: z.array(Candidate).meta({ description: 'The possible values; only if the value is ambiguous' }),
  });
}

const Detected = detection(z.string().nullable()).meta({ id: 'ImportDetection' });

const Detections = z
  .object({
    encoding: Detected,
    delimiter: Detected,
    header: detection(z.int().nullable()),
    date_format: Detected,
    decimal_separator: Detected,
    sign: Detected,
    currency: Detected,
    fee_mode: Detected,
    pending: detection(z.object({ pending: z.int(), ignored: z.int() })),
    account: Detected,
  })
  .meta({ id: 'ImportDetections' });

const ColumnRef = z.object({ index: z.int(), name: z.string() }).meta({ id: 'ImportColumn' });
const Mapping = z
  .record(
    z.string(),
    z.object({
      columns: z.array(ColumnRef),
      confidence: Confidence,
      source: z.enum(['given', 'stored_profile', 'built_in_profile', 'header', 'content']),
    }),
  )
  .meta({ id: 'ImportMapping' });
const UsedProfile = z
  .object({
    source: z.enum(['stored', 'built_in']),
    slug: Slug,
    name: z.string(),
    strength: z.enum(['strong', 'weak']),
  })
  .meta({ id: 'UsedProfile' });

export const ImportAccount = z
  .object({
    file_value: z
      .string()
      .nullable()
      .meta({ description: 'Account value in the file; null if the file has one account' }),
    account_id: Id.nullable().meta({ description: 'null in a preview if it would be created' }),
    account_name: z.string(),
    connection_id: Id.nullable(),
    created: z.boolean(),
    suggested: z
      .boolean()
      .meta({ description: 'Found from earlier files or the bank, not sent or stated in the file' }),
    iso_currency_code: CurrencyCode.nullable(),
    row_count: z.int(),
    added_count: z.int(),
    first_date: DateOnly.nullable(),
    last_date: DateOnly.nullable(),
    bank_ids: z
      .enum(['used', 'ignored'])
      .nullable()
      .meta({ description: 'ignored: the reference numbers change or collide from file to file; null without any' }),
  })
  .meta({ id: 'ImportAccount' });

export const ImportCounts = z
  .object({
    total: z.int().meta({ description: 'Sum of added, updated, duplicate, deleted, skipped and invalid' }),
    added: z.int(),
    updated: z.int(),
    duplicate: z.int(),
    deleted: z.int(),
    skipped: z.int(),
    invalid: z.int(),
    removed: z.int().meta({ description: 'Pending transactions removed because the bank no longer lists them' }),
    pending: z.int().meta({ description: 'How many of the added or skipped rows were pending' }),
  })
  .meta({ id: 'ImportCounts' });

const Break = z
  .object({
    line: z.int().nullable(),
    date: DateOnly,
    expected: Money,
    found: Money,
    difference: Money,
    likely_cause: z.enum(['wrong_balance', 'flipped_sign', 'wrong_decimal', 'doubled_row', 'missing_row']),
    suspect_lines: z.array(z.int()),
  })
  .meta({ id: 'BalanceBreak' });
const ProofStatus = z.enum(['proved', 'broken', 'not_available']).meta({ id: 'ProofStatus' });

export const BalanceProof = z
  .object({
    status: ProofStatus,
    proves_with: z
      .array(z.object({ parameter: Code, value: z.string() }))
      .meta({ description: 'Fields to send so that the balances add up' }),
    results: z.array(
      z.object({
        account_id: Id.nullable(),
        iso_currency_code: CurrencyCode.nullable(),
        status: ProofStatus,
        method: z.enum(['running_balance', 'statement_balances', 'anchors', 'none']),
        balance_is: z.enum(['after', 'before']).nullable(),
        kind: z.enum(['asset', 'debt']),
        first_date: DateOnly.nullable(),
        last_date: DateOnly.nullable(),
        opening_balance: Money.nullable(),
        closing_balance: Money.nullable(),
        rows_checked: z.int(),
        rows_total: z.int(),
        days_checked: z.int(),
        days_proved: z.int(),
        break_count: z.int(),
        first_break: Break.nullable(),
        continuity: z.object({
          status: z.enum(['linked', 'overlap', 'gap', 'first', 'not_available']),
          previous_import_id: Id.nullable(),
          previous_date: DateOnly.nullable(),
          previous_balance: Money.nullable(),
          difference: Money.nullable(),
        }),
        ledger_difference: Money.nullable(),
      }),
    ),
  })
  .meta({ id: 'BalanceProof' });

export const ImportWarning = z
  .object({ code: Code, message: z.string(), lines: z.array(z.int()) })
  .meta({ id: 'ImportWarning' });

export const ImportRow = z
  .object({
    line: z.int().meta({ description: 'Line of the file, or number of the entry' }),
    part: z.int().meta({ description: 'Counts the rows of one record' }),
    outcome: Outcome,
    reason: z.string().nullable(),
    match: z.enum(['certain', 'probable']).nullable(),
    transaction_id: Id.nullable().meta({ description: 'The transaction that was added, changed or matched' }),
    account_id: Id.nullable(),
    date: DateOnly.nullable(),
    authorized_date: DateOnly.nullable(),
    amount: Money.nullable(),
    iso_currency_code: CurrencyCode.nullable(),
    description: z.string(),
    merchant_name: z.string().nullable(),
    balance: Money.nullable(),
    pending: z.boolean(),
    message: z.string().nullable().meta({ description: 'What is wrong with an invalid row, for people' }),
    raw: z.string().nullable().meta({ description: 'Beginning of an invalid or skipped record' }),
    beside_transaction_id: Id.nullable().meta({ description: 'A transaction that an added row may be the same as' }),
  })
  .meta({ id: 'ImportRow' });

const UnmatchedCategory = z
  .object({ text: z.string(), count: z.int() })
  .meta({ description: 'A category in the file that Homeledger does not know' });
const common = {
  format: Code,
  file_name: z.string().nullable(),
  file_bytes: z.int(),
  file_sha256: Code,
  accounts: z.array(ImportAccount),
  counts: ImportCounts,
  totals: z.array(Total),
  first_date: DateOnly.nullable(),
  last_date: DateOnly.nullable(),
  profile: UsedProfile.nullable(),
  balance_proof: BalanceProof,
  warnings: z.array(ImportWarning),
};
const readings = {
  detection: Detections,
  mapping: Mapping,
  unmatched_categories: z.array(UnmatchedCategory),
};

export const ImportPreview = z
  .object({
    headers: z.array(z.string()).meta({ description: 'Column names; empty for formats without columns' }),
    preview_rows: z.array(z.array(z.string())).meta({ description: 'The first records as they are in the file' }),
    total_rows: z.int().meta({ description: 'Records after the header, without blank ones' }),
    delimiter: z.string().nullable(),
    inferred_mapping: describedAs(
      z.record(z.string(), z.union([z.int(), z.array(z.int())])),
      z.record(z.string(), z.unknown()),
    ).meta({ description: 'Field → index of its column, or a list of them' }),
    template_name: z.string().nullable().meta({ description: 'Name of the profile that matched' }),
    positive_is_debit: z.boolean().nullable(),
    date_format: z.string().nullable(),
    has_debit_credit: z.boolean(),
    dry_run: z.literal(true),
    ready: z.boolean().meta({ description: 'Whether an import with the same fields would be accepted' }),
    blockers: z.array(
      z.object({
        code: Code,
        message: z.string(),
        parameter: Code.nullable(),
        candidates: z.array(Candidate),
      }),
    ),
    ...common,
    ...readings,
    unmapped_columns: z.array(ColumnRef),
    rows: z.array(ImportRow),
    problems: z.array(ImportRow).meta({ description: 'The first 100 invalid rows' }),
  })
  .meta({ id: 'ImportPreview' });

const IMPORT_STATUSES = ['queued', 'running', 'completed', 'failed', 'reverted', 'partly_reverted'] as const;
export const ImportStatus = oneOf(IMPORT_STATUSES).meta({ id: 'ImportStatus' });

export const ImportSummary = z
  .object({
    id: Id,
    short_id: ShortId,
    status: ImportStatus,
    ...common,
    user_id: UserRef.nullable(),
    connection_id: Id.nullable(),
    account_id: Id.nullable(),
    progress: z.object({
      phase: z.enum(['waiting', 'matching', 'writing', 'rules', 'done']),
      done: z.int(),
      total: z.int(),
      percent: z.int(),
    }),
    error: Failure.nullable(),
    actor_type: ActorType,
    actor_id: Code.nullable(),
    actor_user_id: UserRef.nullable(),
    actor_name: z.string(),
    change_set_id: Id.nullable(),
    revert_change_set_id: Id.nullable(),
    created_at: Instant,
    started_at: Instant.nullable(),
    finished_at: Instant.nullable(),
    reverted_at: Instant.nullable(),
  })
  .meta({ id: 'ImportSummary' });

export const ImportOptions = z
  .object({
    format: Code,
    encoding: Code.nullable(),
    delimiter: z.string().nullable(),
    has_header: z.boolean(),
    has_debit_credit: z.boolean(),
    pending: z.enum(['skip', 'import']),
    sign: Code.nullable(),
    positive_is_debit: z.boolean().nullable(),
    decimal_separator: z.string().nullable(),
    fee_mode: Code.nullable(),
    refuse_assumptions: z.boolean(),
    skip_invalid: z.boolean(),
    accept_unproved: z.boolean(),
    import_tags: z.boolean(),
    import_notes: z.boolean(),
    run_rules: z.boolean(),
    remember_profile: z.boolean(),
  })
  .meta({ id: 'ImportOptions' });

export const Import = ImportSummary.extend({
  ...readings,
  options: ImportOptions,
  skipped_rows: z.array(ImportRow).meta({ description: 'The first 100 rows that were not added' }),
  skipped_rows_truncated: z.boolean(),
}).meta({ id: 'Import' });

export const CsvResult = z
  .object({
    connection_id: Id.nullable(),
    account_id: Id.nullable(),
    institution_name: z.string().nullable(),
    status: z.string().nullable(),
    imported_transactions: z.int(),
    updated_transactions: z.int(),
    skipped_duplicates: z.int(),
    total_rows: z.int(),
    import: Import,
  })
  .meta({ id: 'CsvResult' });

export type ImportAccount = z.output<typeof ImportAccount>;
export type ImportCounts = z.output<typeof ImportCounts>;
export type ImportPreview = z.output<typeof ImportPreview>;
export type ImportRecord = z.output<typeof Import>;
export type ImportSummary = z.output<typeof ImportSummary>;
export type ImportRowRecord = z.output<typeof ImportRow>;
export type ImportWarning = z.output<typeof ImportWarning>;
export type BalanceProofRecord = z.output<typeof BalanceProof>;
export type CsvResult = z.output<typeof CsvResult>;
export type ImportOptions = z.output<typeof ImportOptions>;
