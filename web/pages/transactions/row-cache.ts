import type { InfiniteData } from '@tanstack/react-query';

import type { OutputOf } from '../../../src/contract/operation.ts';
import { getTransaction, listTransactions } from '../../../src/features/transactions/transactions.contract.ts';
import { api } from '../../api/client.ts';
import { keyOf, queryClient } from '../../api/queries.ts';
import type { TransactionRecord } from '../../components/transaction/transaction-row.tsx';

type Page = OutputOf<typeof listTransactions>;
/** A page, or all pages of a list without months. */
type Known = Page | InfiniteData<Page>;

const LISTS = { queryKey: keyOf(listTransactions) };

/** Puts what is known of a row into every list that has it. Lists are not read again, so nothing moves. */
export function patchRow(id: string, next: Partial<TransactionRecord>): void {
  const inPage = (page: Page): Page => {
    const at = page.transactions.findIndex((row) => row.id === id);
    const row = page.transactions[at];
    return row ? { ...page, transactions: page.transactions.with(at, { ...row, ...next }) } : page;
  };
  queryClient.setQueriesData<Known>(LISTS, (known) => {
    if (!known || pagesOf(known).every((page) => inPage(page) === page)) return known;
    return 'pages' in known ? { ...known, pages: known.pages.map(inPage) } : inPage(known);
  });
}

/** The row as the server has it now, wherever it is shown. */
export async function readRowAgain(id: string): Promise<TransactionRecord> {
  const row = await api.call(getTransaction, { params: { id }, query: { include_deleted: 'true' } });
  patchRow(id, row);
  void queryClient.invalidateQueries({ queryKey: keyOf(getTransaction) });
  return row;
}

/** The row as it is shown now. */
export function findRow(id: string): TransactionRecord | undefined {
  for (const [, known] of queryClient.getQueriesData<Known>(LISTS)) {
    for (const page of known ? pagesOf(known) : []) {
      const row = page.transactions.find((one) => one.id === id);
      if (row) return row;
    }
  }
  return undefined;
}

function pagesOf(known: Known): readonly Page[] {
  return 'pages' in known ? known.pages : [known];
}
