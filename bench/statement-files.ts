import { addDays } from '../src/kernel/dates.ts';
import { seededRandom } from '../src/kernel/random.ts';
import { ofxFile } from '../test/harness/bank-files/ofx-files.ts';
import { asCamt, asMt940, type SampleEntry } from '../test/harness/bank-files/statement-files.ts';

/** A file as large as one may be, nearly: the last entry that would be too much is left out. */
export interface StatementFile {
  name: string;
  entries: number;
  bytes: Buffer;
}

const FIRST = '2020-01-01';
const DAYS = 2_000;
const SHOPS = ['CORNER CAFE', 'REWE SAGT DANKE', 'SHELL OIL', 'AMZN MKTP US', 'NETFLIX.COM', 'CITY TRANSIT'];
const DETAILS = 'EREF+8844 KREF+NONREF MREF+M-2291 CRED+DE98ZZZ09999999999 SVWZ+ INVOICE';

/** The three kinds of statement that carry no columns, each of about so many bytes. */
export function statementFiles(size: number): StatementFile[] {
  return [
    fitted('OFX', size, (entries) =>
      ofxFile({
        closing: [amount(-closing(entries)), addDays(FIRST, DAYS)],
        entries: entries.map(({ date, cents, text, id }) => ({ date, amount: amount(cents), text, id: id ?? '' })),
      }),
    ),
    fitted('MT940', size, (entries) => asMt940([statement('20050000/1234567', entries)])),
    fitted('CAMT', size, (entries) => asCamt([statement('DE89370400440532013000', entries)])),
  ];
}

/** The size of one entry, seen in a small file, says how many fill a large one. */
function fitted(name: string, size: number, render: (entries: readonly SampleEntry[]) => string): StatementFile {
  const sample = 10_000;
  const each = Buffer.byteLength(render(made(sample))) / sample;
  const entries = made(Math.floor((size * 0.98) / each));
  return { name, entries: entries.length, bytes: Buffer.from(render(entries)) };
}

function made(count: number): SampleEntry[] {
  const random = seededRandom(11);
  const pick = (n: number): number => Math.floor(random.next() * n);
  return Array.from({ length: count }, (_, index) => ({
    date: addDays(FIRST, Math.floor((index * DAYS) / count)),
    cents: pick(12) === 0 ? -(100_00 + pick(4_000_00)) : 1_00 + pick(300_00),
    text: `${SHOPS[pick(SHOPS.length)]} ${DETAILS} ${pick(20_000)}`,
    id: `TX${String(index).padStart(9, '0')}`,
  }));
}

function statement(account: string, entries: readonly SampleEntry[]) {
  return {
    account,
    openingCents: 0,
    closingCents: -closing(entries),
    openingDate: FIRST,
    closingDate: addDays(FIRST, DAYS),
    entries,
  };
}

/** What all entries together took out. */
function closing(entries: readonly SampleEntry[]): number {
  return entries.reduce((sum, { cents }) => sum + cents, 0);
}

/** As a bank prints it: negative is money out. */
function amount(cents: number): string {
  return (-cents / 100).toFixed(2);
}
