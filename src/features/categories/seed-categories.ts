import type { WriteTx } from '../../journal/write.ts';
import { categories } from './categories.entity.ts';
import { DEFAULT_TREE, type DefaultCategory } from './default-tree.ts';

/** Creates the default tree in a ledger without categories. */
export async function seedCategories(tx: WriteTx): Promise<void> {
  const rows = DEFAULT_TREE.flatMap(({ children, ...top }, index) => {
    const parent = toRow(top, null, index + 1);
    const childRow = (child: (typeof children)[number], place: number) =>
      toRow({ ...child, color: null }, parent.id, place + 1);
    return [parent, ...children.map(childRow)];
  });
  await categories.createMany(tx, rows, { revertible: false });

  function toRow(seed: Omit<DefaultCategory, 'children'>, parentId: string | null, sortOrder: number) {
    return {
      id: tx.ids.uuid(),
      ...seed,
      parent_id: parentId,
      is_archived: 0 as const,
      sort_order: sortOrder,
      is_system: 1 as const,
    };
  }
}
