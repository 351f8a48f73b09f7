import type { Database } from '../db/unit-of-work.ts';
import { hasCategories } from '../features/categories/categories.queries.ts';
import { systemOrigin, write } from '../journal/write.ts';

/**
 * Creates what a new installation starts with: the default categories, one tag and one rule. If there are categories, a
 * tag that was deleted stays deleted; only what banks delivered is mapped to them anew, if this version does it otherwise.
 */
export async function seedLedger(database: Database): Promise<void> {
  if (await database.read(hasCategories)) {
    const { remapCategories } = await import('../features/categories/index.ts');
    await remapCategories(database);
    return;
  }
  const origin = systemOrigin('setup', 'setup.seed', { surface: 'setup' });
  const [{ rememberMapping, seedCategories }, { seedRules }, { seedTags }] = await Promise.all([
    import('../features/categories/index.ts'),
    import('../features/rules/index.ts'),
    import('../features/tags/index.ts'),
  ]);
  await write(database, origin, async (tx) => {
    if (await hasCategories(tx)) return;
    await seedCategories(tx);
    await rememberMapping(tx);
    await seedRules(tx, await seedTags(tx));
    tx.journal.summarise('Created the default categories, a tag and a rule');
  });
}
