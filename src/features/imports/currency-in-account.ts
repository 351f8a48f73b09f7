import type { FileAnalysis } from '../../engines/imports/analysis.ts';
import { isCurrencyAssumed } from '../../engines/imports/currency-choice.ts';
import type { AccountRow } from './targets.queries.ts';

/** The currency of what a file has for an account. */
export type CurrencyIn = (account: AccountRow | null | undefined, asRead: string | null) => string | null;

/** A currency that was only assumed for a file of several accounts gives way to that of each account (36.5.9). */
export function currencyInAccount({ detection }: FileAnalysis): CurrencyIn {
  const assumed = isCurrencyAssumed(detection.currency) ? detection.currency.value : null;
  return (account, asRead) => (asRead === assumed ? (account?.iso_currency_code ?? asRead) : asRead);
}
