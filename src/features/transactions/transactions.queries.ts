import { sql, type RawBuilder } from 'kysely';

import { idColumn } from '../../db/short-ids.ts';
import type { ReadTx } from '../../db/unit-of-work.ts';
import type { ProviderCategory } from '../categories/index.ts';

/** What filters and totals need to know about each account; a household has few. */
export interface AccountFacts {
  id: string;
  short_id: string;
  name: string;
  connection_id: string | null;
  /** The override, otherwise the owner of the connection (contract 10.1.3, last two steps). */
  owner_id: string | null;
  is_excluded: 0 | 1;
  is_dependent_linked: 0 | 1;
}

export async function selectAccountFacts(tx: ReadTx): Promise<AccountFacts[]> {
  const { rows } = await sql<AccountFacts>`
    select a.id, a.short_id, coalesce(a.display_name, a.name) as name, a.connection_id,
      coalesce(a.owner_user_id, c.user_id) as owner_id, a.is_excluded, a.is_dependent_linked
    from accounts a left join connections c on c.id = a.connection_id
    where a.deleted_at is null order by a.id`.execute(tx.q);
  return rows;
}

type Referable = 'users' | 'connections' | 'counterparties' | 'series' | 'imports' | 'tags';

/** UUIDs by UUID or short_id; unknown ids are left out. */
export async function findIds(tx: ReadTx, table: Referable, names: readonly string[]): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const name of names) {
    const column = idColumn(name);
    if (column === undefined) continue;
    const row = await sql<{
      id: string;
    }>`select id from ${sql.table(table)} where ${sql.ref(column)} = ${name}`.execute(tx.q);
    if (row.rows[0]) found.set(name, row.rows[0].id);
  }
  return found;
}

/** Replaces merged counterparties by their targets. */
export async function followMerges(tx: ReadTx, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select coalesce(canonical_counterparty_id, id) as id from counterparties
    where ${tx.portable.inList(sql.ref('id'), ids)}`.execute(tx.q);
  return [...new Set(rows.map(({ id }) => id))];
}

export async function findTagIdsBySlug(tx: ReadTx, slugs: readonly string[]): Promise<Map<string, string>> {
  const rows = await tx.q
    .selectFrom('tags')
    .select(['id', 'slug'])
    .where(tx.portable.inList(sql.ref('slug'), slugs))
    .execute();
  return new Map(rows.map(({ slug, id }) => [slug, id]));
}

/** The UUID of the transaction, live or deleted, with this UUID or short_id. */
export async function findTransactionId(tx: ReadTx, anyId: string): Promise<string | undefined> {
  const column = idColumn(anyId);
  if (column === undefined) return undefined;
  return (await tx.q.selectFrom('transactions').select('id').where(column, '=', anyId).executeTakeFirst())?.id;
}

/** Whether there is a transaction with this UUID, live or deleted: a cursor may point at a deleted one. */
export async function transactionExists(tx: ReadTx, id: string): Promise<boolean> {
  return (await tx.q.selectFrom('transactions').select('id').where('id', '=', id).executeTakeFirst()) !== undefined;
}

export async function selectShortIds(tx: ReadTx, ids: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; short_id: string }>`select id, short_id from transactions
    where ${tx.portable.inList(sql.ref('id'), ids)}`.execute(tx.q);
  return new Map(rows.map((row) => [row.id, row.short_id]));
}

/** A query that finds exactly these transactions. */
export function idsAmong(tx: ReadTx, ids: readonly string[]): RawBuilder<{ id: string }> {
  return sql<{ id: string }>`select id from transactions where ${tx.portable.inList(sql.ref('id'), ids)}`;
}

/** When each of these transactions was last updated. */
export async function selectUpdateInstants(tx: ReadTx, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ id: string; updated_at: string }>`select id, updated_at from transactions
    where ${tx.portable.inList(sql.ref('id'), ids)}`.execute(tx.q);
  return new Map(rows.map((row) => [row.id, row.updated_at]));
}

/** How many rows a query finds, at most `cap`. */
export async function countUpTo(tx: ReadTx, cap: number, rows: RawBuilder<unknown>): Promise<number> {
  const capped = sql<{ n: number }>`select count(*) as n from (${rows} limit ${sql.lit(cap)}) as capped`;
  const answer = await capped.execute(tx.q);
  return answer.rows[0]?.n ?? 0;
}

export interface Named {
  id: string;
  short_id: string;
  name: string;
  slug: string | null;
}

export async function selectNamed(tx: ReadTx, table: 'users' | 'counterparties' | 'tags'): Promise<Named[]> {
  const slug = table === 'tags' ? sql.raw('slug') : sql.raw('null as slug');
  const { rows } = await sql<Named>`select id, short_id, name, ${slug} from ${sql.table(table)}`.execute(tx.q);
  return rows;
}

/** What a transaction can be linked to. */
export interface Linkable {
  id: string;
  /** short_id of the counterparty that this one is merged into. */
  mergedInto: string | null;
}

/** Household members, series or counterparties by UUID or short_id; unknown ids are left out. */
export async function selectLinkables(
  tx: ReadTx,
  table: 'users' | 'series' | 'counterparties',
  names: readonly string[],
): Promise<Map<string, Linkable>> {
  const ids = names.filter((name) => idColumn(name) !== undefined);
  if (ids.length === 0) return new Map();
  const among = (column: string) => tx.portable.inList(sql.ref(column), ids);
  const mergedInto =
    table === 'counterparties'
      ? sql`(select target.short_id from counterparties target where target.id = one.canonical_counterparty_id)`
      : sql`null`;
  const { rows } = await sql<Linkable & { short_id: string }>`
    select one.id, one.short_id, ${mergedInto} as "mergedInto" from ${sql.table(table)} one
    where ${among('one.id')} or ${among('one.short_id')}`.execute(tx.q);
  return new Map(rows.flatMap((row) => [[row.id, row] as const, [row.short_id, row] as const]));
}

/** The ids, newest transaction first. */
export async function selectNewestFirst(tx: ReadTx, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from transactions
    where ${tx.portable.inList(sql.ref('id'), ids)} order by date desc, id desc`.execute(tx.q);
  return rows.map(({ id }) => id);
}

const AT_ONCE = 5_000;

/** What a provider or file said about the category of each transaction. */
export async function selectProviderCategories(
  tx: ReadTx,
  ids: readonly string[],
): Promise<(ProviderCategory & { id: string })[]> {
  const found: (ProviderCategory & { id: string })[] = [];
  for (let start = 0; start < ids.length; start += AT_ONCE) {
    const list = tx.portable.inList(sql.ref('t.id'), ids.slice(start, start + AT_ONCE));
    const { rows } = await sql<ProviderCategory & { id: string }>`
      select t.id, coalesce(f.namespace, 'csv') as provider, t.provider_category_primary as "primary",
        t.provider_category_detailed as detailed, t.amount_cents as "amountCents", t.account_id as "accountId",
        t.name, t.merchant_name as "merchantName"
      from transactions t left join transaction_feeds f on f.transaction_id = t.id where ${list}`.execute(tx.q);
    found.push(...rows);
  }
  return found;
}

/** Tags that have one of these as slug, UUID or short_id. */
export async function selectTagsNamed(
  tx: ReadTx,
  names: readonly string[],
): Promise<{ id: string; short_id: string; slug: string }[]> {
  const among = (column: string) => tx.portable.inList(sql.ref(column), names);
  const { rows } = await sql<{ id: string; short_id: string; slug: string }>`select id, short_id, slug from tags
    where ${among('slug')} or ${among('id')} or ${among('short_id')}`.execute(tx.q);
  return rows;
}
