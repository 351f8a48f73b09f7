import type { BalanceSnapshotsTable } from '../../db/schema.ts';
import type { WriteTx } from '../../journal/write.ts';
import { followNewest } from '../accounts/index.ts';
import { keepReplaced, replaceSnapshots, selectSnapshots } from './balances.queries.ts';
import type { CreatedIds } from './describe-plan.ts';
import { senseOf } from './ledger-proof.ts';
import { accountOfResult, type Plan } from './plan.ts';

/**
 * Writes the closing balances that a proved file states as snapshots (36.6.3), and lets the account's own balance
 * follow the newest one (10.2.3). Balances that are known already stay.
 */
export async function writeBalances(tx: WriteTx, plan: Plan, createdIds: CreatedIds, importId: string): Promise<void> {
  if (plan.proof.status === 'broken') return;
  for (const account of plan.accounts) {
    const accountId = createdIds.accountIds.get(account) as string;
    const type = account.target.account?.type ?? account.target.created?.type ?? 'depository';
    const results = plan.proof.results.filter((result) => accountOfResult(plan, result) === account);
    const wanted = new Map<string, BalanceSnapshotsTable>();
    for (const result of results) {
      for (const { date, balance_cents: balance, available_cents: available } of result.closings) {
        const currency = plan.currencyIn(account.target.account, result.iso_currency_code) ?? '';
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
    // What a bank reports stands in the place of what was stated by hand, also where both say the same.
    const isSame = one?.balance_current_cents === row.balance_current_cents && one.source !== 'manual';
    return (
      !isSame || (row.balance_available_cents !== null && one.balance_available_cents !== row.balance_available_cents)
    );
  });
}
