import { collapsed } from './cell-text.ts';
import { said } from './placeholder.ts';

/** Codes that end the value before them. Two-letter ones may occur in any text and count behind some codes only. */
const CODES = new Set(
  'TRTP TYPE CSID NAME MARF MREF REMI IBAN BIC EREF KREF PREF BENM ORDP ISDT CNTP PURP ULTD ULTC ULTB RTRN RCMT EXCH OCMT CHGS CHGS1 CHRG ADDR SVCL TRCD BUSP NRTX NREF BATC SWOC OAMT COAM CREF IREF RREF SRCE DESC INIT'.split(
    ' ',
  ),
);
const TELLING = ['NAME', 'REMI', 'IBAN', 'CNTP', 'EREF', 'BENM', 'ORDP', 'TRTP', 'PREF'];
/** Codes that name a side of the payment; NAME, IBAN, BIC and ID behind one are that side's. */
const SIDES = new Set(['BENM', 'ORDP', 'ULTD', 'ULTC', 'ULTB', 'INIT']);
const OF_A_SIDE = new Set(['NAME', 'IBAN', 'BIC', 'ID', 'ADDR']);
const SHORT_CODES: Readonly<Record<string, readonly string[]>> = {
  ID: ['NAME', 'IBAN', 'BIC', 'ADDR', ...SIDES],
  CD: ['PURP'],
};
const LONGEST_CODE = 5;

export interface PairText {
  readonly description: string;
  readonly otherSide: string;
  readonly otherAccount: string;
  readonly bookingText: string;
}

/** Reads a text of `/CODE/value` pairs, perhaps behind a few words of the bank; null when it is none. */
export function readPairs(text: string, isOut: boolean): PairText | null {
  const pairs = split(text);
  const known = TELLING.filter((code) => pairs.has(code) || pairs.has(`BENM.${code}`) || pairs.has(`ORDP.${code}`));
  const isAtStart = text.trimStart().startsWith('/');
  if (known.length < (isAtStart ? 1 : 2)) return null;
  const value = (code: string): string => clean(pairs.get(code) ?? '');
  const first = (...codes: string[]): string => codes.map(value).find((one) => one !== '') ?? '';
  const [account = '', , name = ''] = (pairs.get('CNTP') ?? '').split('/');
  const sides = isOut ? ['BENM', 'ULTC', 'ULTB', 'ORDP', 'INIT'] : ['ORDP', 'ULTD', 'BENM', 'INIT'];
  const side = readSide(first(...sides));
  return {
    description: remittance(pairs.get('REMI') ?? '') || value('DESC') || side.text,
    otherSide: first('NAME') || clean(name) || first(...sides.map((one) => `${one}.NAME`)) || side.name,
    otherAccount: first('IBAN', ...sides.map((one) => `${one}.IBAN`)) || clean(account) || side.account,
    bookingText: value('TRTP') || clean(pairs.get('') ?? ''),
  };
}

/** A side that is written without codes: a name alone, or account, name and purpose with a slash before each. */
function readSide(value: string): { name: string; account: string; text: string } {
  const [account = '', name = '', ...rest] = value.split('/').map((part) => part.trim());
  if (!/^(?:[A-Z]{2})?\d[\dA-Z]{7,}$/.test(account) || name === '') return { name: value, account: '', text: '' };
  return { name, account, text: said(rest.join(' ')) };
}

/** The values by their codes, those of a side as `BENM.NAME`; text before the first code under ''. */
function split(text: string): Map<string, string> {
  const pairs = new Map<string, string>();
  let key = '';
  let code = '';
  let side = '';
  let from = 0;
  const close = (to: number): void => {
    const value = text.slice(from, to);
    if (clean(pairs.get(key) ?? '') === '') pairs.set(key, value);
  };
  for (let at = text.indexOf('/'); at >= 0; at = text.indexOf('/', at + 1)) {
    const end = text.indexOf('/', at + 1);
    if (end < 0) break;
    if (end - at - 1 > LONGEST_CODE + 1) continue;
    const next = text.slice(at + 1, end).trim();
    if (!CODES.has(next) && !SHORT_CODES[next]?.includes(code)) continue;
    close(at);
    if (!OF_A_SIDE.has(next)) side = SIDES.has(next) ? next : '';
    code = next;
    key = side === '' || side === next ? next : `${side}.${next}`;
    from = end + 1;
    at = end - 1;
  }
  close(text.length);
  return pairs;
}

/** `USTD//text` is free text; `STRD/CUR/reference` and `CDTRREFTP//…/CDTRREF/reference` are payment references. */
function remittance(value: string): string {
  const text = clean(value);
  const free = /^USTD\/+/.exec(text);
  if (free) return clean(text.slice(free[0].length));
  const structured = /^(?:STRD\/)?CDTRREFTP\/.{0,60}?\/CDTRREF\/|^STRD\/(?:CUR|ISO|[A-Z]{0,4})\//.exec(text);
  return clean(structured ? text.slice(structured[0].length) : text);
}

/** Without the slashes that close an empty or last value; empty for what stands where a bank has nothing. */
function clean(value: string): string {
  let text = collapsed(value);
  while (text.startsWith('/')) text = text.slice(1);
  while (text.endsWith('/')) text = text.slice(0, -1);
  return said(text);
}
