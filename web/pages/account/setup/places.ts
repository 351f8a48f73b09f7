import type { Option } from '../../../components/choice-fields.tsx';
import { LANGUAGE } from '../../../lib/language.ts';

const FIRST_CURRENCIES = ['EUR', 'USD', 'GBP', 'CHF', 'CAD', 'AUD', 'JPY', 'SEK', 'NOK', 'DKK', 'PLN', 'CZK'];

export function ownTimezone(): string {
  return new Intl.DateTimeFormat(LANGUAGE).resolvedOptions().timeZone;
}

/** Every zone that this browser knows, its own one among them. */
export function timezoneOptions(): Option[] {
  const zones = new Set([...Intl.supportedValuesOf('timeZone'), 'UTC', ownTimezone()]);
  return [...zones].toSorted().map((value) => ({ value, label: value.replaceAll('_', ' ') }));
}

/** Labels begin with the code, so that typing it finds it. */
export function currencyOptions(): Option[] {
  const names = new Intl.DisplayNames(LANGUAGE, { type: 'currency' });
  const codes = new Set([...FIRST_CURRENCIES, ...Intl.supportedValuesOf('currency')]);
  return [...codes].map((value) => ({ value, label: `${value} · ${names.of(value) ?? value}` }));
}
