import type { BalanceSnapshotsTable } from '../../db/schema.ts';
import type { ReadTx } from '../../db/unit-of-work.ts';
import type { WriteTx } from '../../journal/write.ts';
import { parseCents } from '../../kernel/money.ts';
import { toBalances } from './accounts.table.ts';
import { deleteSnapshot, findSnapshot, insertSnapshot, selectStatedByHand } from './balances.queries.ts';

/** Balances stated by hand, which the journal keeps as fields `balance.<date>.<currency>` of the account. */

type Fields = Readonly<Record<string, unknown>>;

const PREFIX = 'balance.';

/** `balance.<date>` if no currency is stated. */
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

/** The value of the field. */
export function balanceValue(row: BalanceSnapshotsTable): Record<string, unknown> {
  return { ...toBalances(row), recorded_at: row.recorded_at };
}

export async function statedFields(tx: ReadTx, accountId: string): Promise<Record<string, unknown>> {
  const rows = await selectStatedByHand(tx, accountId);
  return Object.fromEntries(rows.map((row) => [balanceField(row), balanceValue(row)]));
}

/** The fields whose balance a bank has reported since: a balance stated by hand never replaces that. */
export async function reportedSince(tx: ReadTx, accountId: string, fields: Fields): Promise<string[]> {
  const found: string[] = [];
  for (const [field, value] of Object.entries(fields)) {
    if (!isBalanceField(field) || value === undefined) continue;
    const existing = await findSnapshot(tx, { account_id: accountId, ...keyOfField(field) });
    if (existing && existing.source !== 'manual') found.push(field);
  }
  return found;
}

/** Restores the balances among these fields; undefined deletes one. Answers whether there were any. */
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
    pending_cents: null,
  };
}
