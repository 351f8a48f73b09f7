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

/** A bank's CSV export with a running balance and about so many different texts: the same for the same seed. */
export function csvFile(rows: number, seed: number, texts: number): Buffer {
  const random = seededRandom(seed);
  const pick = (n: number): number => Math.floor(random.next() * n);
  const lines = ['Date,Description,Amount,Balance'];
  let balance = 5_000_000;
  for (let i = 0; i < rows; i++) {
    const date = addDays('2022-01-01', Math.floor((i * 1_400) / rows));
    const isIn = pick(12) === 0;
    const cents = isIn ? 100_00 + pick(4_000_00) : -(1_00 + pick(300_00));
    balance += cents;
    const [year, month, day] = date.split('-');
    const shop = SHOPS[pick(SHOPS.length)];
    lines.push(
      `${month}/${day}/${year},${shop} REF${pick(Math.ceil(texts / SHOPS.length))},${formatCents(cents)},${formatCents(balance)}`,
    );
  }
  return Buffer.from(`${lines.join('\n')}\n`);
}
