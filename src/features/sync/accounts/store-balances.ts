import type { BareWriteTx } from '../../../db/unit-of-work.ts';
import type { WriteTx } from '../../../journal/write.ts';
import { dayIn, isDateOnly, parseInstant } from '../../../kernel/dates.ts';
import type { ReportedBalance } from '../../../providers/provider.ts';
import { followNewest, putSnapshots } from '../../accounts/index.ts';
import { householdZone } from '../../config/index.ts';
import type { AttachedAccount } from './attach-accounts.ts';
import { sumPending } from './balances.queries.ts';

/**
 * Stores the balances that came with an account list, each with the snapshot of its day (contract 30.10). A sync has
 * stored the rows that came with them, and keeps what is pending beside each; linking knows no rows yet.
 */
export async function storeBalances(
  tx: WriteTx,
  attached: Iterable<AttachedAccount>,
  rows: 'stored' | 'unknown',
): Promise<void> {
  const zone = await householdZone(tx);
  for (const { account, reported } of attached) {
    const balance = reported?.balance;
    if (!balance || !isReported(balance)) continue;
    const currency = balance.currency ?? account.iso_currency_code;
    await putSnapshots(tx, [
      {
        account_id: account.id,
        date: dayOf(tx, balance, zone),
        iso_currency_code: currency ?? '',
        balance_current_cents: balance.currentCents,
        balance_available_cents: balance.availableCents,
        balance_limit_cents: balance.limitCents,
        source: 'sync',
        import_id: null,
        recorded_at: tx.now,
        pending_cents: rows === 'stored' ? await sumPending(tx, account.id, currency) : null,
      },
    ]);
    await followNewest(tx, account.id);
  }
}

/** Whether a balance has any value. */
function isReported({ currentCents, availableCents, limitCents }: ReportedBalance): boolean {
  return currentCents !== null || availableCents !== null || limitCents !== null;
}

/** The day that the source states, else the day of the report in the time zone of the household. */
export function dayOf({ now }: BareWriteTx, { asOf }: ReportedBalance, zone: string): string {
  if (asOf !== null && isDateOnly(asOf)) return asOf;
  const instant = asOf === null ? undefined : parseInstant(asOf);
  return dayIn(zone, Date.parse(instant ?? now));
}
