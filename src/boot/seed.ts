import type { Database } from '../db/unit-of-work.ts';
import { seedCategories } from '../features/categories/index.ts';
import { seedTags } from '../features/tags/index.ts';
import { write } from '../journal/write.ts';

const BOOT = { type: 'system', id: null, userId: null, name: 'setup' } as const;

/** What a fresh installation starts with: the default categories and one tag. Writes nothing the second time. */
export async function seedLedger(database: Database): Promise<void> {
  const origin = {
    actor: BOOT,
    surface: 'setup',
    source: 'system',
    action: 'setup.seed',
    reason: null,
    requestId: null,
  } as const;
  await write(database, origin, async (tx) => {
    await seedCategories(tx);
    await seedTags(tx);
    tx.journal.summarise('Created the default categories and tags');
  });
}
