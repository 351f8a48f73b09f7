import { currencyOf } from '../lexicon/currency.ts';
import { meaningsOf, namesForeignPrice, namesRate } from '../lexicon/synonyms.ts';
import type { TableStats } from './column-stats.ts';

/** Lists that state the price of a purchase abroad beside the amount that was booked: `Valuta;Utl. belopp;Belopp`. */

/** The column with the currency of that price; -1 without one. A currency right behind the amount is the amount's own. */
export function foreignCurrencyAt(headers: readonly string[], amount: number): number {
  const price = headers.findIndex(namesForeignPrice);
  if (price < 0 || price === amount || amount < 0) return -1;
  const before = namesRate(headers[price - 1] ?? '') ? price - 2 : price - 1;
  const isCurrency = (i: number): boolean => i !== amount + 1 && meaningsOf(headers[i] ?? '').has('currency');
  return [before, price + 1].find(isCurrency) ?? -1;
}

/** The currency beside the rows without such a price, which is that of the account; undefined if they state none. */
export function currencyAtHome(
  headers: readonly string[],
  { columns }: TableStats,
  amount: number,
): string | undefined {
  const price = columns[headers.findIndex(namesForeignPrice)];
  const words = columns[foreignCurrencyAt(headers, amount)]?.words;
  if (!price || !words) return undefined;
  const rowsAbroad = price.filled - price.zeros - price.dashes;
  const rows = [...words.values()].reduce((sum, times) => sum + times, 0);
  const [home, ...others] = [...words].filter(([, times]) => times === rows - rowsAbroad);
  return home && others.length === 0 ? currencyOf(home[0]) : undefined;
}
