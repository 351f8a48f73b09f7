import { listTransactions } from '../../../src/features/transactions/transactions.contract.ts';
import { READ_ONCE } from '../../api/lists.ts';
import { useApiQuery } from '../../api/queries.ts';
import { nameOf, type TransactionRecord } from './transaction-row.tsx';

const LOOKED_AT = 30;

/** The categories of the newest transactions with the same counterparty or name, the most frequent first. */
export function useLikelyCategories(record: TransactionRecord): readonly string[] {
  const { counterparty_id: counterparty } = record;
  const same = counterparty == null ? { search: nameOf(record) } : { counterparty_id: counterparty };
  const query = { ...same, uncategorized: 'false', limit: String(LOOKED_AT), fields: 'category_id' };
  const { data } = useApiQuery(listTransactions, { query }, READ_ONCE);
  const counts = new Map<string, number>();
  for (const { category_id: id } of data?.transactions ?? []) {
    if (id != null) counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return [...counts].toSorted(([, one], [, other]) => other - one).map(([id]) => id);
}
