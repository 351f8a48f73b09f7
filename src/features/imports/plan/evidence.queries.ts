import { sql } from 'kysely';

import type { ReadTx } from '../../../db/unit-of-work.ts';
import type { Span } from '../../../engines/matching/identity.ts';

/** The days of an import in an account. */
export interface ImportSpan extends Span {
  readonly importId: string;
}

/** The days that imports in force cover in an account, and those between the first and last row of a bank connection. */
export async function selectCoveredSpans(
  tx: ReadTx,
  accountId: string,
): Promise<{ imports: ImportSpan[]; bank: Span | null }> {
  const { rows: imports } = await sql<ImportSpan>`
    select a.import_id as "importId", a.first_date as first, a.last_date as last
    from import_accounts a join imports i on i.id = a.import_id
    where a.account_id = ${accountId} and i.status in ('completed', 'partly_reverted') and a.first_date is not null
    order by a.import_id`.execute(tx.q);
  const { rows: fed } = await sql<{ first: string | null; last: string | null }>`
    select min(t.date) as first, max(t.date) as last
    from transactions t join transaction_feeds f on f.transaction_id = t.id
    where t.account_id = ${accountId} and t.deleted_at is null and t.pending = 0`.execute(tx.q);
  const { first = null, last = null } = fed[0] ?? {};
  return { imports, bank: first === null || last === null ? null : { first, last } };
}

/** Rows of an account between two days that these imports list: of one that was partly reverted, those that are its own. */
export async function selectListedLater(
  tx: ReadTx,
  accountId: string,
  imports: readonly ImportSpan[],
  days: Span | null,
): Promise<Set<string>> {
  if (imports.length === 0 || days === null) return new Set();
  const ids = imports.map(({ importId }) => importId);
  const { rows } = await sql<{ id: string }>`
    select distinct t.id from transactions t
      join import_rows r on r.transaction_id = t.id
      join imports i on i.id = r.import_id
    where t.account_id = ${accountId} and t.date >= ${days.first} and t.date <= ${days.last}
      and r.outcome in ('added', 'updated', 'duplicate') and ${tx.portable.inList(sql.ref('r.import_id'), ids)}
      and (i.status = 'completed' or t.import_id = i.id)`.execute(tx.q);
  return new Set(rows.map(({ id }) => id));
}

export interface ListedLine {
  readonly line: number;
  readonly part: number;
  readonly transactionId: string;
}

/** The lines of an import that were rows, in the order of its file. */
export function listedLines(tx: ReadTx, importId: string): AsyncIterable<ListedLine> {
  return tx.iterate(
    sql<ListedLine>`select line, part, transaction_id as "transactionId" from import_rows
      where import_id = ${importId} and transaction_id is not null order by line, part`.compile(tx.q),
  );
}
