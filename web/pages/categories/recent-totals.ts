import type { OutputOf } from '../../../src/contract/operation.ts';
import { getOverview } from '../../../src/features/overview/overview.contract.ts';
import { summarizeTransactions } from '../../../src/features/transactions/transactions.contract.ts';
import { useApiQuery } from '../../api/queries.ts';
import type { Category } from '../../lib/category-color.ts';
import { amountOf, centsOf } from '../../lib/amounts.ts';
import { addDays, dayIn } from '../../lib/days.ts';
import { inCurrency, rowsBehind, type RowSearch } from '../../lib/rows-behind.ts';

type Row = OutputOf<typeof summarizeTransactions>['summary'][number];

const DAYS = 90;

/** What a category came to, in one currency; signed as in the API. */
export interface CategoryTotal {
  currency: string | null;
  amount: string;
}

export interface RecentTotals {
  /** Of a category and its children, by currency. */
  of: (category: Category) => readonly CategoryTotal[];
  /** The list of the rows behind a total; undefined where no address can say it. */
  rowsOf: (category: Category, currency: string | null) => RowSearch | undefined;
}

/** What each category came to in the last 90 days; undefined until that is known. */
export function useRecentTotals(): RecentTotals | undefined {
  const overview = useApiQuery(getOverview, {}, { staleTime: 60_000 }).data;
  const today = overview ? dayIn(overview.timezone, overview.as_of) : '';
  const dates = today === '' ? {} : { date_from: addDays(today, 1 - DAYS), date_to: today };
  const { data } = useApiQuery(
    summarizeTransactions,
    { query: { group_by: 'category', ...dates } },
    { enabled: today !== '' },
  );
  if (!data) return undefined;
  const rows = Map.groupBy(data.summary, ({ category_id: id }) => id ?? '');
  const children = Map.groupBy(data.summary, ({ parent_id: id }) => id ?? '');
  return {
    of: ({ id }) => summed([...(rows.get(id) ?? []), ...(children.get(id) ?? [])]),
    rowsOf: ({ slug }, currency) => {
      const only = inCurrency(
        currency,
        data.totals.map((total) => total.iso_currency_code),
      );
      return only && rowsBehind(data.filters, { category_slug: slug, ...only });
    },
  };
}

function summed(rows: readonly Row[]): CategoryTotal[] {
  const sums = new Map<string | null, bigint>();
  for (const { iso_currency_code: currency, total_amount: amount } of rows) {
    sums.set(currency, (sums.get(currency) ?? 0n) + centsOf(amount));
  }
  return [...sums].map(([currency, cents]) => ({ currency, amount: amountOf(cents) }));
}
