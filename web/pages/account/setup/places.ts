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

/** Which regions use a currency, of those with many banks' files. */
const REGIONS: Readonly<Record<string, string>> = {
  EUR: 'AT BE BG CY DE EE ES FI FR GR HR IE IT LT LU LV MT NL PT SI SK AD MC SM VA ME XK',
  USD: 'US PR EC SV PA GU',
  GBP: 'GB IM JE GG',
  CHF: 'CH LI',
  CAD: 'CA',
  AUD: 'AU',
  NZD: 'NZ',
  JPY: 'JP',
  SEK: 'SE',
  NOK: 'NO',
  DKK: 'DK GL FO',
  ISK: 'IS',
  PLN: 'PL',
  CZK: 'CZ',
  HUF: 'HU',
  RON: 'RO',
  UAH: 'UA',
  TRY: 'TR',
  ILS: 'IL',
  INR: 'IN',
  SGD: 'SG',
  HKD: 'HK',
  TWD: 'TW',
  KRW: 'KR',
  CNY: 'CN',
  THB: 'TH',
  MYR: 'MY',
  IDR: 'ID',
  PHP: 'PH',
  VND: 'VN',
  ZAR: 'ZA',
  BRL: 'BR',
  MXN: 'MX',
  ARS: 'AR',
  CLP: 'CL',
  COP: 'CO',
  PEN: 'PE',
  AED: 'AE',
  SAR: 'SA',
};

/**
 * The currency of where this browser is: by its time zone where it knows the zones of regions, for many people read
 * English elsewhere; else by the region of its language. Empty if neither says.
 */
export function ownCurrency(zone = ownTimezone(), languages: readonly string[] = navigator.languages): string {
  const named = languages.map(regionOf).find((region) => region !== undefined);
  const all = Object.entries(REGIONS).flatMap(([code, list]) =>
    list.split(' ').map((region) => [region, code] as const),
  );
  const found = all.find(([region]) => zonesOf(region).includes(zone)) ?? all.find(([region]) => region === named);
  return found?.[1] ?? '';
}

/** None of a tag that is malformed: some systems have `en-US@posix`. */
function regionOf(tag: string): string | undefined {
  try {
    return new Intl.Locale(tag).region;
  } catch {
    return undefined;
  }
}

/** Not every browser knows them, and the method came after the property. */
function zonesOf(region: string): readonly string[] {
  const locale = new Intl.Locale('und', { region }) as Intl.Locale & {
    getTimeZones?: () => string[] | undefined;
    timeZones?: string[];
  };
  return locale.getTimeZones?.() ?? locale.timeZones ?? [];
}

/** Labels begin with the code, so that typing it finds it. */
export function currencyOptions(): Option[] {
  const names = new Intl.DisplayNames(LANGUAGE, { type: 'currency' });
  const codes = new Set([...FIRST_CURRENCIES, ...Intl.supportedValuesOf('currency')]);
  return [...codes].map((value) => ({ value, label: `${value} · ${names.of(value) ?? value}` }));
}
