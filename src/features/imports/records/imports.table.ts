import type { ImportsTable } from '../../../db/schema.ts';
import type { ReadTx } from '../../../db/unit-of-work.ts';
import type { ImportReport } from '../plan/describe-plan.ts';
import type { ImportOptions, ImportRecord, ImportSummary } from '../import-records.contract.ts';
import { selectNewestCompleted, selectUnaddedRows, type ImportRowStored } from './imports.queries.ts';
import type { LearnedSettings } from '../write/learned-settings.ts';
import type { ReadFile } from '../doors/read-file.ts';
import type { Place } from '../target/remembered-places.ts';
import { toImportRow } from './row-record.ts';

const ROWS_SHOWN = 100;

type Summary = Pick<ImportReport, 'accounts' | 'counts' | 'totals' | 'profile' | 'balance_proof' | 'warnings'>;
type Detail = Pick<ImportReport, 'detection' | 'mapping' | 'unmatched_categories'> & {
  options: ImportOptions;
  /** Never shown: what the import learned, which its revert undoes. */
  learned: LearnedSettings;
  /** Never shown: where each account value of the file was put. */
  places: readonly Place[];
};

/** The parts of a record stored as JSON: `summary` for lists, `detail` for the single record only. */
export function storedTexts(
  report: ImportReport,
  options: ImportOptions,
  learned: LearnedSettings,
  places: readonly Place[] = [],
): Pick<ImportsTable, 'summary' | 'detail'> {
  const { accounts, counts, totals, profile, balance_proof, warnings } = report;
  const summary: Summary = { accounts, counts, totals, profile, balance_proof, warnings };
  const { detection, mapping, unmatched_categories } = report;
  const detail: Detail = { detection, mapping, unmatched_categories, options, learned, places };
  return { summary: JSON.stringify(summary), detail: JSON.stringify(detail) };
}

/** The options in effect. */
export function optionsOf({ fields, analysis }: ReadFile): ImportOptions {
  const { detection } = analysis;
  return {
    format: analysis.format,
    encoding: detection.encoding.value,
    delimiter: analysis.delimiter,
    has_header: detection.header.value !== null,
    has_debit_credit: analysis.has_debit_credit,
    pending: fields.pending ?? analysis.settings.pending ?? 'skip',
    sign: detection.sign.value,
    positive_is_debit: analysis.positive_is_debit,
    decimal_separator: detection.decimal_separator.value,
    fee_mode: detection.fee_mode.value,
    refuse_assumptions: fields.refuse_assumptions,
    skip_invalid: fields.skip_invalid,
    accept_unproved: fields.accept_unproved,
    import_tags: fields.import_tags,
    import_notes: fields.import_notes,
    run_rules: fields.run_rules,
    remember_profile: fields.remember_profile,
  };
}

export function progressOf(phase: ImportSummary['progress']['phase'], done: number, total: number): string {
  const percent = phase === 'done' ? 100 : total === 0 ? 0 : Math.min(99, Math.floor((100 * done) / total));
  return JSON.stringify({ phase, done, total, percent });
}

/** A record as lists show it. */
export function toImportSummary(row: ImportRowStored): ImportSummary {
  const summary = JSON.parse(row.summary) as Summary;
  return {
    id: row.id,
    short_id: row.short_id,
    status: row.status as ImportSummary['status'],
    format: row.format,
    file_name: row.file_name,
    file_bytes: row.file_bytes,
    file_sha256: row.file_sha256,
    accounts: summary.accounts,
    counts: summary.counts,
    totals: summary.totals,
    first_date: row.first_date,
    last_date: row.last_date,
    profile: summary.profile,
    balance_proof: summary.balance_proof,
    warnings: summary.warnings,
    user_id: row.user_short_id,
    connection_id: row.connection_id,
    account_id: row.account_id,
    progress: JSON.parse(row.progress) as ImportSummary['progress'],
    error: row.error === null ? null : (JSON.parse(row.error) as ImportSummary['error']),
    actor_type: row.actor_type as ImportSummary['actor_type'],
    actor_id: row.actor_id,
    actor_user_id: row.actor_user_id,
    actor_name: row.actor_name,
    change_set_id: row.change_set_id,
    revert_change_set_id: row.revert_change_set_id,
    created_at: row.created_at,
    started_at: row.started_at,
    finished_at: row.finished_at,
    reverted_at: row.reverted_at,
  };
}

/** The currency that an import read: a code, `per_row`, or null. */
export function currencyOf(row: Pick<ImportsTable, 'detail'>): string | null {
  return (JSON.parse(row.detail) as Detail).detection.currency.value;
}

/** Where an import put each account value of its file. */
export function placesOf(row: Pick<ImportsTable, 'detail'>): readonly Place[] {
  return (JSON.parse(row.detail) as Detail).places;
}

/** What an import learned. For a reverted import, the changes that undid it. */
export function learnedSettingsOf(row: Pick<ImportsTable, 'detail'>): LearnedSettings {
  return (JSON.parse(row.detail) as Detail).learned;
}

export function withLearnedSettings(
  row: Pick<ImportsTable, 'detail'>,
  learned: LearnedSettings,
): Pick<ImportsTable, 'detail'> {
  return { detail: JSON.stringify({ ...(JSON.parse(row.detail) as Detail), learned }) };
}

/** The whole record with the rows that added nothing. */
export async function toImport(tx: ReadTx, row: ImportRowStored): Promise<ImportRecord> {
  const { options, learned: _learned, places: _places, ...reading } = JSON.parse(row.detail) as Detail;
  const unadded = await selectUnaddedRows(tx, row.id, ROWS_SHOWN + 1);
  return {
    ...toImportSummary(row),
    ...reading,
    options,
    skipped_rows: unadded.slice(0, ROWS_SHOWN).map(toImportRow),
    skipped_rows_truncated: unadded.length > ROWS_SHOWN,
  };
}

/** Accounts whose newest completed import has balances that do not add up, and since when. */
export async function accountsWithBrokenBalances(tx: ReadTx): Promise<{ accountId: string; since: string | null }[]> {
  const broken: { accountId: string; since: string | null }[] = [];
  for (const { fed_account_id: accountId, ...row } of await selectNewestCompleted(tx)) {
    const { results } = toImportSummary(row).balance_proof;
    const isBroken = results.some(({ status, account_id }) => status === 'broken' && account_id === accountId);
    if (isBroken) broken.push({ accountId, since: row.finished_at });
  }
  return broken;
}
