import { decoderOf, isDosCodePage } from '../../../src/engines/imports/bytes/dos-code-pages.ts';
import { ENCODINGS } from '../../../src/engines/imports/bytes/encoding.ts';
import { LANGUAGES } from '../../harness/bank-files/csv-languages.ts';
import { chosenTraits, knownLedger } from '../known-ledger.ts';
import type { Choices, KnownAccount, KnownLedger, KnownRow, LedgerTraits } from '../known-ledger.ts';
import type { ExpectedRow, KnownFile } from '../verdict.ts';

/** What statement files of every format are made of: a ledger, its parts, and the bytes of a text. */

/** A file whose ledger is known, with the habits in which it was written. */
export interface StatementCase {
  readonly dialect: Readonly<Record<string, unknown>>;
  readonly file: KnownFile;
}

/** Rows of one account that stand together in the file, with the balances around them. */
export interface Part {
  readonly account: KnownAccount;
  readonly rows: readonly KnownRow[];
  readonly openingCents: number;
  readonly closingCents: number;
  /** Of the first and of the last row. */
  readonly from: string;
  readonly to: string;
  readonly page: number;
  readonly isLast: boolean;
}

/** A ledger with the texts of its language; the texts of some have characters that mark-up must escape. */
export function ledgerFor(choices: Choices, change: (traits: LedgerTraits) => LedgerTraits): KnownLedger {
  const ledger = knownLedger(choices, change(chosenTraits(choices, LANGUAGES)));
  const decorate = choices.of<(text: string) => string>([
    (text) => text,
    (text) => text,
    (text) => text,
    (text) => text.toUpperCase(),
    (text) => `${text} & Co`,
    (text) => `${text} "24/7"`,
  ]);
  const accounts = ledger.accounts.map((account) => ({
    ...account,
    rows: account.rows.map((row) => ({ ...row, text: decorate(row.text) })),
  }));
  return { ...ledger, accounts };
}

/** The rows of an account in one part, or in several of some days each. */
export function partsOf(account: KnownAccount, count: number): Part[] {
  const { rows } = account;
  const cuts = new Set<number>();
  for (let i = 1; i < count; i++) {
    let at = Math.round((rows.length * i) / count);
    while (at > 0 && at < rows.length && rows[at]?.date === rows[at - 1]?.date) at++;
    if (at > 0 && at < rows.length) cuts.add(at);
  }
  const bounds = [0, ...cuts, rows.length].toSorted((a, b) => a - b);
  return bounds.slice(1).map((end, i) => {
    const from = bounds[i] as number;
    const own = rows.slice(from, end);
    return {
      account,
      rows: own,
      openingCents: rows[from - 1]?.balanceCents ?? account.openingCents,
      closingCents: own.at(-1)?.balanceCents ?? account.openingCents,
      from: own[0]?.date ?? '',
      to: own.at(-1)?.date ?? '',
      page: i + 1,
      isLast: end === rows.length,
    };
  });
}

export function expectedRow(row: KnownRow, account: KnownAccount): ExpectedRow {
  const { date, cents, text, status } = row;
  return { date, cents, currency: account.currency, text: collapsed(text), account: account.iban, status };
}

function collapsed(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

/** `1234.50` of hundredths, without a sign. */
export function plainAmount(cents: number): string {
  return (Math.abs(cents) / 100).toFixed(2);
}

export function grouped(amount: string, separator: string): string {
  return amount.replace(/\B(?=(?:\d{3})+(?!\d))/g, separator);
}

export function compactDate(date: string): string {
  return date.replaceAll('-', '');
}

export function pick<T>(choices: Choices, usual: T, others: readonly T[], oneIn = 4): T {
  return choices.oneIn(oneIn) ? choices.of(others) : usual;
}

export type Written = 'utf-8' | 'utf-8 with mark' | 'utf-16le with mark' | 'utf-16be with mark' | (string & {});

/** A text in the bytes of an encoding; undefined where the encoding lacks one of its letters. */
function bytesIn(text: string, encoding: Written): Uint8Array | undefined {
  const marked = encoding.endsWith('with mark') ? `\ufeff${text}` : text;
  if (encoding.startsWith('utf-8')) return new TextEncoder().encode(marked);
  if (encoding.startsWith('utf-16')) {
    const bytes = Buffer.from(marked, 'utf16le');
    return new Uint8Array(encoding.startsWith('utf-16be') ? bytes.swap16() : bytes);
  }
  const table = tableOf(encoding);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) {
    const byte = table.get(text.charAt(i));
    if (byte === undefined) return undefined;
    bytes[i] = byte;
  }
  return bytes;
}

const TABLES = new Map<string, ReadonlyMap<string, number>>();

function tableOf(label: string): ReadonlyMap<string, number> {
  let table = TABLES.get(label);
  if (!table) {
    table = new Map(Array.from({ length: 256 }, (_, byte) => [decoded(Uint8Array.of(byte), label), byte] as const));
    TABLES.set(label, table);
  }
  return table;
}

function decoded(bytes: Uint8Array, label: string): string {
  return (isDosCodePage(label) ? decoderOf(label) : new TextDecoder(label)).decode(bytes);
}

/** The encodings in which these bytes are this text: the right answers to a question of the encoding. */
export function encodingsOf(bytes: Uint8Array, text: string): string[] {
  return ENCODINGS.filter((label) => decoded(bytes, label).replace(/^\ufeff/, '') === text);
}

/** The first of these encodings that has all letters of the text. */
export function writtenIn(text: string, wanted: readonly Written[]): { bytes: Uint8Array; encoding: Written } {
  for (const encoding of wanted) {
    const bytes = bytesIn(text, encoding);
    if (bytes) return { bytes, encoding };
  }
  return { bytes: new TextEncoder().encode(text), encoding: 'utf-8' };
}
