import type { BalanceSnapshotsTable } from '../../db/schema.ts';
import type { WriteTx } from '../../journal/write.ts';
import { updateAccountRow, type AccountRow } from './accounts.queries.ts';
import { followNewest } from './follow-newest.ts';
import { balanceField, balanceValue } from './stated-balances.ts';

/** Records what was stated of a day before and after, and lets the account's own balance follow. */
export async function recordBalance(
  tx: WriteTx,
  account: AccountRow,
  before: BalanceSnapshotsTable | undefined,
  after: BalanceSnapshotsTable | undefined,
): Promise<void> {
  const told = (row: BalanceSnapshotsTable | undefined) => (row ? { [balanceField(row)]: balanceValue(row) } : {});
  tx.journal.record({
    entityType: 'account',
    entityId: account.id,
    entityShortId: account.short_id,
    operation: 'update',
    before: told(before),
    after: told(after),
    revertible: true,
  });
  await updateAccountRow(tx, account.id, { updated_at: tx.now });
  await followNewest(tx, account.id);
}
