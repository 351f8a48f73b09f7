import { listTransactions } from '../../../src/features/transactions/transactions.contract.ts';
import { LIMITS } from '../../../src/kernel/limits.ts';
import { useApiQuery } from '../../api/queries.ts';
import { isTrue, queryOf, within } from './filters.ts';
import { useList } from './list-context.ts';
import { AS_READ } from './list-queries.ts';
import type { View } from './filters.ts';
import type { Stretch } from './months.ts';

/** Whether a row has a comment, which rows do not say themselves; of a stretch of months, or in the order of a list without. */
export function useCommented(
  stretch: Pick<Stretch, 'from' | 'to'> | null,
  order: Partial<Pick<View, 'sort' | 'order'>> = {},
): (id: string) => boolean {
  const { filters } = useList();
  const isSaid = filters.has_comment !== undefined;
  const here = stretch ? within(filters, stretch.from, stretch.to) : filters;
  const query = queryOf(here, { ...order, has_comment: 'true', fields: 'id', limit: String(LIMITS.pageMax) });
  const { data } = useApiQuery(listTransactions, { query }, { ...AS_READ, enabled: !isSaid });
  if (isSaid) return () => isTrue(filters.has_comment);
  const ids = new Set(data?.transactions.map(({ id }) => id));
  return (id) => ids.has(id);
}
