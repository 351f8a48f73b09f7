import { invalidParameter } from '../../kernel/errors.ts';

export type SortKey = 'date' | 'amount' | 'name';
export type SortOrder = 'asc' | 'desc';

export interface SortControls {
  sort?: SortKey | undefined;
  sort_by?: SortKey | undefined;
  order?: SortOrder | undefined;
  sort_order?: SortOrder | undefined;
}

/** @throws INVALID_PARAMETER when a synonym is given beside the name it stands for. */
export function readSort(
  query: SortControls,
  defaultOrder: (sort: SortKey) => SortOrder,
): { sort: SortKey; order: SortOrder } {
  if (query.sort !== undefined && query.sort_by !== undefined) {
    throw invalidParameter('sort_by', 'sort and sort_by mean the same. Send one of them.');
  }
  if (query.order !== undefined && query.sort_order !== undefined) {
    throw invalidParameter('sort_order', 'order and sort_order mean the same. Send one of them.');
  }
  const sort = query.sort ?? query.sort_by ?? 'date';
  return { sort, order: query.order ?? query.sort_order ?? defaultOrder(sort) };
}
