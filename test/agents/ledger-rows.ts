import { sql } from 'kysely';

import { fold } from '../../src/kernel/fold.ts';
import type { TestApp } from '../harness/test-app.ts';

/** A live transaction as the tables have it, with nothing of how Homeledger adds up. */
export interface LedgerRow {
  id: string;
  date: string;
  cents: number;
  currency: string;
  name: string;
  /** What makes rows those of one merchant, without the currency. */
  merchant: string;
  pending: boolean;
  flagged: boolean;
  /** In an account that is left out of totals. */
  isLeftOut: boolean;
  owner: string | null;
  category: string | null;
  parent: string | null;
  kind: string | null;
  counterparty: string | null;
  series: string | null;
  tags: readonly string[];
}

export async function readLedger({ app }: TestApp): Promise<LedgerRow[]> {
  return app.instance.database.read(async (tx) => {
    const { rows } = await sql<Record<string, string | null> & { cents: number; pending: 0 | 1; out: number }>`
      select t.short_id as id, t.date, t.amount_cents as cents, t.iso_currency_code as currency, t.name,
        t.merchant_name as merchant, t.pending, t.flagged_at, a.is_excluded + a.is_dependent_linked as out,
        coalesce(tu.name, au.name, cu.name) as owner, c.slug as category, p.slug as parent, c.kind,
        cp.short_id as counterparty, s.name as series
      from transactions t join accounts a on a.id = t.account_id left join connections n on n.id = a.connection_id
      left join users tu on tu.id = t.attributed_user_id left join users au on au.id = a.owner_user_id
      left join users cu on cu.id = n.user_id left join categories c on c.id = t.category_id
      left join categories p on p.id = c.parent_id left join counterparties cp on cp.id = t.counterparty_id
      left join series s on s.id = t.series_id where t.deleted_at is null order by t.date desc, t.id desc`.execute(
      tx.q,
    );
    const tagged = await sql<{ id: string; slug: string }>`select t.short_id as id, g.slug from transaction_tags x
      join transactions t on t.id = x.transaction_id join tags g on g.id = x.tag_id`.execute(tx.q);
    const tags = Map.groupBy(tagged.rows, ({ id }) => id);
    return rows.map((row) => ({
      ...(row as unknown as LedgerRow),
      merchant: row['counterparty'] ?? fold(row['merchant'] ?? (row['name'] as string)),
      pending: row.pending === 1,
      flagged: row['flagged_at'] !== null,
      isLeftOut: row.out > 0,
      parent: row['parent'] ?? row['category'] ?? null,
      tags: (tags.get(row['id'] as string) ?? []).map(({ slug }) => slug),
    }));
  });
}

const countsInTotals = ({ pending, isLeftOut }: LedgerRow): boolean => !pending && !isLeftOut;
/** As `spending_only` of tools has it: what came back is off the sum. */
export const isSpending = (row: LedgerRow): boolean =>
  countsInTotals(row) && (row.kind === null ? row.cents > 0 : row.kind === 'expense');

/** Decimals per group, as results show them. */
export function sums(rows: readonly LedgerRow[], keyOf: (row: LedgerRow) => string): Record<string, string> {
  const groups = Map.groupBy(rows, keyOf);
  return Object.fromEntries(
    [...groups].map(([key, group]) => [key, money(group.reduce((sum, { cents }) => sum + cents, 0))]),
  );
}

function money(cents: number): string {
  return (cents / 100).toFixed(2);
}
