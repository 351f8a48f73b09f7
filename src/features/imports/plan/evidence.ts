import type { ReadTx } from '../../../db/unit-of-work.ts';
import type { BalanceResult, FileAnalysis } from '../../../engines/imports/analysis.ts';
import type { Evidence, Span, StatedSum } from '../../../engines/matching/identity.ts';
import { isImportBalance } from './balances.queries.ts';
import { selectCoveredSpans, selectListedLater } from './evidence.queries.ts';
import { senseOf } from './ledger-proof.ts';
import type { CurrencyIn } from './plan-row.ts';
import type { PlannedAccount } from './plan.ts';

/** What decides, besides the rows, which rows of a file the ledger has: days, stored balances, later lists (36.7). */
export async function evidenceFor(
  tx: ReadTx,
  { bank_id_namespace: namespace }: FileAnalysis,
  account: PlannedAccount,
  { results, currencyIn }: { results: readonly BalanceResult[]; currencyIn: CurrencyIn },
): Promise<Evidence> {
  const { days, target } = account;
  const known = target.account;
  const nothing = { covered: [], goesOn: false, listedLater: new Set<string>() };
  const stated = {
    days,
    isProved: results.length > 0 && results.every(isProvedByItself),
    sums: sumsOf(results, (code) => currencyIn(known, code)),
  };
  if (known === null || days === null) return { ...stated, ...nothing };
  const { imports, bank } = await selectCoveredSpans(tx, known.id);
  const later = imports.filter(({ last }) => last > days.last);
  return {
    ...stated,
    covered: bank === null ? imports : [...imports, bank],
    goesOn: await goesOn(tx, account, { days, imports, results, currencyIn }),
    listedLater: namespace === null ? new Set() : await selectListedLater(tx, known.id, later, account.ledgerSpan),
  };
}

function isProvedByItself({ status, method }: BalanceResult): boolean {
  return status === 'proved' && (method === 'running_balance' || method === 'statement_balances');
}

function sumsOf(
  results: readonly BalanceResult[],
  currencyOf: (code: string | null) => string | null,
): StatedSum[] | null {
  const sums: StatedSum[] = [];
  for (const { opening_cents: opening, closing_cents: closing, kind, iso_currency_code: code } of results) {
    if (opening === null || closing === null) return null;
    const change = BigInt(closing) - BigInt(opening);
    sums.push({ currency: currencyOf(code), cents: kind === 'debt' ? change : -change });
  }
  return sums.length === 0 ? null : sums;
}

interface Continued {
  readonly days: Span;
  readonly imports: readonly Span[];
  readonly results: readonly BalanceResult[];
  readonly currencyIn: CurrencyIn;
}

/** Whether the file begins with the balance with which the ledger ends, on a day that has rows already. */
async function goesOn(
  tx: ReadTx,
  { target, ledger }: PlannedAccount,
  { days, imports, results, currencyIn }: Continued,
): Promise<boolean> {
  const [result, other] = results;
  const { account } = target;
  if (!account || !result || other || result.opening_cents === null) return false;
  if (imports.some(({ last }) => last > days.first)) return false;
  const currency = currencyIn(account, result.iso_currency_code);
  const opening = senseOf(account.type, result) * result.opening_cents;
  if (!(await isImportBalance(tx, account.id, { date: days.first, currency, cents: opening }))) return false;
  let sum = 0;
  for (const row of ledger) {
    const isCounted = row.state === 'live' && !row.pending && row.date === days.first && row.currency === currency;
    if (isCounted) sum += row.amountCents;
  }
  return sum !== 0;
}
