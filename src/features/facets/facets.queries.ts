import { sql, type RawBuilder } from 'kysely';

import type { SqlValue } from '../../db/engine.ts';
import type { BareWriteTx, ReadTx } from '../../db/unit-of-work.ts';
import { isShortId, isUuid } from '../../kernel/ids.ts';
import type { CategorySource, DeletedCause, Facets } from './facets.ts';

const AT_ONCE = 5_000;

/** What is read of each row, in this order: rows come as arrays, which are made faster than objects. */
type FacetRow = readonly [
  id: string,
  short_id: string,
  category_id: string | null,
  category_source: string | null,
  category_rule_id: string | null,
  counterparty_id: string | null,
  series_id: string | null,
  attributed_user_id: string | null,
  attributed_by_link_id: string | null,
  flagged_at: string | null,
  metadata: string,
  locks: string,
  deleted_at: string | null,
  deleted_cause: string | null,
  tags: string | null,
];

/** The facets of the transactions with these UUIDs, deleted ones too; unknown ids are left out. */
export async function loadFacets(tx: ReadTx, ids: readonly string[]): Promise<Map<string, Facets>> {
  const found = new Map<string, Facets>();
  for (let start = 0; start < ids.length; start += AT_ONCE) {
    await loadSome(tx, tx.portable.inList(sql.ref('t.id'), ids.slice(start, start + AT_ONCE)), found);
  }
  return found;
}

/** Which of these categories are archived. */
export async function selectArchived(tx: ReadTx, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const { rows } = await sql<{ id: string }>`select id from categories
    where is_archived = 1 and ${tx.portable.inList(sql.ref('id'), [...new Set(ids)])}`.execute(tx.q);
  return new Set(rows.map(({ id }) => id));
}

/** Which of these accounts have their rows from a bank. */
export async function selectLinkedToBank(tx: ReadTx, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const { rows } = await sql<{ id: string }>`select id from accounts
    where provider <> 'csv' and ${tx.portable.inList(sql.ref('id'), [...new Set(ids)])}`.execute(tx.q);
  return new Set(rows.map(({ id }) => id));
}

async function loadSome(tx: ReadTx, condition: RawBuilder<boolean>, found: Map<string, Facets>): Promise<void> {
  // A slug has no space in it.
  const slugs = sql`(select ${tx.portable.joinedText(sql.raw('tg.slug'))} from transaction_tags tt
    join tags tg on tg.id = tt.tag_id where tt.transaction_id = t.id)`;
  const query =
    sql`select t.id, t.short_id, t.category_id, t.category_source, t.category_rule_id, t.counterparty_id, t.series_id,
      t.attributed_user_id, t.attributed_by_link_id, t.flagged_at, t.metadata, t.locks, t.deleted_at, t.deleted_cause,
      ${slugs} as tags
    from transactions t where ${condition}`.compile(tx.q);
  for (const row of await tx.values(query)) {
    const facets = toFacets(row as unknown as FacetRow);
    found.set(facets.id, facets);
  }
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

function toFacets(row: FacetRow): Facets {
  const [id, shortId, categoryId, categorySource, categoryRuleId, counterpartyId, seriesId, ...others] = row;
  const [attributedUserId, attributedByLinkId, flaggedAt, metadata, locks, deletedAt, deletedCause, tags] = others;
  return {
    id,
    shortId,
    categoryId,
    categorySource: categorySource as CategorySource | null,
    categoryRuleId,
    counterpartyId,
    seriesId,
    attributedUserId,
    attributedByLinkId,
    flaggedAt,
    tags: tags === null ? NO_TAGS : new Set(tags.split(' ')),
    metadata: metadataOf(metadata),
    locks: locksOf(locks),
    deletedAt,
    deletedCause: deletedCause as DeletedCause | null,
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

/** Rows that change in the same columns; `values` are those of the first. */
interface Group {
  columns: typeof COLUMNS;
  values: readonly SqlValue[];
  /** Whether all rows get these values. */
  isUniform: boolean;
  rows: SqlValue[][];
}

/** Stores changed facets: rows that change in the same columns together, so that no index is touched for nothing. */
export async function updateFacets(
  tx: BareWriteTx,
  changed: readonly { before: Facets; after: Facets }[],
): Promise<void> {
  const groups = new Map<number, Group>();
  for (const { before, after } of changed) {
    const key = differingColumns(before, after);
    let group = groups.get(key);
    if (!group) {
      const columns = COLUMNS.filter((_column, index) => (key & (1 << index)) !== 0);
      groups.set(key, (group = { columns, values: valuesOf(columns, after), isUniform: true, rows: [] }));
    }
    const { columns, values: first } = group;
    const values = valuesOf(columns, after);
    group.isUniform &&= values.every((value, index) => value === first[index]);
    group.rows.push([after.id, ...values, tx.now]);
  }
  for (const { columns, values, isUniform, rows } of groups.values()) {
    const names: (Column | 'updated_at')[] = [...columns.map(([column]) => column), 'updated_at'];
    if (isUniform) {
      const ids = rows.map(([id]) => id as string);
      await setInAll(tx, names, [...values, tx.now], ids);
    } else await tx.updateMany('transactions', names, rows);
  }
}

/** A bit for each of COLUMNS. */
function differingColumns(before: Facets, after: Facets): number {
  return COLUMNS.reduce((bits, [, pick], index) => (pick(before) === pick(after) ? bits : bits | (1 << index)), 0);
}

function valuesOf(columns: typeof COLUMNS, facets: Facets): SqlValue[] {
  return columns.map(([, pick]) => toSql(pick(facets)));
}

/** The same values for all rows: no database has to take apart a list of them. */
async function setInAll(
  tx: BareWriteTx,
  columns: readonly string[],
  values: readonly SqlValue[],
  ids: readonly string[],
): Promise<void> {
  const set = sql.join(columns.map((column, index) => sql`${sql.ref(column)} = ${values[index]}`));
  for (let start = 0; start < ids.length; start += AT_ONCE) {
    const some = ids.slice(start, start + AT_ONCE);
    const where = some.length === 1 ? sql`id = ${some[0]}` : tx.portable.inList(sql.ref('id'), some);
    await sql`update transactions set ${set} where ${where}`.execute(tx.q);
  }
}

/** The columns that hold facets which an edit can change. */
type Column =
  | 'category_id'
  | 'category_source'
  | 'category_rule_id'
  | 'counterparty_id'
  | 'series_id'
  | 'attributed_user_id'
  | 'attributed_by_link_id'
  | 'flagged_at'
  | 'metadata'
  | 'locks'
  | 'deleted_at'
  | 'deleted_cause';

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
