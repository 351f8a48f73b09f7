import { sql } from 'kysely';

import type { ReadTx } from '../../db/unit-of-work.ts';
import { isShortId, isUuid } from '../../kernel/ids.ts';

/** What an operation may bind a transaction to. */
export interface Bindable {
  id: string;
  /** short_id of the counterparty that this one is merged into. */
  mergedInto: string | null;
}

/** Household members, series or counterparties by whatever form of id names them; unknown names are left out. */
export async function selectBindables(
  tx: ReadTx,
  table: 'users' | 'series' | 'counterparties',
  names: readonly string[],
): Promise<Map<string, Bindable>> {
  const ids = names.filter((name) => isUuid(name) || isShortId(name));
  if (ids.length === 0) return new Map();
  const among = (column: string) => tx.portable.inList(sql.ref(column), ids);
  const mergedInto =
    table === 'counterparties'
      ? sql`(select target.short_id from counterparties target where target.id = one.canonical_counterparty_id)`
      : sql`null`;
  const { rows } = await sql<Bindable & { short_id: string }>`
    select one.id, one.short_id, ${mergedInto} as "mergedInto" from ${sql.table(table)} one
    where ${among('one.id')} or ${among('one.short_id')}`.execute(tx.q);
  return new Map(rows.flatMap((row) => [[row.id, row] as const, [row.short_id, row] as const]));
}

/** The ids, newest transaction first. */
export async function selectNewestFirst(tx: ReadTx, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from transactions
    where ${tx.portable.inList(sql.ref('id'), ids)} order by date desc, id desc`.execute(tx.q);
  return rows.map(({ id }) => id);
}
