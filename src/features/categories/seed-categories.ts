import { shortIdsFor } from '../../db/short-ids.ts';
import type { WriteTx } from '../../journal/write.ts';
import { fold } from '../../kernel/fold.ts';
import { DEFAULT_TREE, type DefaultCategory } from './default-tree.ts';
import { insertCategory } from './categories.queries.ts';
import { toCategory } from './categories.table.ts';

type Seed = Omit<DefaultCategory, 'color' | 'children'>;

/** Plants the default tree; the ledger has no category yet. */
export async function seedCategories(tx: WriteTx): Promise<void> {
  const count = DEFAULT_TREE.reduce((sum, top) => sum + 1 + top.children.length, 0);
  const shortIds = await shortIdsFor(tx, 'categories', count);
  const rowOf = (seed: Seed, parentId: string | null, sortOrder: number, color: string | null) => ({
    id: tx.ids.uuid(),
    short_id: shortIds.pop() as string,
    slug: seed.slug,
    name: seed.name,
    name_folded: fold(seed.name),
    parent_id: parentId,
    kind: seed.kind,
    is_archived: 0 as const,
    icon: seed.icon,
    color,
    sort_order: sortOrder,
    is_system: 1 as const,
    merged_into_id: null,
    created_at: tx.now,
    updated_at: tx.now,
  });
  for (const [index, top] of DEFAULT_TREE.entries()) {
    const parent = rowOf(top, null, index + 1, top.color);
    const children = top.children.map((child, place) => rowOf(child, parent.id, place + 1, null));
    for (const row of [parent, ...children]) {
      await insertCategory(tx, row);
      tx.journal.record({
        entityType: 'category',
        entityId: row.id,
        entityShortId: row.short_id,
        operation: 'create',
        before: null,
        after: toCategory(row),
        revertible: false,
      });
    }
  }
}
