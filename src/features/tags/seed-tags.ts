import { shortIdFor } from '../../db/short-ids.ts';
import type { WriteTx } from '../../journal/write.ts';
import { fold } from '../../kernel/fold.ts';
import { insertTag } from './tags.queries.ts';

const NEEDS_REVIEW = { slug: 'needs-review', name: 'Needs review', color: '#f59e0b', description: 'Not looked at yet' };

/** A fresh installation has one tag (contract 10.9). */
export async function seedTags(tx: WriteTx): Promise<void> {
  const row = {
    id: tx.ids.uuid(),
    short_id: await shortIdFor(tx, 'tags'),
    ...NEEDS_REVIEW,
    name_folded: fold(NEEDS_REVIEW.name),
    icon: null,
    created_at: tx.now,
    updated_at: tx.now,
  };
  await insertTag(tx, row);
  const { name_folded: _derived, ...after } = row;
  tx.journal.record({
    entityType: 'tag',
    entityId: row.id,
    entityShortId: row.short_id,
    operation: 'create',
    before: null,
    after,
    revertible: false,
  });
}
