import { listTransactions } from '../../../src/features/transactions/transactions.contract.ts';
import { queryClient, queryOptions } from '../../api/queries.ts';
import { PIECE_ROWS } from './piece-rows.ts';

const PATH = '/transactions';

/** Asks for the first rows of the whole list while the code of the page is on its way: the same question as the page's own. */
export function readAhead(): void {
  if (location.pathname === PATH && location.search !== '') return;
  void queryClient.prefetchQuery(queryOptions(listTransactions, { query: { limit: String(PIECE_ROWS) } }));
}
