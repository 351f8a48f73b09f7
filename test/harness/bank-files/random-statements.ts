import fc from 'fast-check';

import { addDays } from '../../../src/kernel/dates.ts';
import { ofxFile } from './ofx-files.ts';
import { asCamt, asMt940, type SampleStatement } from './statement-files.ts';

/** Bank statements made at random, and written down in every format. */

export interface BankRow {
  readonly date: string;
  /** Positive = money out. */
  readonly cents: number;
  readonly text: string;
  readonly id: string;
}

const FIRST_DAY = '2026-01-01';
const DAYS = 60;

/** Rows in the bank's order. Few texts and amounts, so that equal rows on a day are common. */
export const bankRows: fc.Arbitrary<BankRow[]> = fc
  .array(
    fc.record({
      day: fc.nat(DAYS - 1),
      cents: fc.constantFrom(350, 350, 1_200, -90_000, 99),
      text: fc.constantFrom('COFFEE HOUSE', 'BOOK SHOP', 'SALARY ACME', 'PARKING GARAGE'),
    }),
    { minLength: 3, maxLength: 14 },
  )
  .map((rows) =>
    rows
      .toSorted((a, b) => a.day - b.day)
      .map(({ day, cents, text }, index) => ({ date: addDays(FIRST_DAY, day), cents, text, id: `ID${index}` })),
  );

export type FileFormat = 'csv' | 'balanced' | 'ofx' | 'qif' | 'camt' | 'mt940';
export const FORMATS: readonly FileFormat[] = ['csv', 'balanced', 'ofx', 'qif', 'camt', 'mt940'];

const OPENING = 100_000;

/** The rows as a file; `account` is the number by which statements name their account. */
export function written(format: FileFormat, rows: readonly BankRow[], account: string): string {
  if (format === 'csv') return table(rows, null);
  if (format === 'balanced') return table(rows, OPENING);
  if (format === 'qif') return `!Type:Bank\n${rows.map(qifRecord).join('')}`;
  if (format === 'ofx') {
    const entries = rows.map(({ id, date, cents, text }) => ({ id, date, amount: printed(-cents), text }));
    return ofxFile({ account, entries });
  }
  const statement: SampleStatement = {
    account,
    openingCents: OPENING,
    closingCents: OPENING - rows.reduce((sum, { cents }) => sum + cents, 0),
    openingDate: rows[0]?.date ?? FIRST_DAY,
    closingDate: rows.at(-1)?.date ?? FIRST_DAY,
    entries: rows,
  };
  return format === 'camt' ? asCamt([statement]) : asMt940([statement]);
}

function table(rows: readonly BankRow[], opening: number | null): string {
  let balance = opening ?? 0;
  const lines = rows.map(({ date, cents, text }) => {
    balance -= cents;
    return `${date},${text},${printed(-cents)},EUR${opening === null ? '' : `,${printed(balance)}`}`;
  });
  return `Date,Description,Amount,Currency${opening === null ? '' : ',Balance'}\n${lines.join('\n')}\n`;
}

function qifRecord({ date, cents, text }: BankRow): string {
  return `D${date}\nT${printed(-cents)}\nP${text}\n^\n`;
}

function printed(cents: number): string {
  return (cents / 100).toFixed(2);
}

/** Date ranges that together cover every row, in any order; days are never cut. */
export const windows: fc.Arbitrary<readonly (readonly [from: number, to: number])[]> = fc
  .array(fc.tuple(fc.nat(DAYS - 1), fc.nat(25)), { minLength: 0, maxLength: 3 })
  .chain((extra) => {
    const cover: [number, number][] = [
      [0, 24],
      [15, 44],
      [38, DAYS],
    ];
    return fc.shuffledSubarray([...cover, ...extra.map(([from, length]): [number, number] => [from, from + length])], {
      minLength: cover.length + extra.length,
    });
  });

export function within(rows: readonly BankRow[], [from, to]: readonly [number, number]): BankRow[] {
  return rows.filter(({ date }) => date >= addDays(FIRST_DAY, from) && date <= addDays(FIRST_DAY, to));
}
