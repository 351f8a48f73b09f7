import { sql } from 'kysely';

import type { Database } from '../../../src/db/unit-of-work.ts';

const KEYS = `substr(t.date, 1, 7), t.account_id, coalesce(t.category_id, ''), coalesce(t.attributed_user_id, ''),
  coalesce(t.iso_currency_code, '')`;
const MERCHANT = `coalesce(t.counterparty_id, ''),
  case when t.counterparty_id is null then coalesce(t.merchant_text_id, t.name_text_id) else 0 end`;
const SUMS = `cast(count(*) as bigint), cast(count(case when t.amount_cents > 0 then 1 end) as bigint),
  cast(sum(t.amount_cents) as bigint), cast(sum(case when t.amount_cents < 0 then t.amount_cents else 0 end) as bigint)`;

/** What the totals tables should contain: computed from the rows, independently of what keeps them. */
const EXPECTED = {
  monthly_totals: `select ${KEYS}, ${SUMS} from transactions t where t.deleted_at is null and t.pending = 0
    group by 1, 2, 3, 4, 5`,
  merchant_totals: `select ${KEYS}, ${MERCHANT}, ${SUMS} from transactions t
    where t.deleted_at is null and t.pending = 0 group by 1, 2, 3, 4, 5, 6, 7`,
};

/** Most tests write no transaction: finding that there are no sums is much faster than comparing them. */
const IS_ANYTHING = `select 1 as found where ${['transactions', ...Object.keys(EXPECTED)]
  .map((table) => `exists (select 1 from ${table})`)
  .join(' or ')}`;

/** Groups that are in a totals table but should not be, and the other way round. */
export async function wrongTotals(database: Database): Promise<string[]> {
  return database.read(async ({ q }) => {
    const found: string[] = [];
    if ((await sql.raw(IS_ANYTHING).execute(q)).rows.length === 0) return found;
    for (const [table, rows] of Object.entries(EXPECTED)) {
      for (const [what, query] of [
        ['wrong', `select * from ${table} except select * from (${rows}) as expected`],
        ['missing', `select * from (${rows}) as expected except select * from ${table}`],
      ] as const) {
        const differences = await sql.raw<Record<string, unknown>>(query).execute(q);
        for (const row of differences.rows) found.push(`${what} in ${table}: ${JSON.stringify(Object.values(row))}`);
      }
    }
    return found;
  });
}
