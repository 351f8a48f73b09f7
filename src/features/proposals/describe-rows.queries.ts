import { sql } from 'kysely';

import type { ReadTx } from '../../db/unit-of-work.ts';
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
const LABEL_CHARS = 200;

/** For each change, the transaction as it is now, and a short name of the row for people. */
export async function describeRows(tx: ReadTx, merged: readonly MergedChange[]): Promise<Description[]> {
  const transactions = await selectTransactions(tx, [...new Set(merged.flatMap(transactionIdsOf))]);
  const accounts = await selectAccountNames(tx, [...new Set(merged.flatMap(accountIdsOf))]);
  return merged.map((one) => {
    const { transactionId } = one.change;
    const snapshot = transactionId === null ? undefined : transactions.get(transactionId);
    const [named] = transactionIdsOf(one).flatMap((id) => transactions.get(id)?.name ?? []);
    const pair = accountIdsOf(one).flatMap((id) => accounts.get(id) ?? []);
    const label = named ?? (pair.length > 0 ? pair.join(' → ') : ownName(one));
    return { ...(snapshot ?? NOTHING), label: [...label].slice(0, LABEL_CHARS).join('') };
  });
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
