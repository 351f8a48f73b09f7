import { sql, type RawBuilder } from 'kysely';

import type { SqlValue } from '../../db/engine.ts';
import type { BareWriteTx, ReadTx } from '../../db/unit-of-work.ts';
import { isShortId, isUuid } from '../../kernel/ids.ts';
import type { CategorySource, DeletedCause, Facets } from './facets.ts';

const AT_ONCE = 5_000;

/** The columns that hold a transaction's facets. */
interface FacetColumns {
  id: string;
  short_id: string;
  category_id: string | null;
  category_source: string | null;
  category_rule_id: string | null;
  counterparty_id: string | null;
  series_id: string | null;
  attributed_user_id: string | null;
  attributed_by_link_id: string | null;
  flagged_at: string | null;
  metadata: string;
  locks: string;
  deleted_at: string | null;
  deleted_cause: string | null;
}

/** The facets of the transactions with these UUIDs, deleted ones too; unknown ids are left out. */
export async function loadFacets(tx: ReadTx, ids: readonly string[]): Promise<Map<string, Facets>> {
  const found = new Map<string, Facets>();
  for (let start = 0; start < ids.length; start += AT_ONCE) {
    await loadSome(tx, tx.portable.inList(sql.ref('t.id'), ids.slice(start, start + AT_ONCE)), found);
  }
  return found;
}

async function loadSome(tx: ReadTx, condition: RawBuilder<boolean>, found: Map<string, Facets>): Promise<void> {
  // A slug has no space in it.
  const slugs = sql`(select ${tx.portable.joinedText(sql.raw('tg.slug'))} from transaction_tags tt
    join tags tg on tg.id = tt.tag_id where tt.transaction_id = t.id)`;
  const { rows } = await sql<FacetColumns & { tags: string | null }>`
    select t.id, t.short_id, t.category_id, t.category_source, t.category_rule_id, t.counterparty_id, t.series_id,
      t.attributed_user_id, t.attributed_by_link_id, t.flagged_at, t.metadata, t.locks, t.deleted_at, t.deleted_cause,
      ${slugs} as tags
    from transactions t where ${condition}`.execute(tx.q);
  for (const row of rows) found.set(row.id, toFacets(row, row.tags === null ? NO_TAGS : new Set(row.tags.split(' '))));
}

/** The same by any form of id; keyed by the id as given. */
export async function loadFacetsByAnyId(tx: ReadTx, anyIds: readonly string[]): Promise<Map<string, Facets>> {
  const byId = await loadFacets(tx, anyIds.filter(isUuid));
  const shortIds = anyIds.filter(isShortId);
  for (let start = 0; start < shortIds.length; start += AT_ONCE) {
    await loadSome(tx, tx.portable.inList(sql.ref('t.short_id'), shortIds.slice(start, start + AT_ONCE)), byId);
  }
  const byShortId = new Map([...byId.values()].map((facets) => [facets.shortId, facets]));
  const found = new Map<string, Facets>();
  for (const anyId of anyIds) {
    const facets = byId.get(anyId) ?? byShortId.get(anyId);
    if (facets) found.set(anyId, facets);
  }
  return found;
}

const NO_TAGS: ReadonlySet<string> = new Set();

function toFacets(row: FacetColumns, tags: ReadonlySet<string>): Facets {
  return {
    id: row.id,
    shortId: row.short_id,
    categoryId: row.category_id,
    categorySource: row.category_source as CategorySource | null,
    categoryRuleId: row.category_rule_id,
    counterpartyId: row.counterparty_id,
    seriesId: row.series_id,
    attributedUserId: row.attributed_user_id,
    attributedByLinkId: row.attributed_by_link_id,
    flaggedAt: row.flagged_at,
    tags,
    metadata: metadataOf(row.metadata),
    locks: locksOf(row.locks),
    deletedAt: row.deleted_at,
    deletedCause: row.deleted_cause as DeletedCause | null,
  };
}

const NO_METADATA: ReadonlyMap<string, unknown> = new Map();

/** A stored metadata map; every key, `__proto__` too, is data. */
export function metadataOf(json: string): ReadonlyMap<string, unknown> {
  return json === '{}' ? NO_METADATA : new Map(Object.entries(JSON.parse(json) as object));
}

export function locksOf(json: string): ReadonlySet<string> {
  return json === '[]' ? NO_TAGS : new Set(JSON.parse(json) as string[]);
}

/** Stores changed facets: rows that change in the same columns together, so that no index is touched for nothing. */
export async function updateFacets(
  tx: BareWriteTx,
  changed: readonly { before: Facets; after: Facets }[],
): Promise<void> {
  const groups = new Map<string, { columns: typeof COLUMNS; rows: SqlValue[][] }>();
  for (const { before, after } of changed) {
    const columns = COLUMNS.filter(([, pick]) => pick(before) !== pick(after));
    const key = columns.map(([column]) => column).join();
    const group = groups.get(key) ?? { columns, rows: [] };
    groups.set(key, group);
    group.rows.push([after.id, ...columns.map(([, pick]) => toSql(pick(after))), tx.now]);
  }
  for (const { columns, rows } of groups.values()) {
    await tx.updateMany('transactions', [...columns.map(([column]) => column), 'updated_at'], rows);
  }
}

type Column = Exclude<keyof FacetColumns, 'id' | 'short_id'>;

const COLUMNS: readonly (readonly [Column, (facets: Facets) => unknown])[] = [
  ['category_id', (facets) => facets.categoryId],
  ['category_source', (facets) => facets.categorySource],
  ['category_rule_id', (facets) => facets.categoryRuleId],
  ['counterparty_id', (facets) => facets.counterpartyId],
  ['series_id', (facets) => facets.seriesId],
  ['attributed_user_id', (facets) => facets.attributedUserId],
  ['attributed_by_link_id', (facets) => facets.attributedByLinkId],
  ['flagged_at', (facets) => facets.flaggedAt],
  ['metadata', (facets) => facets.metadata],
  ['locks', (facets) => facets.locks],
  ['deleted_at', (facets) => facets.deletedAt],
  ['deleted_cause', (facets) => facets.deletedCause],
];

function toSql(value: unknown): SqlValue {
  if (value instanceof Map) return JSON.stringify(Object.fromEntries(value));
  if (value instanceof Set) return JSON.stringify([...(value as Set<string>)].sort());
  return value as string | null;
}

/** The columns of facets that a new row has. */
export function facetColumns(facets: Facets): Record<Column, SqlValue> {
  return Object.fromEntries(COLUMNS.map(([column, pick]) => [column, toSql(pick(facets))])) as Record<Column, SqlValue>;
}

/** Gives a new row its tags, which exist. */
export async function attachTagsTo(tx: BareWriteTx, id: string, slugs: ReadonlySet<string>): Promise<void> {
  const ids = await selectTagIdsOf(tx, [...slugs]);
  await attachTags(
    tx,
    [...ids.values()].map((tagId) => [id, tagId]),
  );
}

export async function attachTags(tx: BareWriteTx, pairs: readonly (readonly [string, string])[]): Promise<void> {
  await tx.insertMany('transaction_tags', ['transaction_id', 'tag_id'], pairs, 'on conflict do nothing');
}

export async function detachTags(tx: BareWriteTx, tagId: string, transactionIds: readonly string[]): Promise<void> {
  for (let start = 0; start < transactionIds.length; start += AT_ONCE) {
    const list = tx.portable.inList(sql.ref('transaction_id'), transactionIds.slice(start, start + AT_ONCE));
    await sql`delete from transaction_tags where tag_id = ${tagId} and ${list}`.execute(tx.q);
  }
}

export async function selectTagIdsOf(tx: ReadTx, slugs: readonly string[]): Promise<Map<string, string>> {
  const list = tx.portable.inList(sql.ref('slug'), slugs);
  const { rows } = await sql<{ id: string; slug: string }>`select id, slug from tags where ${list}`.execute(tx.q);
  return new Map(rows.map(({ slug, id }) => [slug, id]));
}

/** short_ids of household members, as the journal names them. */
export async function selectUserShortIds(tx: ReadTx, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const list = tx.portable.inList(sql.ref('id'), ids);
  const { rows } = await sql<{ id: string; short_id: string }>`
    select id, short_id from users where ${list}`.execute(tx.q);
  return new Map(rows.map(({ id, short_id }) => [id, short_id]));
}

export async function selectUserIdsByShortId(tx: ReadTx, shortIds: readonly string[]): Promise<Map<string, string>> {
  if (shortIds.length === 0) return new Map();
  const list = tx.portable.inList(sql.ref('short_id'), shortIds);
  const { rows } = await sql<{ id: string; short_id: string }>`
    select id, short_id from users where ${list}`.execute(tx.q);
  return new Map(rows.map(({ id, short_id }) => [short_id, id]));
}

/** Up to `limit` transactions, deleted ones too, that refer to this category, counterparty or series. */
export async function selectReferring(
  tx: ReadTx,
  column: 'category_id' | 'counterparty_id' | 'series_id',
  id: string,
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from transactions where ${sql.ref(column)} = ${id}
    limit ${sql.lit(limit)}`.execute(tx.q);
  return rows.map((row) => row.id);
}

/** Up to `limit` transactions, deleted ones too, that carry this tag. */
export async function selectTagged(tx: ReadTx, tagId: string, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select transaction_id as id from transaction_tags where tag_id = ${tagId}
    limit ${sql.lit(limit)}`.execute(tx.q);
  return rows.map((row) => row.id);
}

type Membership = 'counterparty_id' | 'series_id';

/** How many live transactions belong to the counterparty or series with this UUID. */
export async function countLiveReferring(tx: ReadTx, column: Membership, id: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*) as n from transactions
    where ${sql.ref(column)} = ${id} and deleted_at is null`.execute(tx.q);
  return rows[0]?.n ?? 0;
}

/** The same, deleted ones too. */
export async function countReferring(tx: ReadTx, column: Membership, id: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*) as n from transactions
    where ${sql.ref(column)} = ${id}`.execute(tx.q);
  return rows[0]?.n ?? 0;
}

/** Which of the transactions are in a deleted account, so that they cannot be restored without it. */
export async function selectOfDeletedAccounts(tx: ReadTx, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const { rows } = await sql<{ id: string }>`select t.id from transactions t join accounts a on a.id = t.account_id
    where a.deleted_at is not null and ${tx.portable.inList(sql.ref('t.id'), ids)}`.execute(tx.q);
  return new Set(rows.map(({ id }) => id));
}
