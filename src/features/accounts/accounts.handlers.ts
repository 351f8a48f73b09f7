import type { BalanceSnapshotsTable } from '../../db/schema.ts';
import type { ReadTx } from '../../db/unit-of-work.ts';
import { isDateOnly } from '../../kernel/dates.ts';
import { AppError, invalidParameter, notFound, reversedRange, unknownId } from '../../kernel/errors.ts';
import { handleRead, handleWrite, JsonText } from '../handler.ts';
import { recentTransactionsJson } from '../transactions/index.ts';
import { resolveUserIds } from '../users/index.ts';
import { parseFields, pickFields } from './account-fields.ts';
import * as byHand from './accounts-by-hand.contract.ts';
import * as contract from './accounts.contract.ts';
import { recordBalance } from './accounts.entity.ts';
import { getAccountRow, selectAccounts, selectConnectionIds } from './accounts.queries.ts';
import { inListOrder, toAccount, toBalances, toSnapshot } from './accounts.table.ts';
import { balanceCheckOf, balanceChecks } from './balance-checks.ts';
import {
  deleteSnapshot,
  findSnapshot,
  insertSnapshot,
  selectBalances,
  selectLatestBalances,
} from './balances.queries.ts';

const RECENT_TRANSACTIONS = 25;

export const listAccounts = handleRead(contract.listAccounts, async ({ tx }, { query }) => {
  const fields = parseFields(query.fields);
  const rows = await selectAccounts(tx, {
    includeDisconnected: query.include_disconnected,
    ...(query.user_id ? { ownerIds: await resolveUserIds(tx, query.user_id, 'user_id') } : {}),
    ...(query.connection_id ? { connectionIds: await resolveConnectionIds(tx, query.connection_id) } : {}),
  });
  const checks = hasCheck(fields)
    ? await balanceChecks(
        tx,
        rows.map(({ id }) => id),
      )
    : new Map();
  return inListOrder(rows).map((row) => pickFields(toAccount(row, checks.get(row.id)), fields));
});

function hasCheck(fields: ReturnType<typeof parseFields>): boolean {
  return fields === undefined || fields.has('balance_check');
}

/** @throws INVALID_PARAMETER for an id that no connection has */
async function resolveConnectionIds(tx: ReadTx, anyIds: readonly string[]): Promise<string[]> {
  const known = new Map<string, string>();
  for (const { id, short_id } of await selectConnectionIds(tx, anyIds)) known.set(id, id).set(short_id, id);
  return anyIds.map((anyId) => {
    const id = known.get(anyId);
    if (id !== undefined) return id;
    throw unknownId('connection_id', 'connection', anyId);
  });
}

export const getAccount = handleRead(contract.getAccount, async ({ tx }, { params, query }) => {
  const fields = parseFields(query.fields);
  const row = await getAccountRow(tx, params.id);
  return pickFields(toAccount(row, hasCheck(fields) ? await balanceCheckOf(tx, row.id) : undefined), fields);
});

export const getAccountDetail = handleRead(contract.getAccountDetail, async ({ tx }, { params }) => {
  const account = await getAccountRow(tx, params.id);
  const latest = await selectLatestBalances(tx, account.id);
  const reported = latest.length > 0 ? latest : [account];
  const record = JSON.stringify({
    ...toAccount(account, await balanceCheckOf(tx, account.id)),
    connection_user_name: account.connection_user_name,
    connection_short_id: account.connection_short_id,
    balances: reported.map((one) => ({ iso_currency_code: one.iso_currency_code || null, ...toBalances(one) })),
  });
  // The database writes the transactions as JSON, which goes into the record as it is.
  const recent = await recentTransactionsJson(tx, account.id, RECENT_TRANSACTIONS);
  return new JsonText(`${record.slice(0, -1)},"recent_transactions":[${recent.join(',')}]}`);
});

export const getAccountBalances = handleRead(contract.getAccountBalances, async ({ tx }, { params, query }) => {
  const { date_from: from, date_to: to } = query;
  if (from !== undefined && to !== undefined && from > to) {
    throw reversedRange('date_from', 'date_to');
  }
  const account = await getAccountRow(tx, params.id);
  const snapshots = await selectBalances(tx, account.id, from, to);
  return { account_id: account.id, balances: snapshots.map(toSnapshot) };
});

export const setAccountBalance = handleWrite(byHand.setAccountBalance, 'account.update', async (context, input) => {
  const { tx } = context;
  const { params, body } = input;
  const account = await getAccountRow(tx, params.id);
  if (!isDateOnly(params.date)) throw invalidParameter('date', 'date: must be a calendar date as YYYY-MM-DD');
  if (account.provider !== 'csv') {
    throw new AppError('CONFLICT', 'A bank reports the balances of this account, so they cannot be set by hand.');
  }
  const wanted: BalanceSnapshotsTable = {
    account_id: account.id,
    date: params.date,
    iso_currency_code: body.iso_currency_code ?? account.iso_currency_code ?? '',
    balance_current_cents: body.balance_current,
    balance_available_cents: body.balance_available ?? null,
    balance_limit_cents: body.balance_limit ?? null,
    source: 'manual',
    import_id: null,
    recorded_at: tx.now,
    pending_cents: null,
  };
  const existing = await findSnapshot(tx, wanted);
  if (existing && (existing.source !== 'manual' || hasSameBalances(existing, wanted))) return toSnapshot(existing);
  if (existing) await deleteSnapshot(tx, existing);
  await insertSnapshot(tx, wanted);
  await recordBalance(tx, account, existing, wanted);
  tx.journal.summarise(`Set the balance of ${account.display_name ?? account.name} on ${wanted.date}`);
  return toSnapshot(wanted);
});

function hasSameBalances(one: BalanceSnapshotsTable, other: BalanceSnapshotsTable): boolean {
  return (
    one.balance_current_cents === other.balance_current_cents &&
    one.balance_available_cents === other.balance_available_cents &&
    one.balance_limit_cents === other.balance_limit_cents
  );
}

export const deleteAccountBalance = handleWrite(
  byHand.deleteAccountBalance,
  'account.update',
  async (context, input) => {
    const { tx } = context;
    const { params, query } = input;
    const account = await getAccountRow(tx, params.id);
    const currency = query.iso_currency_code ?? account.iso_currency_code ?? '';
    const key = { account_id: account.id, date: params.date, iso_currency_code: currency };
    const existing = params.date.includes('\0') ? undefined : await findSnapshot(tx, key);
    if (existing?.source !== 'manual') throw notFound('balance set by hand on this day');
    await deleteSnapshot(tx, key);
    await recordBalance(tx, account, existing, undefined);
    tx.journal.summarise(`Deleted the balance of ${account.display_name ?? account.name} on ${params.date}`);
    return null;
  },
);
