import type { Detection, ReadContext, ReadOptions, ReadWarning } from './analysis.ts';
import type { BuiltInProfile } from './built-in-profiles.ts';
import { NO_CURRENCY } from './questions.ts';

/** The currency of rows about which the file is silent, and where it comes from (36.5.9). */
export interface CurrencyFallback {
  readonly code: string | null;
  readonly source: 'parameter' | 'account_currency' | 'built_in_profile' | 'default' | null;
}

/** The caller's word, then the account's currency, that of the matched bank, and the household's. */
export function currencyFallback(
  options: ReadOptions,
  context: ReadContext,
  bank: BuiltInProfile | null,
): CurrencyFallback {
  if (options.iso_currency_code) return { code: options.iso_currency_code.toUpperCase(), source: 'parameter' };
  const ofAccount = context.account?.iso_currency_code ?? null;
  if (ofAccount !== null) return { code: ofAccount, source: 'account_currency' };
  if (bank?.strength === 'strong' && bank.currency) return { code: bank.currency, source: 'built_in_profile' };
  const ofHousehold = context.default_currency ?? null;
  return { code: ofHousehold, source: ofHousehold === null ? null : 'default' };
}

/** Whether nobody said the currency: neither the file, nor the caller, nor the account. */
export function isCurrencyAssumed({ value, evidence }: Detection): boolean {
  return value !== null && (evidence.includes('built_in_profile') || evidence.includes('default'));
}

/** Whether the file or its caller said it. */
export function isCurrencyStated(currency: Detection): boolean {
  return currency.value !== null && !isCurrencyAssumed(currency) && !currency.evidence.includes('account_currency');
}

/** What people are told of a currency that the file does not name; null where there is nothing to tell. */
export function currencyWarning(currency: Detection): ReadWarning | null {
  if (currency.value === null) {
    return { code: 'CURRENCY_UNKNOWN', message: NO_CURRENCY, lines: [] };
  }
  if (!isCurrencyAssumed(currency)) return null;
  const whose = currency.evidence.includes('default')
    ? 'the currency of your household'
    : 'the usual currency of this bank';
  const message = `The file does not say which currency its amounts are in. We assumed ${currency.value}, ${whose}. If that is wrong, change the currency of the account.`;
  return { code: 'CURRENCY_ASSUMED', message, lines: [] };
}
