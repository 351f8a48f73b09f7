import { collapsed, said } from '../../text/cell-text.ts';

/** What `:86:` says about a movement; '' for what it leaves out. */
export interface Mt940Text {
  readonly description: string;
  readonly otherSide: string;
  readonly otherAccount: string;
  readonly bookingText: string;
}

/** Width at which SWIFT breaks a line, even within words; texts of pairs may break one character earlier. */
const FULL_LINE = 65;
const NOTHING: Mt940Text = { description: '', otherSide: '', otherAccount: '', bookingText: '' };

/**
 * Reads all `:86:` of a movement; one that holds only a code is ignored if there are others. `isOut`: when both sides
 * are named, the beneficiary is the other one.
 */
export function readTexts(texts: readonly (readonly string[])[], isOut: boolean): Mt940Text {
  const telling = texts.filter((lines) => !/^\s*\d{3}\s*$/.test(lines.join('').slice(0, 12)));
  const all = (telling.length > 0 ? telling : texts).map((lines) => readText(lines, isOut));
  const first = (name: keyof Mt940Text): string => all.find((text) => text[name] !== '')?.[name] ?? '';
  return {
    description: collapsed(all.map((text) => said(text.description)).join(' ')),
    otherSide: first('otherSide'),
    otherAccount: first('otherAccount'),
    bookingText: first('bookingText'),
  };
}

/** Reads the lines of a `:86:` in whichever of its three forms they are (36.14.4). */
function readText(lines: readonly string[], isOut: boolean): Mt940Text {
  const whole = lines.join('');
  const mark = subfieldMark(whole);
  if (mark !== null) return ofSubfields(splitSubfields(whole, mark));
  const pairs = readPairs(wrapped(lines, FULL_LINE - 1), isOut);
  return pairs ? { ...NOTHING, ...pairs } : plain(lines);
}

/** The character that introduces the two digits of a subfield, when the text is made of subfields. */
function subfieldMark(text: string): string | null {
  const start = /^\s*(?:\d{3})?\s?([?>~<^!|§@])(\d\d)/.exec(text.slice(0, 12));
  if (!start) return null;
  const code = Number(start[2]);
  const isKnown = code <= 1 || code === 10 || (code >= 20 && code <= 39) || (code >= 60 && code <= 69);
  return isKnown ? (start[1] as string) : null;
}

/** The subfields by number; a repeated one continues. Text before the first is dropped. */
function splitSubfields(text: string, mark: string): Map<number, string> {
  const found = new Map<number, string>();
  let code = -1;
  let from = 0;
  const close = (to: number): void => {
    if (code >= 0) found.set(code, (found.get(code) ?? '') + text.slice(from, to));
  };
  for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + 1)) {
    const next = twoDigits(text, at + 1);
    if (next < 0 || !isSubfield(next)) continue;
    close(at);
    code = next;
    from = at + 3;
  }
  close(text.length);
  return found;
}

function isSubfield(code: number): boolean {
  return code <= 19 || (code >= 20 && code <= 39) || (code >= 60 && code <= 69);
}

function twoDigits(text: string, at: number): number {
  const [a, b] = [text.charCodeAt(at) - 48, text.charCodeAt(at + 1) - 48];
  return a >= 0 && a <= 9 && b >= 0 && b <= 9 ? a * 10 + b : -1;
}

function ofSubfields(fields: ReadonlyMap<number, string>): Mt940Text {
  const joined = (from: number, to: number): string => {
    let text = '';
    for (let code = from; code <= to; code++) text += fields.get(code) ?? '';
    return text;
  };
  const sepa = readSepaMarks(joined(20, 29) + joined(60, 63));
  const bookingText = collapsed(fields.get(0) ?? '');
  return {
    description: said(sepa.purpose || behindMarks(fields)),
    otherSide: said(joined(32, 33)) || sepa.otherSide,
    otherAccount: (fields.get(38) ?? fields.get(31) ?? '').replaceAll(/\s/g, '') || sepa.otherAccount,
    bookingText,
  };
}

const FULL_SUBFIELD = 26;

/** The purpose without `SVWZ+`: subfields without a mark, behind one whose value ends before its subfield does. */
function behindMarks(fields: ReadonlyMap<number, string>): string {
  let text = '';
  let isPurpose = false;
  let previous = '';
  for (let code = 20; code <= 29; code++) {
    const part = fields.get(code) ?? '';
    const isMarked = part.search(MARK) === 0;
    isPurpose = !isMarked && (isPurpose || (previous !== '' && previous.length < FULL_SUBFIELD));
    if (isPurpose) text += part;
    previous = part;
  }
  return text;
}

const IBAN_FIRST = /^([A-Z]{2}\d{2}[A-Z0-9]{11,30})(?:\s|$)/;

function plain(lines: readonly string[]): Mt940Text {
  const description = collapsed(wrapped(lines, FULL_LINE));
  const first = (lines[0] ?? '').trim();
  const iban = IBAN_FIRST.exec(first)?.[1];
  if (iban === undefined) {
    const sepa = readSepaMarks(description);
    if (!sepa.hasMarks) {
      const labelled = readLabels(description);
      return labelled ? { ...NOTHING, ...labelled } : { ...NOTHING, description };
    }
    const { otherSide, otherAccount } = sepa;
    return { ...NOTHING, otherSide, otherAccount, description: collapsed(sepa.purpose) || description };
  }
  return { ...NOTHING, description, otherAccount: iban, otherSide: collapsed(first.slice(iban.length)) };
}

/** Lines as one text: a full line may be broken within a word, a shorter one is broken between words. */
function wrapped(lines: readonly string[], full: number): string {
  let text = '';
  let previous: string | null = null;
  for (const line of lines) {
    const isFull = previous !== null && previous.length >= full && previous.length <= FULL_LINE;
    text += previous === null || isFull ? line : ` ${line}`;
    previous = line;
  }
  return text;
}

/** Codes that end the value before them. Two-letter codes occur in any text, so they only count after some codes. */
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

interface PairText {
  readonly description: string;
  readonly otherSide: string;
  readonly otherAccount: string;
  readonly bookingText: string;
}

/** Reads a text of `/CODE/value` pairs, perhaps after a few words of the bank; null for other texts. */
function readPairs(text: string, isOut: boolean): PairText | null {
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

/** The value without the slashes that close it; empty for a placeholder. */
function clean(value: string): string {
  let text = collapsed(value);
  while (text.startsWith('/')) text = text.slice(1);
  while (text.endsWith('/')) text = text.slice(0, -1);
  return said(text);
}

interface SepaText {
  readonly hasMarks: boolean;
  /** What SVWZ+ introduces, else the text before the first mark. */
  readonly purpose: string;
  readonly otherSide: string;
  readonly otherAccount: string;
}

const MARK =
  /(EREF|KREF|MREF|CRED|DEBT|SVWZ|ABWA|ABWE|COAM|OAMT|PURP|IBAN|BIC)\+|\b(EREF|KREF|MREF|CRED|DEBT|SVWZ|ABWA): ?/g;

/** Splits the SEPA marks off a purpose text (36.14.4). */
function readSepaMarks(text: string): SepaText {
  const parts = new Map<string, string>();
  let name = '';
  let from = 0;
  for (const match of text.matchAll(MARK)) {
    keep(parts, name, text.slice(from, match.index));
    name = match[1] ?? (match[2] as string);
    from = match.index + match[0].length;
  }
  keep(parts, name, text.slice(from));
  return {
    hasMarks: name !== '',
    purpose: parts.get('SVWZ') ?? parts.get('') ?? '',
    otherSide: said(parts.get('ABWA') ?? ''),
    otherAccount: (parts.get('IBAN') ?? '').trim(),
  };
}

function keep(parts: Map<string, string>, name: string, text: string): void {
  parts.set(name, (parts.get(name) ?? '') + text);
}

interface LabelledText {
  readonly description: string;
  readonly otherSide: string;
  readonly otherAccount: string;
}

const LABEL = /\b(IBAN|BIC|Naam|Omschrijving|Kenmerk|Machtiging|Incassant|Betalingskenm\.|Voor|REK):\s/gi;

/**
 * Reads `SEPA Overboeking  IBAN: …  BIC: …  Naam: …  Omschrijving: …`, the same in capitals, and `… REK: …/NAAM: …`; null
 * for a text without such labels.
 */
function readLabels(text: string): LabelledText | null {
  const values = new Map<string, string>();
  let label = '';
  let from = 0;
  const close = (to: number): void => {
    if (label !== '' && !values.has(label)) values.set(label, said(text.slice(from, to)));
  };
  for (const match of text.matchAll(LABEL)) {
    close(match.index);
    label = (match[1] as string).toLowerCase();
    from = match.index + match[0].length;
  }
  close(text.length);
  const value = (name: string): string => values.get(name) ?? '';
  if (value('rek') !== '' && values.has('naam')) {
    const account = value('rek').replace(/\/$/, '');
    const end = text.search(/\brek:\s/i);
    return { description: said(text.slice(0, end)), otherSide: value('naam'), otherAccount: account };
  }
  if (value('iban') === '' || !values.has('naam')) return null;
  return {
    description: value('omschrijving') || value('betalingskenm.') || value('kenmerk'),
    otherSide: value('naam'),
    otherAccount: value('iban').replaceAll(' ', ''),
  };
}
