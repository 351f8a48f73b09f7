import { openRecords } from '../cells/table.ts';
import type { Table } from '../cells/table.ts';
import { currencyOf } from '../lexicon/currency.ts';
import { meaningsOf, namesForeignPrice, namesRate } from '../lexicon/synonyms.ts';

/** Lists that state the price of a purchase abroad beside the amount that was booked: `Valuta;Utl. belopp;Belopp`. */

const MOST_RECORDS = 2_000;

/** The column with the currency of that price; -1 without one. A currency right behind the amount is the amount's own. */
export function foreignCurrencyAt(headers: readonly string[], amount: number): number {
  const price = headers.findIndex(namesForeignPrice);
  if (price < 0 || price === amount || amount < 0) return -1;
  const isRate = (i: number): boolean => namesRate(headers[i] ?? '');
  const isCurrency = (i: number): boolean => i !== amount + 1 && meaningsOf(headers[i] ?? '').has('currency');
  return [price - (isRate(price - 1) ? 2 : 1), price + (isRate(price + 1) ? 2 : 1)].find(isCurrency) ?? -1;
}

/** The currency of the account: the only one of the rows whose price is the amount itself, or not stated. */
export function currencyAtHome(table: Table, amount: number): string | undefined {
  const { headers } = table;
  const price = headers.findIndex(namesForeignPrice);
  const currency = foreignCurrencyAt(headers, amount);
  if (currency < 0) return undefined;
  const found = new Set<string>();
  const reader = openRecords(table);
  for (let i = 0; i < MOST_RECORDS && reader.next(); i++) {
    const stated = figuresOf(reader.cell(price));
    const code = currencyOf(reader.cell(currency));
    if (code && (!/[1-9]/.test(stated) || stated === figuresOf(reader.cell(amount)))) found.add(code);
  }
  return found.size === 1 ? [...found][0] : undefined;
}

/** The number without its sign, spaces and symbols. */
function figuresOf(cell: string): string {
  return cell.replaceAll(/[^\d.,]/g, '');
}
