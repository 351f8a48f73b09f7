import type { AnalysedRow } from '../../../engines/imports/analysis.ts';
import { formatCents } from '../../../kernel/money.ts';
import { packRecord, unpackRecord } from '../../import-row-record.ts';
import type { ImportRowRecord } from '../import-records.contract.ts';
import type { StoredImportRow } from './imports.queries.ts';
import type { PlannedRow } from '../plan/plan.ts';

export function storedRecord(planned: PlannedRow, accountId: string | null, text: string | null): string {
  const { outcome, raw } = planned;
  const isUnread = outcome === 'skipped' || outcome === 'invalid';
  return packRecord({
    accountId,
    date: planned.date,
    authorizedDate: planned.authorizedDate,
    datetime: planned.datetime,
    amountCents: planned.amountCents,
    currency: planned.currency,
    description: planned.name,
    merchantName: planned.merchantName,
    balanceCents: planned.balanceCents,
    pending: planned.pending,
    message: planned.message,
    raw: isUnread ? (raw ?? text) : null,
    besideId: planned.beside?.id ?? null,
  });
}

export function toImportRow(row: StoredImportRow): ImportRowRecord {
  const said = unpackRecord(row.record);
  return {
    line: row.line,
    part: row.part,
    outcome: row.outcome as ImportRowRecord['outcome'],
    reason: row.reason,
    match: row.match_kind as ImportRowRecord['match'],
    transaction_id: row.transaction_id,
    account_id: said.accountId,
    date: said.date,
    authorized_date: said.authorizedDate,
    amount: said.amountCents === null ? null : formatCents(said.amountCents),
    iso_currency_code: said.currency,
    description: said.description,
    merchant_name: said.merchantName,
    balance: said.balanceCents === null ? null : formatCents(said.balanceCents),
    pending: said.pending,
    message: said.message,
    raw: said.raw,
    beside_transaction_id: said.besideId,
  };
}

/** The row as a preview shows it: what the import would store, except for ids that do not exist yet. */
export function previewRow(planned: PlannedRow): ImportRowRecord {
  const { line, part, outcome, reason, match, ledger, account } = planned;
  return toImportRow({
    line,
    part,
    outcome,
    reason,
    match_kind: match,
    transaction_id: ledger?.id ?? null,
    record: storedRecord(planned, account?.target.account?.id ?? null, null),
  });
}

const TEXT_CHARS = 500;

/** The beginning of a record as readable text. */
export function rawText({ cells, fields }: Pick<AnalysedRow, 'cells' | 'fields'>): string {
  const parts = fields ? Object.entries(fields).map(([name, value]) => `${name} ${value}`) : cells;
  return parts.join(fields ? ' ' : ',').slice(0, TEXT_CHARS);
}

/** Writes a record as JSON: the fields of a statement entry, or the cells by header name. */
export function rawOf(headers: readonly string[]): (row: Pick<AnalysedRow, 'cells' | 'fields'>) => string {
  const ofCells = cellsAsJson(headers);
  return ({ cells, fields }) => (fields ? JSON.stringify(fields) : ofCells(cells));
}

/** Writes the cells of a record as JSON by header name; a repeated name gets a number. */
function cellsAsJson(headers: readonly string[]): (cells: readonly string[]) => string {
  const times = new Map<string, number>();
  const keys = headers.map((header) => {
    const nth = (times.get(header) ?? 0) + 1;
    times.set(header, nth);
    return `${JSON.stringify(nth > 1 ? `${header}#${nth}` : header)}:`;
  });
  return (cells) => {
    let json = '{';
    for (let i = 0; i < keys.length; i++) {
      json += `${i > 0 ? ',' : ''}${keys[i] as string}${JSON.stringify(cells[i] ?? '')}`;
    }
    return `${json}}`;
  };
}
