import { sql } from 'kysely';

import type { ChangesTable } from '../../db/schema.ts';
import { idColumn } from '../../db/short-ids.ts';
import type { ReadTx } from '../../db/unit-of-work.ts';
import { toChange, type ChangeSetRow } from '../../journal/journal.queries.ts';
import type { JournaledChange } from '../../journal/undo.ts';

/** Where a transaction comes from. */
export interface Origin {
  id: string;
  deleted_at: string | null;
  deleted_cause: string | null;
  category_source: string | null;
  created_change_set_id: string | null;
  import_id: string | null;
  /** That feeds its account now. */
  provider: string;
  file_name: string | null;
  line: number | null;
  /** What rules did when the row was created. */
  creation_effects: string | null;
}

export async function findOrigin(tx: ReadTx, anyId: string): Promise<Origin | undefined> {
  const column = idColumn(anyId);
  if (column === undefined) return undefined;
  const { rows } = await sql<Origin>`
    select t.id, t.deleted_at, t.deleted_cause, t.category_source, t.created_change_set_id, t.import_id, a.provider,
      i.file_name, o.line, e.effects as creation_effects
    from transactions t join accounts a on a.id = t.account_id
      left join imports i on i.id = t.import_id
      left join transaction_origins o on o.transaction_id = t.id and o.import_id = t.import_id
      left join rule_effects e on e.id = t.creation_effects_id
    where ${sql.ref(`t.${column}`)} = ${anyId}`.execute(tx.q);
  return rows[0];
}

/** Every journaled change of a transaction and of its comments, in the order in which they were made. */
export async function selectChangesOf(tx: ReadTx, transactionId: string): Promise<JournaledChange[]> {
  const { rows } = await sql<ChangesTable>`select * from changes where transaction_id = ${transactionId}
    order by change_set_id, sequence`.execute(tx.q);
  return rows.map(toChange);
}

/** A change set with the file's name if an import made it, the provider if a sync did, and the own name of a key. */
export type TimelineSet = ChangeSetRow & {
  file_name: string | null;
  sync_provider: string | null;
  key_name: string | null;
};

export async function selectChangeSetsById(tx: ReadTx, ids: readonly string[]): Promise<Map<string, TimelineSet>> {
  const { rows } = await sql<TimelineSet>`
    select s.*, i.file_name, c.provider as sync_provider, k.actor_name as key_name
    from change_sets s left join imports i on i.id = s.import_id left join api_keys k on k.id = s.actor_id
      left join connections c on s.source = 'sync' and c.id = s.actor_id
    where ${tx.portable.inList(sql.ref('s.id'), ids)}`.execute(tx.q);
  return new Map(rows.map((row) => [row.id, row]));
}

export async function selectMembers(tx: ReadTx): Promise<Map<string, string>> {
  const rows = await tx.q.selectFrom('users').select(['short_id', 'name']).execute();
  return new Map(rows.map(({ short_id, name }) => [short_id, name]));
}

/** The present texts of comments; deleted ones are left out. */
export async function selectCommentTexts(
  tx: ReadTx,
  transactionId: string,
): Promise<Map<string, { body: string; edited: boolean }>> {
  const rows = await tx.q
    .selectFrom('comments')
    .select(['id', 'body', 'is_edited'])
    .where('transaction_id', '=', transactionId)
    .where('deleted_at', 'is', null)
    .execute();
  return new Map(rows.map(({ id, body, is_edited: isEdited }) => [id, { body, edited: isEdited === 1 }]));
}

export interface NamedRow {
  id: string;
  name: string;
  slug: string | null;
  parent_id: string | null;
}

const NAMED = {
  category: sql`select id, name, slug, parent_id from categories`,
  tag: sql`select id, name, slug, null as parent_id from tags`,
  counterparty: sql`select id, name, null as slug, null as parent_id from counterparties`,
  series: sql`select id, name, null as slug, null as parent_id from series`,
  rule: sql`select id, name, null as slug, null as parent_id from rules`,
};

export type NamedType = keyof typeof NAMED;

/** The present names of these entities. */
export async function selectNamedNow(tx: ReadTx, type: NamedType, ids: readonly string[]): Promise<NamedRow[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<NamedRow>`${NAMED[type]} where ${tx.portable.inList(sql.ref('id'), ids)}`.execute(tx.q);
  return rows;
}

/** Changes of these entities, oldest first: they have the former names. */
export async function selectNameChanges(
  tx: ReadTx,
  type: NamedType,
  ids: readonly string[],
): Promise<JournaledChange[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<ChangesTable>`select * from changes
    where entity_type = ${type} and ${tx.portable.inList(sql.ref('entity_id'), ids)}
    order by change_set_id, sequence`.execute(tx.q);
  return rows.map(toChange);
}

/** UUIDs of the tags that have, or had before they were deleted, one of these slugs. */
export async function selectTagIdsEver(tx: ReadTx, slugs: ReadonlySet<string>): Promise<Map<string, string[]>> {
  if (slugs.size === 0) return new Map();
  const found = new Map<string, string[]>();
  const add = (slug: string, id: string): void => {
    if (slugs.has(slug)) found.set(slug, [...(found.get(slug) ?? []), id]);
  };
  const live = await sql<{ id: string; slug: string }>`select id, slug from tags
    where ${tx.portable.inList(sql.ref('slug'), [...slugs])}`.execute(tx.q);
  for (const { id, slug } of live.rows) add(slug, id);
  const gone = await sql<ChangesTable>`select * from changes where entity_type = 'tag' and operation = 'delete'
    order by change_set_id`.execute(tx.q);
  for (const { before, entityId } of gone.rows.map(toChange)) {
    const slug = before?.['slug'];
    if (typeof slug === 'string' && entityId !== null) add(slug, entityId);
  }
  return found;
}
