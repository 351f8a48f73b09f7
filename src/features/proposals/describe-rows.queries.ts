import { sql } from 'kysely';

import type { ReadTx } from '../../db/unit-of-work.ts';
import { parseCents } from '../../kernel/money.ts';
import type { MergedChange } from './merge-plan.ts';
import type { ChangeRow } from './proposals.queries.ts';

type Snapshot = Pick<ChangeRow, 'amount_cents' | 'iso_currency_code' | 'date' | 'name' | 'account_id' | 'was_pending'>;
export type Description = Snapshot & Pick<ChangeRow, 'label'>;

const NOTHING: Snapshot = {
  amount_cents: null,
  iso_currency_code: null,
  date: null,
  name: null,
  account_id: null,
  was_pending: null,
};
const SAID = ['iso_currency_code', 'date', 'name', 'account_id'] as const;
const LABEL_CHARS = 200;

/**
 * For each change, the transaction as it is now, and a short name of the row for people. `planned` has what the plan
 * changed before: its new rows are not in the ledger.
 */
export async function describeRows(
  tx: ReadTx,
  merged: readonly MergedChange[],
  planned: readonly ChangeRow[],
): Promise<Description[]> {
  const stored = await selectTransactions(tx, [...new Set(merged.flatMap(transactionIdsOf))]);
  const transactions = new Map([...planned.flatMap(plannedRow), ...merged.flatMap(newRow), ...stored]);
  const accounts = await selectAccountNames(tx, [...new Set(merged.flatMap(accountIdsOf))]);
  return merged.map((one) => {
    const { transactionId } = one.change;
    const snapshot = transactionId === null ? undefined : transactions.get(transactionId);
    const [named] = transactionIdsOf(one).flatMap((id) => transactions.get(id)?.name ?? []);
    const pair = accountIdsOf(one).flatMap((id) => accounts.get(id) ?? []);
    const label = named ?? (pair.length > 0 ? pair.join(' → ') : ownName(one));
    return { ...snapshotOf(snapshot), label: [...label].slice(0, LABEL_CHARS).join('') };
  });
}

function snapshotOf(row: Snapshot = NOTHING): Snapshot {
  const { amount_cents, iso_currency_code, date, name, account_id, was_pending } = row;
  return { amount_cents, iso_currency_code, date, name, account_id, was_pending };
}

function plannedRow(row: ChangeRow): [string, Snapshot][] {
  return row.entity_type === 'transaction' && row.operation === 'create' ? [[row.entity_id, row]] : [];
}

/** A transaction that the plan makes. */
function newRow({ change: { entityType, entityId, operation, after } }: MergedChange): [string, Snapshot][] {
  if (entityType !== 'transaction' || operation !== 'create' || after === null) return [];
  const { iso_currency_code, date, name, account_id } = after as Pick<Snapshot, (typeof SAID)[number]>;
  const amount_cents = parseCents(String(after['amount'])) ?? null;
  return [[entityId, { amount_cents, iso_currency_code, date, name, account_id, was_pending: 0 }]];
}

/** The transaction that a change is about, as in a comment or a match. */
function transactionIdsOf({ change, fields }: MergedChange): string[] {
  return [change.transactionId, fields['primary_transaction_id']].filter((id) => typeof id === 'string');
}

/** The accounts of a link. */
function accountIdsOf({ fields }: MergedChange): string[] {
  return [fields['dependent_account_id'], fields['primary_account_id']].filter((id) => typeof id === 'string');
}

function ownName({ change, fields }: MergedChange): string {
  const names = [fields['display_name'], fields['name'], fields['slug'], change.entityShortId];
  return names.find((name) => typeof name === 'string') ?? change.entityType;
}

async function selectTransactions(tx: ReadTx, ids: readonly string[]): Promise<ReadonlyMap<string, Snapshot>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<Snapshot & { id: string }>`
    select id, amount_cents, iso_currency_code, date, name, account_id, pending as was_pending from transactions
    where ${tx.portable.inList(sql.ref('id'), ids)}`.execute(tx.q);
  return new Map(rows.map(({ id, ...snapshot }) => [id, snapshot]));
}

async function selectAccountNames(tx: ReadTx, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ id: string; name: string }>`
    select id, coalesce(display_name, name) as name from accounts
    where ${tx.portable.inList(sql.ref('id'), ids)}`.execute(tx.q);
  return new Map(rows.map(({ id, name }) => [id, name]));
}
