import type { AccountsTable } from '../../db/schema.ts';
import type { WriteTx } from '../../journal/write.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { updateAccountRow } from './accounts.queries.ts';
import { selectAssumedRows, type AssumedRow } from './assumed-currency.queries.ts';
import { followNewest } from './follow-newest.ts';
import { moveSnapshots, selectAssumedSnapshots, type MovedSnapshot } from './snapshot-currency.queries.ts';

/**
 * Gives a currency to everything in an account whose currency nobody stated: rows and balances without one, and those
 * for which an import merely assumed one (contract 10.2.2). Each row is journaled. Answers the balances.
 */
export async function giveCurrency(tx: WriteTx, accountId: string, currency: string): Promise<MovedSnapshot[]> {
  for (let after = ''; ;) {
    const rows = await selectAssumedRows(tx, { accountId, currency, after, limit: LIMITS.rowsAtOnce });
    const last = rows.at(-1);
    if (!last) break;
    after = last.id;
    await give(tx, rows, currency);
  }
  const moved = await moveSnapshots(tx, accountId, await selectAssumedSnapshots(tx, accountId, currency));
  await followNewest(tx, accountId);
  return moved;
}

async function give(tx: WriteTx, rows: readonly AssumedRow[], currency: string): Promise<void> {
  await tx.updateMany(
    'transactions',
    ['iso_currency_code', 'updated_at'],
    rows.map(({ id }) => [id, currency, tx.now]),
  );
  for (const row of rows) {
    tx.journal.record({
      entityType: 'transaction',
      entityId: row.id,
      entityShortId: row.short_id,
      operation: 'update',
      before: { iso_currency_code: row.iso_currency_code },
      after: { iso_currency_code: currency },
      transactionId: row.id,
      revertible: true,
    });
  }
  await tx.journal.flushIfLarge();
}

/** An account whose currency was unknown takes the one that became known of its rows, for its balances too (36.7.1). */
export async function adoptAccountCurrency(
  tx: WriteTx,
  { id, short_id }: Pick<AccountsTable, 'id' | 'short_id'>,
  currency: string,
): Promise<void> {
  await updateAccountRow(tx, id, { iso_currency_code: currency, updated_at: tx.now });
  const unknown = (await selectAssumedSnapshots(tx, id, currency)).filter(({ from }) => from === '');
  const moved = await moveSnapshots(tx, id, unknown);
  tx.journal.record({
    entityType: 'account',
    entityId: id,
    entityShortId: short_id,
    operation: 'update',
    before: { iso_currency_code: null },
    after: { iso_currency_code: currency },
    ...(moved.length > 0 ? { internal: { moved } } : {}),
    revertible: true,
  });
}
