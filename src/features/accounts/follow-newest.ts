import type { WriteTx } from '../../journal/write.ts';
import { updateAccountRow } from './accounts.queries.ts';
import { findNewestSnapshot } from './balance-history.queries.ts';

/** An account's own balance is that of its newest snapshot (contract 10.2.3); the history is its record. */
export async function followNewest(tx: WriteTx, accountId: string): Promise<void> {
  const account = await tx.q
    .selectFrom('accounts')
    .select(['id', 'iso_currency_code'])
    .where('id', '=', accountId)
    .executeTakeFirst();
  if (!account) return;
  const newest = await findNewestSnapshot(tx, account);
  tx.journal.allowUnjournaled('account');
  await updateAccountRow(tx, accountId, {
    balance_current_cents: newest?.balance_current_cents ?? null,
    balance_available_cents: newest?.balance_available_cents ?? null,
    balance_limit_cents: newest?.balance_limit_cents ?? null,
    balance_date: newest?.date ?? null,
    balance_updated_at: newest?.recorded_at ?? null,
  });
}
