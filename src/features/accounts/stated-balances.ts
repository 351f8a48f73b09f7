import type { BalanceSnapshotsTable } from '../../db/schema.ts';
import type { ReadTx } from '../../db/unit-of-work.ts';
import type { WriteTx } from '../../journal/write.ts';
import { parseCents } from '../../kernel/money.ts';
import { toBalances } from './accounts.table.ts';
import { deleteSnapshot, findSnapshot, insertSnapshot, selectStatedByHand } from './balance-history.queries.ts';

/** Balances that were stated by hand, as the journal keeps them: fields `balance.<date>.<currency>` of the account. */

type Fields = Readonly<Record<string, unknown>>;

const PREFIX = 'balance.';

/** Without the currency where none is stated. */
export function balanceField({ date, iso_currency_code: currency }: DayAndCurrency): string {
  return currency === '' ? `${PREFIX}${date}` : `${PREFIX}${date}.${currency}`;
}

type DayAndCurrency = Pick<BalanceSnapshotsTable, 'date' | 'iso_currency_code'>;

export function isBalanceField(field: string): boolean {
  return field.startsWith(PREFIX);
}

function keyOfField(field: string): DayAndCurrency {
  const [date = '', currency = ''] = field.slice(PREFIX.length).split('.');
  return { date, iso_currency_code: currency };
}

/** What the journal says of such a balance. */
export function balanceValue(row: BalanceSnapshotsTable): Record<string, unknown> {
  return { ...toBalances(row), recorded_at: row.recorded_at };
}

export async function statedFields(tx: ReadTx, accountId: string): Promise<Record<string, unknown>> {
  const rows = await selectStatedByHand(tx, accountId);
  return Object.fromEntries(rows.map((row) => [balanceField(row), balanceValue(row)]));
}

/** Balances among the fields in whose place something reported stands by now: by hand nothing replaces that. */
export async function reportedSince(tx: ReadTx, accountId: string, fields: Fields): Promise<string[]> {
  const found: string[] = [];
  for (const [field, value] of Object.entries(fields)) {
    if (!isBalanceField(field) || value === undefined) continue;
    const standing = await findSnapshot(tx, { account_id: accountId, ...keyOfField(field) });
    if (standing && standing.source !== 'manual') found.push(field);
  }
  return found;
}

/** Makes stated balances as these fields say; undefined takes one away. Answers whether there were any. */
export async function restoreStated(tx: WriteTx, accountId: string, fields: Fields): Promise<boolean> {
  const balances = Object.entries(fields).filter(([field]) => isBalanceField(field));
  for (const [field, value] of balances) {
    const key = { account_id: accountId, ...keyOfField(field) };
    await deleteSnapshot(tx, key);
    if (value !== undefined) await insertSnapshot(tx, { ...key, ...columnsOf(value as Fields) });
  }
  return balances.length > 0;
}

function columnsOf(value: Fields): Omit<BalanceSnapshotsTable, keyof DayAndCurrency | 'account_id'> {
  const cents = (name: string): number | null => parseCents(String(value[name])) ?? null;
  return {
    balance_current_cents: cents('balance_current'),
    balance_available_cents: cents('balance_available'),
    balance_limit_cents: cents('balance_limit'),
    source: 'manual',
    import_id: null,
    recorded_at: String(value['recorded_at']),
  };
}
