import { seededRandom } from '../src/kernel/random.ts';
import { addDays } from '../src/kernel/dates.ts';
import { formatCents } from '../src/kernel/money.ts';

const SHOPS = [
  'CORNER CAFE',
  'REWE SAGT DANKE',
  'SHELL OIL',
  'AMZN MKTP US',
  'NETFLIX.COM',
  'CITY TRANSIT',
  'PHARMACY PLUS',
  'BOOKS & MORE',
];

export interface CsvOptions {
  rows: number;
  seed: number;
  /** About so many different texts. */
  texts: number;
  /** Rows carry the bank's ids; with a word in every text, the same rows are told in other words. */
  bankIds?: { word: string };
}

/** A bank's CSV export with a running balance: the same for the same options. */
export function csvFile({ rows, seed, texts, bankIds }: CsvOptions): Buffer {
  const random = seededRandom(seed);
  const pick = (n: number): number => Math.floor(random.next() * n);
  const lines = [`Date,Description,Amount,Balance${bankIds ? ',Transaction ID' : ''}`];
  let balance = 5_000_000;
  for (let i = 0; i < rows; i++) {
    const date = addDays('2022-01-01', Math.floor((i * 1_400) / rows));
    const isIn = pick(12) === 0;
    const cents = isIn ? 100_00 + pick(4_000_00) : -(1_00 + pick(300_00));
    balance += cents;
    const [year, month, day] = date.split('-');
    const shop = SHOPS[pick(SHOPS.length)];
    const text = `${shop} ${bankIds?.word ?? 'REF'}${pick(Math.ceil(texts / SHOPS.length))}`;
    const id = bankIds ? `,TX${String(i).padStart(9, '0')}` : '';
    lines.push(`${month}/${day}/${year},${text},${formatCents(cents)},${formatCents(balance)}${id}`);
  }
  return Buffer.from(`${lines.join('\n')}\n`);
}
