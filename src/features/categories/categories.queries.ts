import { sql } from 'kysely';

import type { CategoriesTable } from '../../db/schema.ts';
import type { BareWriteTx, ReadTx } from '../../db/unit-of-work.ts';
import { isShortId, isUuid } from '../../kernel/ids.ts';

const CHANGEABLE = [
  'name',
  'name_folded',
  'parent_id',
  'kind',
  'is_archived',
  'icon',
  'color',
  'sort_order',
  'merged_into_id',
  'updated_at',
] as const;

const COLUMNS = ['id', 'short_id', 'slug', 'is_system', 'created_at', ...CHANGEABLE] as const;

/** Every category; a household has a few hundred at most, so all of them are read at once. */
export async function selectCategories(tx: ReadTx): Promise<CategoriesTable[]> {
  return tx.q.selectFrom('categories').selectAll().execute();
}

export async function hasCategories(tx: ReadTx): Promise<boolean> {
  return (await tx.q.selectFrom('categories').select('id').limit(1).executeTakeFirst()) !== undefined;
}

/** By slug, then UUID, then short_id. */
export async function findCategory(tx: ReadTx, named: string): Promise<CategoriesTable | undefined> {
  const by = (column: 'slug' | 'id' | 'short_id') =>
    tx.q.selectFrom('categories').selectAll().where(column, '=', named).executeTakeFirst();
  return (await by('slug')) ?? (isUuid(named) ? by('id') : isShortId(named) ? by('short_id') : undefined);
}

export async function insertCategory(tx: BareWriteTx, row: CategoriesTable): Promise<void> {
  await tx.q.insertInto('categories').values(row).execute();
}

/** Parents before their children. */
export async function insertCategories(tx: BareWriteTx, rows: readonly CategoriesTable[]): Promise<void> {
  await tx.insertMany(
    'categories',
    COLUMNS,
    rows.map((row) => COLUMNS.map((column) => row[column])),
  );
}

export async function updateCategories(tx: BareWriteTx, rows: readonly CategoriesTable[]): Promise<void> {
  await tx.updateMany(
    'categories',
    CHANGEABLE,
    rows.map((row) => [row.id, ...CHANGEABLE.map((column) => row[column])]),
  );
}

export async function deleteCategoryRow(tx: BareWriteTx, id: string): Promise<void> {
  await tx.q.deleteFrom('categories').where('id', '=', id).execute();
}

/** Categories of the default tree that were merged into this one. */
export async function selectMergedInto(tx: ReadTx, id: string): Promise<CategoriesTable[]> {
  return tx.q.selectFrom('categories').selectAll().where('merged_into_id', '=', id).orderBy('id').execute();
}

export async function hasChildren(tx: ReadTx, id: string): Promise<boolean> {
  const query = tx.q.selectFrom('categories').select('id').where('parent_id', '=', id).limit(1);
  return (await query.executeTakeFirst()) !== undefined;
}

/** Transactions in the category, live and deleted. Each half has an index; the two together have none. */
export async function countCategorised(tx: ReadTx, id: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from transactions where category_id = ${id} and deleted_at is null
    union all select count(*) as n from transactions where category_id = ${id} and deleted_at is not null`.execute(
    tx.q,
  );
  return rows.reduce((sum, { n }) => sum + n, 0);
}

export async function countDescribed(tx: ReadTx, id: string): Promise<number> {
  const { n } = await tx.q
    .selectFrom('counterparties')
    .select((select) => select.fn.countAll<number>().as('n'))
    .where('category_id', '=', id)
    .executeTakeFirstOrThrow();
  return n;
}

/** Gives the counterparties of one category to another, or to none. Answers which they were. */
export async function moveCounterparties(
  tx: BareWriteTx,
  from: string,
  to: string | null,
): Promise<{ id: string; short_id: string }[]> {
  const moved = await tx.q
    .selectFrom('counterparties')
    .select(['id', 'short_id'])
    .where('category_id', '=', from)
    .orderBy('id')
    .execute();
  if (moved.length > 0) {
    const set = { category_id: to, updated_at: tx.now };
    await tx.q.updateTable('counterparties').set(set).where('category_id', '=', from).execute();
  }
  return moved;
}
