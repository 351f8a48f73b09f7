import { flushSync } from 'react-dom';

import { listTransactions } from '../../../src/features/transactions/transactions.contract.ts';
import { LIMITS } from '../../../src/kernel/limits.ts';
import { queryClient, queryOptions } from '../../api/queries.ts';
import { Money } from '../../components/money.tsx';
import { nameOf, type TransactionRecord } from '../../components/transaction/transaction-row.tsx';
import { inWords } from '../../lib/days.ts';
import { counted, inDigits } from '../../lib/numbers.ts';
import { createStore, useStore } from '../../lib/store.ts';
import { queryOf, type View } from './filters.ts';
import { AS_READ, useCount } from './list-queries.ts';

/** Some fifty sheets; the export has all. */
const MOST_PRINTED = 2_000;

interface Printed {
  view: View;
  rows: readonly TransactionRecord[];
}

/** What is being printed: the page has only the rows near the screen, and paper has no screen. */
const printed = createStore<Printed | null>(null);

/** Reads the rows of a list, and opens the browser's dialog with them instead of those on screen. */
export async function printList(view: View): Promise<void> {
  const rows = await rowsOf(view);
  flushSync(() => printed.set({ view, rows }));
  addEventListener('afterprint', () => printed.set(null), { once: true });
  print();
}

async function rowsOf({ filters, sort, order }: View): Promise<TransactionRecord[]> {
  const rows: TransactionRecord[] = [];
  for (let cursor: string | undefined = ''; cursor !== undefined && rows.length < MOST_PRINTED;) {
    const query = queryOf(filters, {
      sort,
      order,
      limit: String(LIMITS.pageMax),
      cursor: cursor === '' ? undefined : cursor,
    });
    const page = await queryClient.fetchQuery({ ...queryOptions(listTransactions, { query }), ...AS_READ });
    rows.push(...page.transactions);
    // By amount and name there is one page.
    cursor = page.has_more && page.next_cursor !== '' ? page.next_cursor : undefined;
  }
  return rows.slice(0, MOST_PRINTED);
}

export function useIsPrinting(): boolean {
  return useStore(printed) !== null;
}

/** The rows on paper, below the filter and the totals of the page. */
export function PrintedList() {
  const shown = useStore(printed);
  return shown && <Sheet {...shown} />;
}

function Sheet({ view, rows }: Printed) {
  const total = useCount(view.filters).data?.count;
  return (
    <div className="hidden print:block">
      <table aria-label="Printed transactions" className="w-full text-left text-xs">
        <thead>
          <tr className="border-b border-line-strong">
            {['Day', 'Transaction', 'Category', 'Account'].map((title) => (
              <th key={title} scope="col" className="py-1 pr-3 font-semibold">
                {title}
              </th>
            ))}
            <th scope="col" className="py-1 text-right font-semibold">
              Amount
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <PrintedRow key={row.id} row={row} />
          ))}
        </tbody>
      </table>
      {total !== undefined && total > rows.length && (
        <p className="mt-2 text-sm">
          The first {inDigits(rows.length)} of {counted(total, 'transaction')}. The export has all.
        </p>
      )}
    </div>
  );
}

function PrintedRow({ row }: { row: TransactionRecord }) {
  return (
    <tr className="border-b border-line align-baseline">
      <td className="py-0.5 pr-3 whitespace-nowrap tabular-nums">{inWords(row.date ?? '')}</td>
      <th scope="row" className="py-0.5 pr-3 font-medium">
        <bdi>{nameOf(row)}</bdi>
        {row.pending === true && <span className="font-normal"> (pending)</span>}
        {row.excluded_from_totals && <span className="font-normal"> (not in totals)</span>}
      </th>
      <td className="py-0.5 pr-3">
        <bdi>{row.category?.name}</bdi>
      </td>
      <td className="py-0.5 pr-3">
        <bdi>{row.account_name}</bdi>
      </td>
      <td className="py-0.5 text-right whitespace-nowrap">
        <Money amount={row.amount ?? '0.00'} currency={row.iso_currency_code ?? null} />
      </td>
    </tr>
  );
}
