import type { ReadTx } from '../../db/unit-of-work.ts';
import { selectHeldAccounts, selectSnapshots, type Holding } from './history.queries.ts';
import { inCurrencyOrder, toWorth } from './net-worth.ts';

/** The newest balance of each account in each currency it has reported, added up per currency. */
export async function balancesOf(tx: ReadTx, holding: Holding) {
  const accounts = await selectHeldAccounts(tx, holding);
  const liabilities = new Set(accounts.filter(({ isLiability }) => isLiability).map(({ id }) => id));
  const sums = new Map<string, { assets: bigint; liabilities: bigint; accountCount: number }>();
  for (const { accountId, currency, cents } of await selectSnapshots(tx, accounts, null)) {
    if (cents === null) continue;
    const sum = sums.get(currency) ?? { assets: 0n, liabilities: 0n, accountCount: 0 };
    sums.set(currency, sum);
    if (liabilities.has(accountId)) sum.liabilities += cents;
    else sum.assets += cents;
    sum.accountCount += 1;
  }
  return inCurrencyOrder(sums).map(([currency, { accountCount, ...sum }]) => ({
    iso_currency_code: currency,
    ...toWorth(sum),
    account_count: accountCount,
  }));
}
