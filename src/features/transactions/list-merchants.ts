import type { z } from 'zod';

import type { ReadTx } from '../../db/unit-of-work.ts';
import type { DateOnly } from '../../kernel/dates.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { averageCents, formatCents } from '../../kernel/money.ts';
import { handleRead } from '../handler.ts';
import {
  looksOfMerchants,
  merchantGroups,
  type MerchantGroup,
  type MerchantLook,
} from './totals/merchant-groups.queries.ts';
import { effectiveFilters, resolveFilters } from './filters/resolve-filters.ts';
import { totalsOf } from './totals/totals.ts';
import { listMerchants as operation, type Merchant } from './transaction-reports.contract.ts';

export const listMerchants = handleRead(operation, async ({ tx }, { query }) => merchantSummary(tx, query));

type Summary = z.input<NonNullable<typeof operation.response>>;
type Asked = z.output<NonNullable<typeof operation.query>> & {
  /** Only merchants whose first transaction, whatever the dates asked for, is on or after this day (contract 70.3). */
  newSince?: DateOnly | undefined;
  /** Whether the limit is shared by the currencies; otherwise the first currencies may use it up. */
  sharesLimit?: boolean;
};

/** Sums per merchant (contract 10.5.5). @throws INVALID_PARAMETER */
export async function merchantSummary(tx: ReadTx, query: Asked): Promise<Summary> {
  const filters = await resolveFilters(tx, query, 'exclude');
  const options = { includePending: query.include_pending, spendingOnly: query.spending_only };
  const limit = query.limit ?? LIMITS.merchantRowsDefault;
  const { groups, totals, count } = await merchantGroups(tx, filters, options, {
    minCount: query.min_count ?? 1,
    newSince: query.newSince,
    limit,
    limitIs: query.sharesLimit === true ? 'of each currency' : 'in all',
  });
  const shown = firstOfEach([...Map.groupBy(groups, (group) => group.iso_currency_code).values()], limit);
  return {
    merchants: described(shown, await looksOfMerchants(tx, filters, options, shown)),
    totals: totalsOf(totals),
    row_count: count,
    truncated: count > limit,
    filters: {
      ...effectiveFilters(query, filters),
      include_pending: query.include_pending,
      spending_only: query.spending_only,
      min_count: query.min_count ?? 1,
    },
  };
}

/** As many in all, in the order of the lists: of each list equally many, as far as it goes. */
function firstOfEach<T>(lists: readonly (readonly T[])[], limit: number): T[] {
  const counts = lists.map(() => 0);
  let left = Math.min(
    limit,
    lists.reduce((sum, { length }) => sum + length, 0),
  );
  for (let turn = 0; left > 0; turn = (turn + 1) % lists.length) {
    const [list, taken] = [lists[turn] ?? [], counts[turn] ?? 0];
    if (taken === list.length) continue;
    counts[turn] = taken + 1;
    left -= 1;
  }
  return lists.flatMap((list, index) => list.slice(0, counts[index]));
}

function described(groups: readonly MerchantGroup[], looks: readonly MerchantLook[]): z.input<typeof Merchant>[] {
  return groups.map((group, index) => {
    const { counterparty, first_date, last_date, spelling } = looks[index] as MerchantLook;
    return {
      merchant: counterparty?.name ?? spelling,
      counterparty_id: group.counterparty_id,
      counterparty_short_id: counterparty?.short_id ?? null,
      counterparty_logo_url: counterparty?.logo_url ?? null,
      iso_currency_code: group.iso_currency_code,
      transaction_count: group.count,
      total_amount: formatCents(group.total),
      avg_amount: formatCents(averageCents(group.total, BigInt(group.count))),
      first_date,
      last_date,
    };
  });
}
