import { sql } from 'kysely';

import type { ReadTx } from '../../../db/unit-of-work.ts';
import { addDays, type DateOnly } from '../../../kernel/dates.ts';
import { NO_FILTERS, resolveFilters } from '../filters/resolve-filters.ts';
import { countingCondition } from '../totals/counted-parts.queries.ts';
import { MERCHANT_KEY, MERCHANTS_BY_NAME } from '../totals/merchant-groups.queries.ts';

interface RepeatRow {
  id: string;
  /** Days since the row before with the same amount, currency and merchant; null for the first. */
  since: number | null;
}

/**
 * Rows that could be one purchase charged twice (contract 70.3): posted, counting in totals, and at most so many days
 * from another one with the same amount, currency and merchant. Each with the earliest of the rows it is chained to.
 * Rows outside of the dates are left out, but may be what others repeat.
 */
export async function selectRepeats(
  tx: ReadTx,
  days: number,
  { dateFrom, dateTo }: { dateFrom?: DateOnly; dateTo?: DateOnly },
): Promise<Map<string, string>> {
  const around = {
    ...(await resolveFilters(tx, NO_FILTERS, 'exclude')),
    ...(dateFrom === undefined ? {} : { dateFrom: addDays(dateFrom, -days) }),
    ...(dateTo === undefined ? {} : { dateTo: addDays(dateTo, days) }),
  };
  const where = countingCondition(tx, around, { includePending: false }, 'none');
  const day = tx.portable.dayNumber(sql.ref('date'));
  const repeats = sql<RepeatRow>`
    select id, since
    from (select id, date, amount_cents, iso_currency_code, merchant,
        ${day} - lag(${day}) over same as since, lead(${day}) over same - ${day} as until
      from (select t.id, t.date, t.amount_cents, t.iso_currency_code, ${MERCHANT_KEY} as merchant
        from transactions t ${MERCHANTS_BY_NAME} where ${where}) as counted
      window same as (partition by amount_cents, iso_currency_code, merchant order by date, id)) as spaced
    where since <= ${days} or until <= ${days}
    order by amount_cents, iso_currency_code, merchant, date, id`;
  const groups = new Map<string, string>();
  let first = '';
  for await (const { id, since } of tx.iterate(repeats.compile(tx.q))) {
    if (since === null || since > days) first = id;
    groups.set(id, first);
  }
  return groups;
}
