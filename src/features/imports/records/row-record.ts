import type { AnalysedRow } from '../../../engines/imports/analysis.ts';
import { formatCents } from '../../../kernel/money.ts';
import type { ImportRowRecord } from '../import-records.contract.ts';
import type { StoredImportRow } from './imports.queries.ts';
import type { PlannedRow } from '../plan/plan.ts';

/** What an import row stores besides its columns, in this order. Short, because every record of a file has one. */
type Stored = [
  accountId: string | null,
  date: string | null,
  authorizedDate: string | null,
  amountCents: number | null,
  currency: string | null,
  description: string,
  merchantName: string | null,
  balanceCents: number | null,
  pending: 0 | 1,
  message: string | null,
  raw: string | null,
  besideId?: string | null,
];

export function storedRecord(planned: PlannedRow, accountId: string | null, text: string | null): string {
  const { outcome, raw } = planned;
  const isUnread = outcome === 'skipped' || outcome === 'invalid';
  const besideId = planned.beside?.id;
  const stored: Stored = [
    accountId,
    planned.date,
    planned.authorizedDate,
    planned.amountCents,
    planned.currency,
    planned.name,
    planned.merchantName,
    planned.balanceCents,
    planned.pending ? 1 : 0,
    planned.message,
    isUnread ? (raw ?? text) : null,
  ];
  return JSON.stringify(besideId === undefined ? stored : [...stored, besideId]);
}

export function toImportRow(row: StoredImportRow): ImportRowRecord {
  const [
    accountId,
    date,
    authorizedDate,
    amount,
    currency,
    description,
    merchant,
    balance,
    pending,
    message,
    raw,
    beside,
  ] = JSON.parse(row.record) as Stored;
  return {
    line: row.line,
    part: row.part,
    outcome: row.outcome as ImportRowRecord['outcome'],
    reason: row.reason,
    match: row.match_kind as ImportRowRecord['match'],
    transaction_id: row.transaction_id,
    account_id: accountId,
    date,
    authorized_date: authorizedDate,
    amount: amount === null ? null : formatCents(amount),
    iso_currency_code: currency,
    description,
    merchant_name: merchant,
    balance: balance === null ? null : formatCents(balance),
    pending: pending === 1,
    message,
    raw,
    beside_transaction_id: beside ?? null,
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
