import type { Database } from '../db/unit-of-work.ts';
import { hasCategories } from '../features/categories/categories.queries.ts';
import { systemOrigin, write } from '../journal/write.ts';

/**
 * Creates what a new installation starts with: the default categories, one tag and one rule. Does nothing, and does not
 * wait at the write gate, if there are categories; so a tag that was deleted stays deleted.
 */
export async function seedLedger(database: Database): Promise<void> {
  if (await database.read(hasCategories)) return;
  const origin = systemOrigin('setup', 'setup.seed', { surface: 'setup' });
  const [{ seedCategories }, { seedRules }, { seedTags }] = await Promise.all([
    import('../features/categories/index.ts'),
    import('../features/rules/index.ts'),
    import('../features/tags/index.ts'),
  ]);
  await write(database, origin, async (tx) => {
    if (await hasCategories(tx)) return;
    await seedCategories(tx);
    await seedRules(tx, await seedTags(tx));
    tx.journal.summarise('Created the default categories, a tag and a rule');
  });
}
