import { sql } from 'kysely';

import type { ReadTx } from '../../db/unit-of-work.ts';

type Column = 'counterparty_id' | 'series_id';

/** How many live transactions are bound to the series or counterparty with this UUID. */
export async function countLiveReferring(tx: ReadTx, column: Column, id: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*) as n from transactions
    where ${sql.ref(column)} = ${id} and deleted_at is null`.execute(tx.q);
  return rows[0]?.n ?? 0;
}

/** The same, deleted ones too. */
export async function countReferring(tx: ReadTx, column: Column, id: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*) as n from transactions
    where ${sql.ref(column)} = ${id}`.execute(tx.q);
  return rows[0]?.n ?? 0;
}

/** Those of the transactions whose account was deleted: they cannot live again without it. */
export async function selectOfDeletedAccounts(tx: ReadTx, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const { rows } = await sql<{ id: string }>`select t.id from transactions t join accounts a on a.id = t.account_id
    where a.deleted_at is not null and ${tx.portable.inList(sql.ref('t.id'), ids)}`.execute(tx.q);
  return new Set(rows.map(({ id }) => id));
}
