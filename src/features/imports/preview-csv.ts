import type { ReadTx } from '../../db/unit-of-work.ts';
import type { AppError } from '../../kernel/errors.ts';
import { handleBackground, type Instance, type Principal } from '../handler.ts';
import { candidatesOf, copyOf, describePlan } from './plan/describe-plan.ts';
import type { ImportPreview } from './import-records.contract.ts';
import { previewCsv as operation } from './imports.contract.ts';
import { planFor } from './plan/plan-import.ts';
import { readFile, type ReadFile } from './doors/read-file.ts';
import { previewRow } from './records/row-record.ts';
import { createSpool } from './doors/spool.ts';

const PROBLEMS_SHOWN = 100;

/** The preview of 36.9.1. Writes nothing. */
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
    // A header that many banks share does not show which bank the file is from.
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

function isDataRow(reason: string | null): boolean {
  return !['REPEATED_HEADER', 'NOT_A_ROW', 'OPENING_BALANCE', 'STATED_BALANCE', 'UNSUPPORTED_RECORD'].includes(
    reason ?? '',
  );
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

export const previewCsv = handleBackground(operation, async (context, { body }) => {
  const { instance, principal } = context;
  const spool = createSpool(instance.config.dataDir, instance.ids.uuid());
  try {
    const read = await readFile(context, body, { endpoint: 'csv', spool });
    return await instance.database.read((tx) => makePreview(tx, instance, principal, read));
  } finally {
    spool.close();
  }
});
