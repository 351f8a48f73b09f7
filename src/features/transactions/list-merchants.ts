import type { z } from 'zod';

import type { ReadTx } from '../../db/unit-of-work.ts';
import type { DateOnly } from '../../kernel/dates.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { averageCents, formatCents } from '../../kernel/money.ts';
import { handleRead } from '../handler.ts';
import {
  looksOfMerchants,
  merchantGroups,
  type LimitKind,
  type MerchantGroup,
  type MerchantLook,
} from './totals/merchant-groups.queries.ts';
import { effectiveFilters, resolveFilters, type Spending } from './filters/resolve-filters.ts';
import { totalsOf } from './totals/totals.ts';
import { listMerchants as operation, type Merchant } from './transaction-reports.contract.ts';

export const listMerchants = handleRead(operation, async ({ tx }, { query }) =>
  merchantSummary(tx, query, { spending: query.spending_only ? 'gross' : null, limitIs: 'in all' }),
);

type Row = z.input<typeof Merchant> & {
  /** Of net spending: what came back, and is off the total already. */
  refunded?: string;
};
type Summary = Omit<z.input<NonNullable<typeof operation.response>>, 'merchants'> & { merchants: Row[] };
type Asked = Omit<z.output<NonNullable<typeof operation.query>>, 'spending_only'>;

interface HowToSum {
  spending: Spending | null;
  /** Only merchants whose first transaction, whatever the dates asked for, is on or after this day (contract 70.3). */
  newSince?: DateOnly | undefined;
  limitIs: LimitKind;
}

/** Sums per merchant (contract 10.5.5). @throws INVALID_PARAMETER */
export async function merchantSummary(tx: ReadTx, query: Asked, how: HowToSum): Promise<Summary> {
  const filters = await resolveFilters(tx, query, 'exclude', how.spending);
  const options = { includePending: query.include_pending };
  const limit = query.limit ?? LIMITS.merchantRowsDefault;
  const { groups, totals, count } = await merchantGroups(tx, filters, options, {
    minCount: query.min_count ?? 1,
    newSince: how.newSince,
    limit,
    limitIs: how.limitIs,
  });
  return {
    merchants: described(groups, await looksOfMerchants(tx, filters, options, groups), how.spending === 'net'),
    totals: totalsOf(totals),
    row_count: count,
    truncated: count > groups.length,
    filters: {
      ...effectiveFilters(query, filters),
      include_pending: query.include_pending,
      spending_only: how.spending !== null,
      min_count: query.min_count ?? 1,
    },
  };
}

function described(groups: readonly MerchantGroup[], looks: readonly MerchantLook[], isNet: boolean): Row[] {
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
      ...(isNet ? { refunded: formatCents(group.out - group.total) } : {}),
    };
  });
}
