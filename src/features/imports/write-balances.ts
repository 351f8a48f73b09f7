import type { BalanceSnapshotsTable } from '../../db/schema.ts';
import type { WriteTx } from '../../journal/write.ts';
import { keepReplaced, replaceSnapshots, selectNewestSnapshots, selectSnapshots } from './balances.queries.ts';
import { accountOfResult, type Plan } from './plan-import.ts';
import type { MadeIds } from './plan-summary.ts';
import { senseOf } from './proof-record.ts';
import { findAccountRow, updateAccountRow } from './targets.queries.ts';

/**
 * Writes the closing balances that a proved file states as snapshots (36.6.3), and lets the account's own balance
 * follow the newest one (10.2.3). Balances that are known already stay.
 */
export async function writeBalances(tx: WriteTx, plan: Plan, made: MadeIds, importId: string): Promise<void> {
  if (plan.proof.status === 'broken') return;
  for (const account of plan.accounts) {
    const accountId = made.accountIds.get(account) as string;
    const type = account.target.account?.type ?? account.target.created?.type ?? 'depository';
    const results = plan.proof.results.filter((result) => accountOfResult(plan, result) === account);
    const wanted = new Map<string, BalanceSnapshotsTable>();
    for (const result of results) {
      for (const { date, balance_cents: balance, available_cents: available } of result.closings) {
        const currency = result.iso_currency_code ?? '';
        wanted.set(`${date}|${currency}`, {
          account_id: accountId,
          date,
          iso_currency_code: currency,
          balance_current_cents: senseOf(type, result) * balance,
          balance_available_cents: available ?? null,
          balance_limit_cents: null,
          source: 'import',
          import_id: importId,
          recorded_at: tx.now,
        });
      }
    }
    const changed = await unknownOf(tx, accountId, [...wanted.values()]);
    if (changed.length === 0) continue;
    await keepReplaced(tx, importId, changed);
    await replaceSnapshots(tx, changed);
    await followNewest(tx, accountId);
  }
}

async function unknownOf(
  tx: WriteTx,
  accountId: string,
  wanted: readonly BalanceSnapshotsTable[],
): Promise<BalanceSnapshotsTable[]> {
  const dates = wanted.map(({ date }) => date).sort();
  const [first] = dates;
  const last = dates.at(-1);
  if (first === undefined || last === undefined) return [];
  const known = new Map<string, BalanceSnapshotsTable>();
  for (const row of await selectSnapshots(tx, accountId, first, last)) {
    known.set(`${row.date}|${row.iso_currency_code}`, row);
  }
  return wanted.filter((row) => {
    const one = known.get(`${row.date}|${row.iso_currency_code}`);
    const isSame = one?.balance_current_cents === row.balance_current_cents;
    return (
      !isSame || (row.balance_available_cents !== null && one.balance_available_cents !== row.balance_available_cents)
    );
  });
}

/** An account's own balance is that of its newest snapshot (10.2.3). */
export async function followNewest(tx: WriteTx, accountId: string): Promise<void> {
  const account = await findAccountRow(tx, accountId);
  if (!account) return;
  const newest = await selectNewestSnapshots(tx, accountId);
  const currency = account.iso_currency_code;
  const latest = newest.find((row) => currency === null || row.iso_currency_code === currency);
  tx.journal.ownRecord('account');
  await updateAccountRow(tx, accountId, {
    balance_current_cents: latest?.balance_current_cents ?? null,
    balance_available_cents: latest?.balance_available_cents ?? null,
    balance_limit_cents: latest?.balance_limit_cents ?? null,
    balance_date: latest?.date ?? null,
    balance_updated_at: latest?.recorded_at ?? null,
  });
}
