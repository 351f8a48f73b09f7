import { formatCents } from '../../kernel/money.ts';
import type { ImportRowRecord } from './import-records.contract.ts';
import type { StoredImportRow } from './imports.queries.ts';
import type { PlannedRow } from './plan.ts';

/** What an import row keeps beside its columns, in this order: short, because every record of a file has one. */
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
];

export function storedRecord(planned: PlannedRow, accountId: string | null, text: string | null): string {
  const { outcome, raw } = planned;
  const isUnread = outcome === 'skipped' || outcome === 'invalid';
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
  return JSON.stringify(stored);
}

export function toImportRow(row: StoredImportRow): ImportRowRecord {
  const [accountId, date, authorizedDate, amount, currency, description, merchant, balance, pending, message, raw] =
    JSON.parse(row.record) as Stored;
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
  };
}

/** The row as a preview shows it; equal to what the import would store, but for ids that do not exist yet. */
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
