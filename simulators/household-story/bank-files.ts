import { addDays, type DateOnly } from '../../src/kernel/dates.ts';
import type { Household, HouseholdTransaction } from '../household.ts';

/** Ben's account in Berlin sends nothing: he downloads a file every month. */
const ACCOUNT = 'berlin-checking';
const DAYS_OF_FILE = 30;
const FILES = 3;

/** The household without the rows that come in from files. */
export interface FiledHousehold {
  household: Household;
  /** Those files, oldest first, once the household's rows were read. */
  readonly files: () => BankFile[];
}

export interface BankFile {
  name: string;
  /** Empty in a month without a movement. */
  csv: string;
}

/** Keeps back the last months of the account that is filled from files. */
export function withFiles(household: Household, until: DateOnly): FiledHousehold {
  const since = addDays(until, 1 - FILES * DAYS_OF_FILE);
  const filed: HouseholdTransaction[] = [];
  function* others(): Generator<HouseholdTransaction, void> {
    filed.length = 0;
    for (const row of household.transactions()) {
      if (row.account === ACCOUNT && !row.pending && row.date >= since) filed.push(row);
      else yield row;
    }
  }
  const balance = household.accounts.find(({ key }) => key === ACCOUNT)?.balance_current_cents ?? 0;
  return {
    household: { ...household, transactions: others },
    files: () =>
      Array.from({ length: FILES }, (_, index) => {
        const from = addDays(since, index * DAYS_OF_FILE);
        const to = addDays(from, DAYS_OF_FILE);
        const own = filed.filter(({ date }) => date >= from && date < to);
        const later = filed.filter(({ date }) => date >= to);
        const csv = own.length === 0 ? '' : statement(own, balance + total(later));
        return { name: `Umsaetze_0713_${addDays(to, -1)}.csv`, csv };
      }),
  };
}

function total(rows: readonly HouseholdTransaction[]): number {
  return rows.reduce((sum, { amount_cents }) => sum + amount_cents, 0);
}

/** As German banks write it: newest first, with the balance after each row. */
function statement(rows: readonly HouseholdTransaction[], closingCents: number): string {
  let balance = closingCents;
  const lines = rows.toReversed().map(({ date, name, amount_cents: cents }) => {
    const line = [german(date), german(date), `"${name.replaceAll('"', "'")}"`, comma(-cents), comma(balance), 'EUR'];
    balance += cents;
    return line.join(';');
  });
  return `Buchungstag;Wertstellung;Verwendungszweck;Betrag;Saldo;Währung\n${lines.join('\n')}\n`;
}

function german(date: DateOnly): string {
  return date.split('-').toReversed().join('.');
}

function comma(cents: number): string {
  return (cents / 100).toFixed(2).replace('.', ',');
}

/** The kitty of Ben's flat share in Berlin, which is no account of the household. */
export function kitty(until: DateOnly): string {
  const rows = [
    ['Einzahlung Ben', '60,00'],
    ['Putzmittel', '-8,45'],
    ['Einzahlung Lena', '60,00'],
    ['Glühbirnen', '-12,90'],
    ['Pizzaabend', '-34,50'],
  ] as const;
  const lines = rows.map(([text, amount], index) => `${german(addDays(until, 2 * index - 60))};${text};${amount};EUR`);
  return `Datum;Text;Betrag;Währung\n${lines.join('\n')}\n`;
}
