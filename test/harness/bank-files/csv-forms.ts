import { formatCents } from '../../../src/kernel/money.ts';
import { LANGUAGES } from './csv-languages.ts';
import type { Kind, Language } from './csv-languages.ts';

/** One known ledger written down in the many ways in which banks write it; the seed decides which. */

export interface LedgerEntry {
  readonly date: string;
  /** Positive = money out. */
  readonly cents: number;
  readonly text: string;
  readonly kind: Kind;
}

export interface FileForm {
  readonly language: Language;
  readonly amounts: 'ours' | 'opposite' | 'pair' | 'direction';
  readonly types: 'none' | 'kinds' | 'instruments';
  readonly dates: 'iso' | 'dots' | 'slashes' | 'american' | 'compact' | 'as of' | 'zoned';
  readonly comma: boolean;
  readonly newestFirst: boolean;
  readonly balances: boolean;
  readonly opening: 'none' | 'in balance' | 'in amount';
  readonly delimiter: ',' | ';' | '\t' | '|';
  readonly header: boolean;
  readonly preamble: boolean;
  readonly textName: 'usual' | 'note' | 'action';
  readonly bytes: 'utf-8' | 'marked' | 'utf-16le' | 'one bad byte' | 'windows-1252' | 'ibm850' | 'ibm852';
  readonly size: number;
  readonly months: number;
}

export interface Rendered {
  readonly form: FileForm;
  readonly entries: readonly LedgerEntry[];
  readonly text: string;
  readonly bytes: Uint8Array;
}

const OPENING_CENTS = 250_000;

/** A small repeatable source of choices. */
class Choices {
  #state: number;

  constructor(seed: number) {
    this.#state = (seed * 2_654_435_761) >>> 0;
  }

  below(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  }

  of<T>(values: readonly T[]): T {
    return values[this.below(values.length)] as T;
  }

  /** True once in so many times. */
  oneIn(times: number): boolean {
    return this.below(times) === 0;
  }
}

/** The file of a seed; what is given is not left to it. */
export function writtenForm(seed: number, given: Partial<FileForm> = {}): Rendered {
  const choices = new Choices(seed);
  const form = { ...chosenForm(choices), ...given };
  const entries = ledgerOf(choices, form);
  const text = written(entries, form);
  return { form, entries, text, bytes: encoded(text, form) };
}

function chosenForm(choices: Choices): FileForm {
  const language = choices.of(LANGUAGES);
  const isEnglish = language.code === 'en';
  const comma = !isEnglish && !choices.oneIn(4);
  const balances = choices.oneIn(2);
  return {
    language,
    amounts: choices.of(['ours', 'opposite', 'pair', 'direction', 'opposite', 'opposite']),
    types: choices.of(['none', 'kinds', 'instruments']),
    dates: choices.of(
      isEnglish
        ? (['iso', 'slashes', 'american', 'compact', 'as of', 'zoned'] as const)
        : (['iso', 'dots', 'slashes', 'dots', 'compact', 'zoned'] as const),
    ),
    comma,
    newestFirst: choices.oneIn(3),
    balances,
    opening: choices.of(balances ? ['none', 'none', 'in balance'] : ['none', 'none', 'in amount']),
    delimiter: choices.of(comma ? [';', '\t', '|'] : [',', ';', '\t', '|']),
    header: !choices.oneIn(6),
    preamble: choices.oneIn(4),
    textName: choices.of(['usual', 'usual', 'usual', 'note', 'action']),
    bytes: choices.of([
      'utf-8',
      'utf-8',
      'marked',
      'utf-16le',
      'one bad byte',
      language.western ? 'windows-1252' : 'utf-8',
      language.western ? 'ibm850' : language.central ? 'ibm852' : 'utf-8',
    ]),
    size: 4 + choices.below(14),
    months: 1 + choices.below(3),
  };
}

function ledgerOf(choices: Choices, { language, size, months }: FileForm): LedgerEntry[] {
  const kinds: readonly Kind[] = ['card', 'card', 'card', 'transferOut', 'directDebit', 'cash', 'fee', 'transferIn'];
  const month = 1 + choices.below(9);
  const days = Array.from({ length: size }, () => choices.below(28 * months)).toSorted((a, b) => a - b);
  return days.map((day, index) => {
    const kind = index === 1 ? 'salary' : index === size - 1 ? 'directDebit' : choices.of(kinds);
    const isIn = kind === 'salary' || kind === 'transferIn';
    const cents = kind === 'salary' ? 215_075 + choices.below(99) : 101 + choices.below(20_000);
    const date = `2025-${pad(month + Math.floor(day / 28))}-${pad(1 + (day % 28))}`;
    return { date, cents: isIn ? -cents : cents, text: `${choices.of(language.shops)} ${index + 100}`, kind };
  });
}

function written(entries: readonly LedgerEntry[], form: FileForm): string {
  const { language, delimiter } = form;
  let balance = OPENING_CENTS;
  const rows = entries.map((entry) => {
    balance -= entry.cents;
    return cellsOf(entry, balance, form);
  });
  if (form.opening !== 'none') rows.unshift(openingCells(entries, form));
  if (form.newestFirst) rows.reverse();
  const head = form.header ? [headOf(form)] : [];
  const preamble = form.preamble ? [[`${language.names.account} 12345678`], []] : [];
  return [...preamble, ...head, ...rows].map((cells) => `${cells.join(delimiter)}\r\n`).join('');
}

function headOf({ language, amounts, types, balances, textName }: FileForm): string[] {
  const { names } = language;
  const text = textName === 'usual' ? names.text : textName === 'note' ? names.note : names.action;
  const money = amounts === 'pair' ? [names.debit, names.credit] : [names.amount];
  const direction = amounts === 'direction' ? [names.direction] : [];
  return [
    names.date,
    text,
    ...(types === 'none' ? [] : [names.type]),
    ...money,
    ...direction,
    ...(balances ? [names.balance] : []),
  ];
}

function cellsOf(entry: LedgerEntry, balance: number, form: FileForm): string[] {
  const { language, amounts, types, balances } = form;
  const money = (cents: number): string => moneyOf(cents, form);
  const size = money(Math.abs(entry.cents));
  const isOut = entry.cents > 0;
  const cells = [dateOf(entry.date, form), entry.text];
  if (types === 'kinds') cells.push(language.types[entry.kind]);
  if (types === 'instruments') cells.push(instrumentOf(entry, language));
  if (amounts === 'pair') cells.push(isOut ? size : '', isOut ? '' : size);
  else if (amounts === 'direction') cells.push(size, isOut ? language.out : language.into);
  else cells.push(money(amounts === 'ours' ? entry.cents : -entry.cents));
  if (balances) cells.push(money(balance));
  return cells;
}

/** Words of the way in which money moves, which say nothing of where it goes. */
function instrumentOf({ kind }: LedgerEntry, { instruments }: Language): string {
  return kind === 'card' || kind === 'cash' || kind === 'fee' ? instruments.card : instruments.transfer;
}

function openingCells(entries: readonly LedgerEntry[], form: FileForm): string[] {
  const { language, amounts, types, balances, opening } = form;
  const amount = opening === 'in amount' ? moneyOf(OPENING_CENTS, form) : '';
  const money = amounts === 'pair' ? ['', amount] : amounts === 'direction' ? [amount, language.into] : [amount];
  return [
    dateOf(entries[0]?.date ?? '2025-01-01', form),
    language.opening,
    ...(types === 'none' ? [] : ['']),
    ...(opening === 'in amount' ? money : money.map(() => '')),
    ...(balances ? [moneyOf(OPENING_CENTS, form)] : []),
  ];
}

function moneyOf(cents: number, { comma }: FileForm): string {
  const plain = formatCents(cents);
  return comma ? plain.replace('.', ',') : plain;
}

function dateOf(date: string, { dates }: FileForm): string {
  const [year, month, day] = date.split('-') as [string, string, string];
  switch (dates) {
    case 'dots':
      return `${day}.${month}.${year}`;
    case 'slashes':
      return `${day}/${month}/${year}`;
    case 'american':
      return `${month}/${day}/${year}`;
    case 'compact':
      return `${year}${month}${day}`;
    case 'as of':
      return `${month}/${day}/${year} as of ${month}/${day}/${year}`;
    case 'zoned':
      return `${year}${month}${day}120000[-5:EST]`;
    case 'iso':
    default:
      return date;
  }
}

function encoded(text: string, { bytes }: FileForm): Uint8Array {
  if (bytes === 'utf-8') return new TextEncoder().encode(text);
  if (bytes === 'marked') return new TextEncoder().encode(`\ufeff${text}`);
  if (bytes === 'utf-16le') return new Uint8Array(Buffer.from(text, 'utf16le'));
  if (bytes === 'one bad byte') return withBadByte(text);
  return singleBytes(text, bytes);
}

/** The second byte of the first letter beyond ASCII is lost, as where a program cuts texts by bytes. */
function withBadByte(text: string): Uint8Array {
  const whole = new TextEncoder().encode(text);
  const at = whole.lastIndexOf(0xc3);
  return at < 0 ? whole : Uint8Array.from([...whole.subarray(0, at + 1), ...whole.subarray(at + 2)]);
}

/** Letters of the code pages of DOS that the ledgers use, by their bytes. */
const DOS = {
  ibm850: {
    ü: 0x81,
    é: 0x82,
    â: 0x83,
    ä: 0x84,
    à: 0x85,
    å: 0x86,
    ç: 0x87,
    ê: 0x88,
    ë: 0x89,
    è: 0x8a,
    Ä: 0x8e,
    É: 0x90,
    ô: 0x93,
    ö: 0x94,
    ò: 0x95,
    ù: 0x97,
    Ö: 0x99,
    Ü: 0x9a,
    ø: 0x9b,
    á: 0xa0,
    í: 0xa1,
    ó: 0xa2,
    ú: 0xa3,
    ñ: 0xa4,
    ã: 0xc6,
    ß: 0xe1,
    õ: 0xe4,
    æ: 0x91,
  },
  ibm852: {
    ü: 0x81,
    é: 0x82,
    ä: 0x84,
    ů: 0x85,
    ć: 0x86,
    ç: 0x87,
    ł: 0x88,
    ő: 0x8b,
    Č: 0xac,
    č: 0x9f,
    á: 0xa0,
    í: 0xa1,
    ó: 0xa2,
    ú: 0xa3,
    ą: 0xa5,
    ž: 0xa7,
    Ž: 0xa6,
    ę: 0xa9,
    ş: 0xad,
    ö: 0x94,
    ź: 0xab,
    ż: 0xbe,
    ě: 0xd8,
    ń: 0xe4,
    ň: 0xe5,
    š: 0xe7,
    ŕ: 0xea,
    ý: 0xec,
    ř: 0xfd,
    ű: 0xfb,
    ś: 0x98,
    ť: 0x9c,
    É: 0x90,
    ď: 0xd4,
    Ú: 0xe9,
  },
} as const;

function singleBytes(text: string, label: 'windows-1252' | 'ibm850' | 'ibm852'): Uint8Array {
  const table = label === 'windows-1252' ? undefined : new Map<string, number>(Object.entries(DOS[label]));
  return Uint8Array.from(text, (letter) => {
    const code = letter.charCodeAt(0);
    return code < 0x80 ? code : (table?.get(letter) ?? (table === undefined && code < 0x100 ? code : 63));
  });
}

function pad(value: number): string {
  return String(value).padStart(2, '0');
}
