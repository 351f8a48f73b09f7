import type { CategoriesTable } from '../../db/schema.ts';
import type { BareWriteTx, ReadTx } from '../../db/unit-of-work.ts';

/** Every category; a household has a few hundred at most, so all of them are read at once. */
export async function selectCategories(tx: ReadTx): Promise<CategoriesTable[]> {
  return tx.q.selectFrom('categories').selectAll().execute();
}

export async function hasCategories(tx: ReadTx): Promise<boolean> {
  return (await tx.q.selectFrom('categories').select('id').limit(1).executeTakeFirst()) !== undefined;
}

export async function insertCategory(tx: BareWriteTx, row: CategoriesTable): Promise<void> {
  await tx.q.insertInto('categories').values(row).execute();
}
