import { sql } from 'kysely';

import type { AccountLinksTable } from '../../db/schema.ts';
import { idColumn } from '../../db/short-ids.ts';
import type { ReadTx } from '../../db/unit-of-work.ts';
import { isShortId, isUuid } from '../../kernel/ids.ts';

/** A transaction as far as a match by hand looks at it. */
export interface MatchedRow {
  id: string;
  accountId: string;
  currency: string | null;
  isPending: boolean;
  deletedAt: string | null;
}

/** Transactions by any form of id, deleted ones too; keyed by the id as given. */
export async function findRows(tx: ReadTx, anyIds: readonly string[]): Promise<Map<string, MatchedRow>> {
  const among = (column: string, ids: readonly string[]) => tx.portable.inList(sql.ref(column), ids);
  const { rows } = await sql<Omit<MatchedRow, 'isPending'> & { shortId: string; pending: number }>`
    select id, short_id as "shortId", account_id as "accountId", iso_currency_code as currency, pending,
      deleted_at as "deletedAt"
    from transactions where ${among('id', anyIds.filter(isUuid))} or ${among('short_id', anyIds.filter(isShortId))}
  `.execute(tx.q);
  const found = new Map<string, MatchedRow>();
  for (const { shortId, pending, ...rest } of rows) {
    const row = { ...rest, isPending: pending === 1 };
    found.set(row.id, row);
    found.set(shortId, row);
  }
  return found;
}

export async function findLinkByAnyId(tx: ReadTx, anyId: string): Promise<AccountLinksTable | undefined> {
  const column = idColumn(anyId);
  if (column === undefined) return undefined;
  return tx.q.selectFrom('account_links').selectAll().where(column, '=', anyId).executeTakeFirst();
}

export async function findLinkBetween(
  tx: ReadTx,
  primaryId: string,
  dependentId: string,
): Promise<AccountLinksTable | undefined> {
  return tx.q
    .selectFrom('account_links')
    .selectAll()
    .where('primary_account_id', '=', primaryId)
    .where('dependent_account_id', '=', dependentId)
    .executeTakeFirst();
}
