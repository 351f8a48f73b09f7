import { normalisedText } from '../../engines/imports/cell-text.ts';
import { contentKey } from '../../engines/matching/content-key.ts';
import type { WriteTx } from '../../journal/write.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { selectAssumedRows, updateContentKeys, type AssumedRow } from './assumed-currency.queries.ts';
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
  await updateContentKeys(
    tx,
    rows.flatMap((row) => {
      const key = keyIn(row, currency);
      return key === null ? [] : [{ id: row.id, contentKey: key }];
    }),
  );
  for (const row of rows) {
    tx.journal.record({
      entityType: 'transaction',
      entityId: row.id,
      entityShortId: row.short_id,
      operation: 'update',
      before: { iso_currency_code: row.iso_currency_code },
      after: { iso_currency_code: currency },
      ...(row.content_key === null ? {} : { internal: { content_key: row.content_key, source_key: row.source_key } }),
      transactionId: row.id,
      revertible: true,
    });
  }
  await tx.journal.relieve();
}

/** The key by which the file's row is known again, in the new currency; null where the stored text is not the file's. */
function keyIn(row: AssumedRow, currency: string): string | null {
  const { date, amount_cents: cents, name } = row;
  const text = normalisedText(name);
  const isFiles = row.content_key === contentKey(date, cents, row.iso_currency_code, text);
  return isFiles ? contentKey(date, cents, currency, text) : null;
}
