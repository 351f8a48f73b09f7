import { sql } from 'kysely';

import { declaredTables } from '../../db/declared-schema.ts';
import type { ReadTx } from '../../db/unit-of-work.ts';

/** What a ledger holds, in figures that a copy of it must repeat. Deleted transactions count. */
export interface LedgerFigures {
  rows: Readonly<Record<string, number>>;
  sums: readonly AccountSum[];
}

export interface AccountSum {
  account_id: string;
  iso_currency_code: string | null;
  count: number;
  /** Exact, as decimal digits: a sum may be wider than any single amount. */
  total_cents: string;
}

/** The figures of a ledger as it is now. */
export async function ledgerFigures(tx: ReadTx): Promise<LedgerFigures> {
  const rows: Record<string, number> = {};
  for (const table of declaredTables()) {
    const counted = await sql<{ n: number }>`select count(*) as n from ${sql.table(table)}`.execute(tx.q);
    rows[table] = Number(counted.rows[0]?.n);
  }
  const total = tx.portable.exactSum(sql.ref('amount_cents'));
  const sums = await sql<
    Omit<AccountSum, 'count'> & { count: number | string }
  >`select account_id, iso_currency_code, count(*) as count, ${total} as total_cents
    from transactions group by account_id, iso_currency_code
    order by account_id, coalesce(iso_currency_code, '')`.execute(tx.q);
  return { rows, sums: sums.rows.map(({ count, ...row }) => ({ ...row, count: Number(count) })) };
}

/** In words, where a ledger differs from what it should hold. Tables that nothing is expected of may hold anything. */
export function differencesOf(found: LedgerFigures, expected: LedgerFigures): { rows: string[]; sums: string[] } {
  const rows = Object.entries(expected.rows)
    .filter(([table, count]) => found.rows[table] !== count)
    .map(([table, count]) => `${table} has ${found.rows[table] ?? 'no'} rows, not ${count}`);
  const [are, should] = [sumsByAccount(found.sums), sumsByAccount(expected.sums)];
  const sums = [...new Set([...are.keys(), ...should.keys()])]
    .filter((key) => are.get(key) !== should.get(key))
    .map((key) => `account ${key}: ${are.get(key) ?? 'nothing'}, not ${should.get(key) ?? 'nothing'}`);
  return { rows, sums };
}

function sumsByAccount(sums: readonly AccountSum[]): Map<string, string> {
  return new Map(
    sums.map(({ account_id: id, iso_currency_code: currency, count, total_cents: total }) => [
      `${id} in ${currency ?? 'no currency'}`,
      `${total} cents in ${count} rows`,
    ]),
  );
}
