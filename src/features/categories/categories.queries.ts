import { sql } from 'kysely';

import type { CategoriesTable, CounterpartiesTable } from '../../db/schema.ts';
import { idColumn } from '../../db/short-ids.ts';
import type { ReadTx } from '../../db/unit-of-work.ts';
import type { NamedAccount } from './provider-slugs.ts';

/** Every category; a household has a few hundred at most, so all of them are read at once. */
export async function selectCategories(tx: ReadTx): Promise<CategoriesTable[]> {
  return tx.q.selectFrom('categories').selectAll().execute();
}

/** The accounts of the household, as texts of transactions may name them. */
export async function selectNamedAccounts(tx: ReadTx): Promise<NamedAccount[]> {
  const accounts = tx.q.selectFrom('accounts').select(['id', 'type', 'mask', 'name', 'display_name']);
  return accounts.where('deleted_at', 'is', null).execute();
}

/** What a choice of a category needs to know of those with these slugs, UUIDs or short_ids. */
export async function selectCategoriesNamed(
  tx: ReadTx,
  names: readonly string[],
): Promise<Pick<CategoriesTable, 'id' | 'short_id' | 'slug' | 'is_archived'>[]> {
  if (names.length === 0) return [];
  const among = (column: string) => tx.portable.inList(sql.ref(column), names);
  const { rows } = await sql<Pick<CategoriesTable, 'id' | 'short_id' | 'slug' | 'is_archived'>>`
    select id, short_id, slug, is_archived from categories
    where ${among('slug')} or ${among('id')} or ${among('short_id')}`.execute(tx.q);
  return rows;
}

export async function hasCategories(tx: ReadTx): Promise<boolean> {
  return (await tx.q.selectFrom('categories').select('id').limit(1).executeTakeFirst()) !== undefined;
}

/** The category with this slug, else with this UUID or short_id. */
export async function findCategory(tx: ReadTx, anyName: string): Promise<CategoriesTable | undefined> {
  const by = (name: 'slug' | 'id' | 'short_id') =>
    tx.q.selectFrom('categories').selectAll().where(name, '=', anyName).executeTakeFirst();
  const column = idColumn(anyName);
  return (await by('slug')) ?? (column && by(column));
}

/** Built-in categories that were merged into this one. */
export async function selectMergedInto(tx: ReadTx, id: string): Promise<CategoriesTable[]> {
  return tx.q.selectFrom('categories').selectAll().where('merged_into_id', '=', id).orderBy('id').execute();
}

export async function hasChildren(tx: ReadTx, id: string): Promise<boolean> {
  const query = tx.q.selectFrom('categories').select('id').where('parent_id', '=', id).limit(1);
  return (await query.executeTakeFirst()) !== undefined;
}

/** Transactions in the category, live and deleted. There is an index for each half, but none for both. */
export async function countCategorised(tx: ReadTx, id: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from transactions where category_id = ${id} and deleted_at is null
    union all select count(*) as n from transactions where category_id = ${id} and deleted_at is not null`.execute(
    tx.q,
  );
  return rows.reduce((sum, { n }) => sum + n, 0);
}

/** How many counterparties are in the category. */
export async function countDescribed(tx: ReadTx, id: string): Promise<number> {
  const { n } = await tx.q
    .selectFrom('counterparties')
    .select((select) => select.fn.countAll<number>().as('n'))
    .where('category_id', '=', id)
    .executeTakeFirstOrThrow();
  return n;
}

/** The counterparties in the category. */
export async function selectDescribed(tx: ReadTx, id: string): Promise<CounterpartiesTable[]> {
  return tx.q.selectFrom('counterparties').selectAll().where('category_id', '=', id).orderBy('id').execute();
}
