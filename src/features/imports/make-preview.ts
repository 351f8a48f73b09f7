import type { ReadTx } from '../../db/unit-of-work.ts';
import type { AppError } from '../../kernel/errors.ts';
import type { Instance, Principal } from '../handler.ts';
import { alreadyImported } from './already-imported.ts';
import { copyOf } from './copy-of.ts';
import { findGivenTarget } from './given-target.ts';
import type { ImportPreview, ImportRecord, ImportWarning } from './import-records.contract.ts';
import { planImport, type Plan } from './plan-import.ts';
import {
  accountsOf,
  countsOf,
  totalsOf,
  unmatchedCategoriesOf,
  warning,
  warningsOf,
  type CreatedIds,
} from './plan-summary.ts';
import { proofOf } from './proof-record.ts';
import type { ReadFile } from './read-file.ts';
import { resolveTarget } from './resolve-target.ts';
import { previewRow } from './row-record.ts';

const PROBLEMS_SHOWN = 100;

/** What preview and import say in the same words. */
export type ImportReport = Pick<
  ImportRecord,
  | 'accounts'
  | 'counts'
  | 'totals'
  | 'first_date'
  | 'last_date'
  | 'detection'
  | 'mapping'
  | 'profile'
  | 'balance_proof'
  | 'warnings'
  | 'unmatched_categories'
>;

/** Plans an import against the ledger as it stands. An import does this inside its write transaction. */
export async function planFor(
  tx: ReadTx,
  instance: Instance,
  principal: Principal | null,
  file: ReadFile,
): Promise<Plan> {
  const given = await findGivenTarget(tx, file.fields, principal);
  const { fields, analysis, profiles, fileName, sha256 } = file;
  const target = await resolveTarget({
    tx,
    fields,
    given,
    analysis,
    readFor: async () => analysis,
    profiles,
    sha256,
    fileName,
    masterKey: instance.masterKey,
  });
  return planImport(tx, file, target);
}

/** The preview of 36.9.1; reads only. */
export async function makePreview(
  tx: ReadTx,
  instance: Instance,
  principal: Principal | null,
  file: ReadFile,
): Promise<ImportPreview> {
  const { analysis, fields } = file;
  const plan = await planFor(tx, instance, principal, file);
  const wanted: ReadonlySet<string> = new Set(fields.outcome);
  const rows = [];
  const problems = [];
  for (const planned of plan.rows) {
    if (rows.length < fields.limit && (wanted.size === 0 ? isDataRow(planned.reason) : wanted.has(planned.outcome))) {
      rows.push(previewRow(planned));
    }
    if (planned.outcome === 'invalid' && problems.length < PROBLEMS_SHOWN) problems.push(previewRow(planned));
  }
  return {
    headers: [...analysis.headers],
    preview_rows: analysis.previewRows(fields.limit),
    total_rows: analysis.total_rows,
    delimiter: analysis.delimiter,
    inferred_mapping: copyOf(analysis.inferred_mapping),
    // A header that many banks share does not make a file one of the bank that it was seen at first.
    template_name: analysis.profile?.strength === 'strong' ? analysis.profile.name : null,
    positive_is_debit: analysis.positive_is_debit,
    date_format: analysis.date_format,
    has_debit_credit: analysis.has_debit_credit,
    dry_run: true,
    ready: file.refusals.length === 0,
    blockers: blockersOf(file),
    format: analysis.format,
    file_name: file.fileName,
    file_bytes: file.bytes,
    file_sha256: file.sha256,
    ...(await describePlan(tx, file, plan, null)),
    unmapped_columns: analysis.unmapped_columns.map((column) => ({ ...column })),
    rows,
    problems,
  };
}

/** Everything that is known of a plan, in the form of the records. */
export async function describePlan(
  tx: ReadTx,
  file: ReadFile,
  plan: Plan,
  createdIds: CreatedIds | null,
): Promise<ImportReport> {
  const { analysis } = file;
  const proof = await proofOf(tx, file, plan, createdIds);
  const { profile } = analysis;
  return {
    accounts: accountsOf(plan, createdIds),
    counts: countsOf(plan),
    totals: totalsOf(plan),
    first_date: analysis.first_date,
    last_date: analysis.last_date,
    detection: {
      ...copyOf(analysis.detection),
      account: accountDetection(plan),
    },
    mapping: copyOf(analysis.mapping) as ImportReport['mapping'],
    profile: profile && {
      source: profile.source,
      slug: profile.slug,
      name: profile.name,
      strength: profile.strength,
    },
    balance_proof: proof.record,
    warnings: warningsOf(file, plan, [...(await repeated(tx, file, plan)), ...proof.warnings]),
    unmatched_categories: unmatchedCategoriesOf(plan),
  };
}

async function repeated(tx: ReadTx, file: ReadFile, plan: Plan): Promise<ImportWarning[]> {
  const again = await alreadyImported(tx, plan.target, file.analysis, file.sha256);
  if (!again || again.error) return [];
  return [warning('FILE_ALREADY_IMPORTED', `This file was imported before, as import ${again.importId}.`, [])];
}

/** Where the rows go and why; with a question open, the accounts that it may be. */
function accountDetection({ accounts, target }: Plan): ImportReport['detection']['account'] {
  const [only] = accounts;
  if (!only || accounts.length > 1) {
    const known = accounts.flatMap((one) => (one.target.found.suggested ? one.target.found.evidence : []));
    return {
      value: null,
      confidence: 'none',
      evidence: known.length > 0 ? [...new Set(known)] : target.connectionId === null ? ['default'] : ['content'],
      candidates: [],
    };
  }
  const { account, found } = only.target;
  const isOpen = found.confidence === 'ambiguous';
  return {
    value: isOpen ? null : (account?.id ?? null),
    confidence: found.confidence,
    evidence: [...found.evidence],
    candidates: isOpen && target.conflict ? (candidatesOf(target.conflict)[0]?.values ?? []) : [],
  };
}

/** The questions that an error asks, each with its answers. */
function candidatesOf(error: AppError): {
  parameter: string | null;
  values: ImportReport['detection']['account']['candidates'];
}[] {
  return (error.extra.members?.['candidates'] ?? []) as ReturnType<typeof candidatesOf>;
}

function isDataRow(reason: string | null): boolean {
  return !['REPEATED_HEADER', 'NOT_A_ROW', 'OPENING_BALANCE', 'UNSUPPORTED_RECORD'].includes(reason ?? '');
}

function blockersOf(file: ReadFile): ImportPreview['blockers'] {
  const own = file.blockers.map(({ code, message, parameter, candidates }) => ({
    code: code as string,
    message,
    parameter,
    candidates: candidates.map((candidate) => ({ ...candidate })),
  }));
  const asBlockers = (error: AppError) => {
    const { code, message } = error;
    const asked = candidatesOf(error);
    if (asked.length === 0) return [{ code: code as string, message, parameter: null, candidates: [] }];
    return asked.map(({ parameter, values }) => ({
      code: code as string,
      message,
      parameter,
      candidates: [...values],
    }));
  };
  const others = file.refusals.filter((error) => !own.some(({ code }) => code === error.code));
  return [
    ...others.filter(({ code }) => code !== 'ALREADY_IMPORTED').flatMap(asBlockers),
    ...own,
    ...others.filter(({ code }) => code === 'ALREADY_IMPORTED').flatMap(asBlockers),
  ];
}
