import { sql } from 'kysely';

import type { ReadTx } from '../../db/unit-of-work.ts';
import { resolveFilters } from './resolve-filters.ts';
import { countingCondition, groupedRows, type SumTexts } from './totals.queries.ts';
import { compareNullsLast, exact, toTotal, type TotalRecord } from './totals.ts';

/** A total of a counterparty, with the days of the first and last row in it. */
export interface DatedTotal extends TotalRecord {
  first_date: string;
  last_date: string;
}

const NO_FILTERS = { include_children: true, search_mode: 'contains' } as const;

/** One total per currency over the rows bound to exactly this counterparty that count in totals (contract 10.12). */
export async function totalsOfCounterparty(tx: ReadTx, id: string): Promise<DatedTotal[]> {
  const filters = { ...(await resolveFilters(tx, NO_FILTERS, 'exclude')), counterpartyIds: [id] };
  const options = { includePending: false, spendingOnly: false };
  const where = await countingCondition(tx, filters, options, 'all');
  const dates = sql`, min(t.date) as first_date, max(t.date) as last_date`;
  // However many they are, the index on the counterparty leads to them sooner than any scan.
  const sums = groupedRows({ source: sql`transactions t`, where, isFew: true }, ['iso_currency_code'], dates);
  const { rows } = await sql<Sums>`
    select iso_currency_code, count, cast(total as text) as total, cast(incoming as text) as incoming, first_date,
      last_date
    from (${sums}) as sums`.execute(tx.q);
  return rows
    .sort((a, b) => compareNullsLast(a.iso_currency_code, b.iso_currency_code))
    .map(({ total, incoming, first_date, last_date, ...group }) => ({
      ...toTotal({ ...group, ...exact(total, incoming) }),
      first_date,
      last_date,
    }));
}

type Sums = SumTexts & Pick<DatedTotal, 'iso_currency_code' | 'first_date' | 'last_date'>;
