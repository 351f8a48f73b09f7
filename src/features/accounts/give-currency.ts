import type { AccountsTable } from '../../db/schema.ts';
import { journalOf } from '../../journal/journal-of.ts';
import type { WriteTx } from '../../journal/write.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { accounts } from './accounts.entity.ts';
import {
  moveSnapshots,
  selectAssumedRows,
  selectAssumedSnapshots,
  type AssumedRow,
  type MovedSnapshot,
} from './assumed-currency.queries.ts';

const transactions = journalOf('transaction');

/**
 * Gives a currency to everything in an account whose currency nobody stated: rows and balances without one, and those
 * for which an import merely assumed one (contract 10.2.2). Answers the balances; the rows are journaled.
 */
export async function giveCurrency(tx: WriteTx, accountId: string, currency: string): Promise<MovedSnapshot[]> {
  for (let after = ''; ;) {
    const rows = await selectAssumedRows(tx, { accountId, currency, after, limit: LIMITS.rowsAtOnce });
    const last = rows.at(-1);
    if (!last) break;
    after = last.id;
    await give(tx, rows, currency);
  }
  return moveSnapshots(tx, accountId, await selectAssumedSnapshots(tx, accountId, currency));
}

async function give(tx: WriteTx, rows: readonly AssumedRow[], currency: string): Promise<void> {
  await tx.updateMany(
    'transactions',
    ['iso_currency_code', 'updated_at'],
    rows.map(({ id }) => [id, currency, tx.now]),
  );
  const fields = { after: { iso_currency_code: currency } };
  for (const row of rows) {
    transactions.changed(tx, row, { ...fields, before: { iso_currency_code: row.iso_currency_code } });
  }
  await tx.journal.flushIfLarge();
}

/** Gives an account without a currency the one that its rows turned out to have, and its balances too (36.7.1). */
export async function adoptAccountCurrency(tx: WriteTx, account: AccountsTable, currency: string): Promise<void> {
  const unknown = (await selectAssumedSnapshots(tx, account.id, currency)).filter(({ from }) => from === '');
  const moved = await moveSnapshots(tx, account.id, unknown);
  await accounts.change(tx, account, { iso_currency_code: currency }, moved.length > 0 ? { internal: { moved } } : {});
}
