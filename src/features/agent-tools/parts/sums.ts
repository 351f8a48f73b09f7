import { z } from 'zod';

import { Code, Money, Total } from '../../../contract/common.ts';

/** What sums of the same groups were on the days that they are compared with. */
export const Compared = z.object({
  transaction_count: z.int(),
  total_amount: Money,
  change: Money,
  percent: Code.nullable(),
});

/** Sums of one currency; `refunded` where they are net of it. */
export const Sums = Total.extend({ refunded: Money.optional() });

/** With what came back, where totals are net of it: it is off `total_amount` already. */
export function withRefunded<T extends { money_in: string }>(sums: T, isNet: boolean): T & { refunded?: string } {
  return isNet ? { ...sums, refunded: sums.money_in } : sums;
}

interface Asked {
  spending_only: boolean;
  include_pending?: boolean | undefined;
  /** Rows of one state alone, as the filter asks for them. */
  pending?: boolean | undefined;
}

/** What totals hold, in a sentence: two figures with different ones cannot be compared. */
export function meaningOf({ spending_only: isSpending, include_pending: withPending = false, pending }: Asked): string {
  const what = isSpending
    ? 'What was spent, net of refunds; income and transfers are left out'
    : 'All money out less all money in, gross: income, refunds and transfers between own accounts are in it';
  const state = pending ?? (withPending ? 'any' : false);
  const rows = { any: 'posted and pending', true: 'pending', false: 'posted' }[String(state)];
  return `${what}. Only ${rows} rows, as the bank booked them, of accounts that count. Per currency.`;
}
