/** ISO 4217 codes of money that people hold accounts in; fund and test codes are left out. */
const CODES = new Set(
  (
    'AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CLP CNH CNY COP CRC CUP CVE ' +
    'CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HRK HTG HUF IDR ILS INR IQD IRR ISK JMD ' +
    'JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LTL LVL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR ' +
    'MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL ' +
    'THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS VES VND VUV WST XAF XCD XCG XOF XPF YER ZAR ZMW ZWL EEK SKK SIT DEM FRF NLG ITL ESP ATS BEF ' +
    'BTC ETH'
  ).split(' '),
);

const SYMBOLS: Readonly<Record<string, string>> = {
  '€': 'EUR',
  '£': 'GBP',
  '₹': 'INR',
  '₩': 'KRW',
  zł: 'PLN',
  kč: 'CZK',
  ft: 'HUF',
  '₺': 'TRY',
  '₪': 'ILS',
  '₴': 'UAH',
  '₱': 'PHP',
  '฿': 'THB',
  '₫': 'VND',
  r$: 'BRL',
  us$: 'USD',
  a$: 'AUD',
  au$: 'AUD',
  c$: 'CAD',
  ca$: 'CAD',
  nz$: 'NZD',
  hk$: 'HKD',
  s$: 'SGD',
  '₽': 'RUB',
  'руб.': 'RUB',
  руб: 'RUB',
  лв: 'BGN',
  tl: 'TRY',
  円: 'JPY',
  元: 'CNY',
  원: 'KRW',
  lei: 'RON',
  '₸': 'KZT',
  '₼': 'AZN',
  '₾': 'GEL',
  '֏': 'AMD',
  '₮': 'MNT',
  '₲': 'PYG',
  '₡': 'CRC',
  '₵': 'GHS',
  '₦': 'NGN',
  '៛': 'KHR',
  '₭': 'LAK',
  '৳': 'BDT',
  rm: 'MYR',
  rp: 'IDR',
  'rp.': 'IDR',
  ksh: 'KES',
  's/': 'PEN',
  's/.': 'PEN',
  yen: 'JPY',
  rur: 'RUB',
  rmb: 'CNY',
  nis: 'ILS',
  ntd: 'TWD',
  nt$: 'TWD',
  'د.ا': 'JOD',
  'د.أ': 'JOD',
  'د.إ': 'AED',
  'د.ب': 'BHD',
  'د.ت': 'TND',
  'د.ج': 'DZD',
  'د.ك': 'KWD',
  'د.م': 'MAD',
  'ر.س': 'SAR',
  'ر.ع': 'OMR',
  'ر.ق': 'QAR',
  'ج.م': 'EGP',
};

/** Symbols that several currencies share, and the backslash that Japanese fonts show as ¥: accepted in a number, never a proof of the currency. */
const SHARED = new Set(['$', '¥', '￥', '\\', 'kr', 'kr.', 'rs', 'rs.', 'fr', 'fr.', 'sfr.', 'r']);

/** What a shared symbol can mean, where the currencies that have it are few enough to rule others out (36.5.9). */
const MEANINGS: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  [
    ['$', 'USD AUD CAD NZD HKD SGD TWD MXN ARS CLP COP'],
    ['¥ ￥', 'JPY CNY'],
    ['kr kr.', 'SEK NOK DKK ISK'],
  ].flatMap(([symbols = '', codes = '']) =>
    symbols.split(' ').map((symbol) => [symbol, new Set(codes.split(' '))] as const),
  ),
);

/** The currencies that a symbol of several can mean; undefined for any other text. */
export function currenciesOf(symbol: string): ReadonlySet<string> | undefined {
  return MEANINGS.get(symbol.trim().toLowerCase());
}

/** The same for the symbol that a column name states: `Amount ($)`. */
export function currenciesInName(name: string): ReadonlySet<string> | undefined {
  const symbol = /[([（]\s*([$¥￥]|kr\.?)\s*[)\]）]\s*$|(?:^|\s)([$¥￥])\s*$/iu.exec(name);
  return symbol ? currenciesOf((symbol[1] ?? symbol[2]) as string) : undefined;
}

/** Currencies whose amounts have three decimals. */
export const THREE_DECIMALS: ReadonlySet<string> = new Set(['BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND']);

/** Currencies in which amounts have no decimals (36.5.5). */
export const WITHOUT_MINOR_UNIT: ReadonlySet<string> = new Set(['JPY', 'KRW', 'ISK', 'CLP', 'VND']);

/** `د.ا.` is also written without its last point. */
const ARABIC_POINT = /(?<=\p{Script=Arabic})\.$/u;

/** The ISO code of a code, or of a symbol that only one currency has; undefined for anything else. */
export function currencyOf(text: string): string | undefined {
  const word = text.trim();
  if (word.length === 3) {
    const code = word.toUpperCase();
    if (CODES.has(code)) return code;
  }
  return SYMBOLS[word.toLowerCase()] ?? SYMBOLS[word.replace(ARABIC_POINT, '')];
}

/** True for a currency mark that may stand beside a number, shared ones included. */
export function isCurrencyMark(text: string): boolean {
  return SHARED.has(text.toLowerCase()) || currencyOf(text) !== undefined;
}

/** The currency a column name states: `Amount (EUR)`, `Betrag in €`, `Amount CZK`, `EUR`, `残高（円）`. */
export function currencyInName(name: string): string | undefined {
  const wide = /（([^（）]{1,8})）\s*$/u.exec(name);
  if (wide) return currencyWord(wide[1] as string);
  const inner = /\((?:(?:in|em|en) )?([^()]{1,8})\)\s*$|\[([^[\]]{1,8})\]\s*$/iu.exec(name);
  if (inner) return currencyWord(((inner[1] ?? inner[2]) as string).trim());
  const last = name.trim().split(/\s+/u).at(-1) ?? '';
  if (last === last.toUpperCase() && /^[A-Z]{3}\$?$/.test(last)) return currencyOf(last.slice(0, 3));
  return /^(?:[^\p{L}\d]|euro)/iu.test(last) ? currencyWord(last) : undefined;
}

function currencyWord(text: string): string | undefined {
  return /^euro(?:s|a|t)?$/iu.test(text) ? 'EUR' : currencyOf(text);
}
