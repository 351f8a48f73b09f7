import { collapsed } from './cell-text.ts';

/** Codes that end the value before them. Two-letter ones may occur in any text and are left out. */
const CODES = new Set(
  'TRTP TYPE CSID NAME MARF MREF REMI IBAN BIC EREF KREF PREF BENM ORDP ISDT CNTP PURP ULTD ULTC ULTB RTRN RCMT EXCH OCMT CHGS CHGS1 ADDR SVCL TRCD BUSP NRTX NREF BATC SWOC OAMT COAM CREF IREF SRCE DESC'.split(
    ' ',
  ),
);
const TELLING = ['NAME', 'REMI', 'IBAN', 'CNTP', 'EREF', 'BENM', 'ORDP', 'TRTP'];
const LONGEST_CODE = 5;

export interface PairText {
  readonly description: string;
  readonly otherSide: string;
  readonly otherAccount: string;
  readonly bookingText: string;
}

/** Reads a text of `/CODE/value` pairs; null when it is none. */
export function readPairs(text: string): PairText | null {
  if (!text.trimStart().startsWith('/')) return null;
  const pairs = split(text);
  if (!TELLING.some((code) => pairs.has(code))) return null;
  const [account = '', , name = ''] = (pairs.get('CNTP') ?? '').split('/');
  return {
    description: remittance(pairs.get('REMI') ?? '') || clean(pairs.get('DESC') ?? ''),
    otherSide: clean(pairs.get('NAME') ?? '') || clean(name),
    otherAccount: clean(pairs.get('IBAN') ?? '') || clean(account),
    bookingText: clean(pairs.get('TRTP') ?? ''),
  };
}

function split(text: string): Map<string, string> {
  const pairs = new Map<string, string>();
  let code = '';
  let from = 0;
  const close = (to: number): void => {
    const known = pairs.get(code);
    const value = text.slice(from, to);
    if (code !== '' && (known === undefined || known.trim() === '')) pairs.set(code, value);
  };
  for (let at = text.indexOf('/'); at >= 0; at = text.indexOf('/', at + 1)) {
    const end = text.indexOf('/', at + 1);
    if (end < 0) break;
    if (end - at - 1 > LONGEST_CODE + 1) continue;
    const next = text.slice(at + 1, end).trim();
    if (!CODES.has(next)) continue;
    close(at);
    code = next;
    from = end + 1;
    at = end - 1;
  }
  close(text.length);
  return pairs;
}

/** `USTD//text` is free text, `STRD/CUR/reference` a payment reference. */
function remittance(value: string): string {
  const text = value.trim();
  if (text.startsWith('USTD//')) return clean(text.slice(6));
  const structured = /^STRD\/(?:CUR|ISO|[A-Z]{0,4})\//.exec(text);
  return clean(structured ? text.slice(structured[0].length) : text);
}

/** Without the slashes that close an empty or last value. */
function clean(value: string): string {
  let text = collapsed(value);
  while (text.startsWith('/')) text = text.slice(1);
  while (text.endsWith('/')) text = text.slice(0, -1);
  return text.trim();
}
