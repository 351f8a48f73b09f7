import { sql } from 'kysely';

import type { ReadTx } from '../../db/unit-of-work.ts';
import type { NetChange, Obstacle } from '../../journal/undo.ts';
import type { WriteTx } from '../../journal/write.ts';
import { isEqualJson } from '../../kernel/json.ts';
import { isDeliveredField, selectDelivered, type Delivered } from './delivered-fields.ts';
import { loadFacets, selectOfDeletedAccounts, selectUserIdsByShortId, selectUserShortIds } from './facets.queries.ts';
import type { CategorySource, DeletedCause, Facets } from './facets.ts';

/** The present state of everything that the changes refer to. */
export interface World {
  facets: ReadonlyMap<string, Facets>;
  delivered: ReadonlyMap<string, Delivered>;
  /** UUIDs of categories, counterparties and series that exist. */
  existing: ReadonlySet<string>;
  tagSlugs: ReadonlySet<string>;
  /** Transactions whose account is deleted. */
  homeless: ReadonlySet<string>;
  /** short_id → UUID, and back, of household members. */
  memberIds: ReadonlyMap<string, string>;
  memberShortIds: ReadonlyMap<string, string>;
}

const REFERENCES = { category_id: 'categories', counterparty_id: 'counterparties', series_id: 'series' } as const;

export async function loadWorld(tx: WriteTx, changes: readonly NetChange[]): Promise<World> {
  const facets = await loadFacets(
    tx,
    changes.map(({ entityId }) => entityId),
  );
  const delivered = await selectDelivered(
    tx,
    changes.filter(({ before }) => Object.keys(before ?? {}).some(isDeliveredField)).map(({ entityId }) => entityId),
  );
  const existing = new Set<string>();
  for (const [field, table] of Object.entries(REFERENCES)) {
    const wanted = valuesOf(changes, (before) => before[field]);
    for (const id of await selectExisting(tx, table, 'id', wanted)) existing.add(id);
  }
  const slugs = new Set(changes.flatMap(({ before }) => Object.keys(before ?? {}).flatMap(slugOf)));
  const tagSlugs = new Set(await selectExisting(tx, 'tags', 'slug', [...slugs]));
  const memberIds = await selectUserIdsByShortId(
    tx,
    valuesOf(changes, (before) => before['attributed_user_id']),
  );
  const attributed = [...facets.values()].flatMap(({ attributedUserId: id }) => (id === null ? [] : [id]));
  const memberShortIds = await selectUserShortIds(tx, [...new Set(attributed)]);
  const revived = changes.filter(({ before }) => before?.['deleted_at'] === null).map(({ entityId }) => entityId);
  const homeless = await selectOfDeletedAccounts(tx, revived);
  return { facets, delivered, existing, tagSlugs, homeless, memberIds, memberShortIds };
}

function valuesOf(
  changes: readonly NetChange[],
  pick: (before: Readonly<Record<string, unknown>>) => unknown,
): string[] {
  const values = new Set<string>();
  for (const { before } of changes) {
    const value = pick(before ?? {});
    if (typeof value === 'string') values.add(value);
  }
  return [...values];
}

async function selectExisting(
  tx: ReadTx,
  table: string,
  column: 'id' | 'slug',
  values: readonly string[],
): Promise<string[]> {
  if (values.length === 0) return [];
  const list = tx.portable.inList(sql.ref(column), values);
  // A merged counterparty must not get transactions again.
  const live = table === 'counterparties' ? sql`and canonical_counterparty_id is null` : sql``;
  const { rows } = await sql<{ value: string }>`
    select ${sql.ref(column)} as value from ${sql.table(table)} where ${list} ${live}`.execute(tx.q);
  return rows.map(({ value }) => value);
}

function slugOf(field: string): string[] {
  return field.startsWith('tag:') ? [field.slice('tag:'.length)] : [];
}

/** Fields that no longer hold what the change set wrote; a key on one side only did not exist on the other. */
export function changedFields(world: World, change: NetChange, facets: Facets): string[] {
  const current = currentFields(world, change.entityId, facets);
  const { before, after } = change;
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  return [...names].filter((name) => {
    const isThere = current.has(name);
    const wasWritten = after !== null && name in after;
    return isThere !== wasWritten || (isThere && !isEqualJson(current.get(name), after?.[name]));
  });
}

function currentFields(world: World, id: string, facets: Facets): Map<string, unknown> {
  const delivered = Object.entries(world.delivered.get(id)?.fields ?? {});
  return new Map([...delivered, ...fieldsOfFacets(facets, world.memberShortIds)]);
}

/** Facets by the names of their fields in the journal. */
export function fieldsOfFacets(facets: Facets, members: ReadonlyMap<string, string>): Map<string, unknown> {
  const { attributedUserId: member } = facets;
  return new Map<string, unknown>([
    ['category_id', facets.categoryId],
    ['category_source', facets.categorySource],
    ['counterparty_id', facets.counterpartyId],
    ['series_id', facets.seriesId],
    ['attributed_user_id', member === null ? null : (members.get(member) ?? member)],
    ['flagged_at', facets.flaggedAt],
    ['deleted_at', facets.deletedAt],
    ...[...facets.tags].map((slug) => [`tag:${slug}`, true] as const),
    ...[...facets.metadata].map(([key, value]) => [`metadata.${key}`, value] as const),
  ]);
}

export function absentReferences(world: World, { entityId, before }: NetChange): string[] {
  const account = world.homeless.has(entityId) ? ['account_id'] : [];
  const named = Object.entries(before ?? {}).flatMap(([field, value]) => {
    if (field.startsWith('tag:')) return world.tagSlugs.has(field.slice('tag:'.length)) ? [] : [field];
    if (typeof value !== 'string') return [];
    if (field in REFERENCES) return world.existing.has(value) ? [] : [field];
    if (field === 'attributed_user_id') return world.memberIds.has(value) ? [] : [field];
    return [];
  });
  return [...account, ...named];
}

/** The change without these fields, and without those that are written together with them. */
export function withoutFields(change: NetChange, fields: readonly string[]): NetChange {
  const gone = new Set(fields);
  if (gone.size === 0) return change;
  for (const together of WRITTEN_TOGETHER) {
    if (together.some((field) => gone.has(field))) for (const field of together) gone.add(field);
  }
  const rest = (from: Readonly<Record<string, unknown>> | null): Record<string, unknown> =>
    Object.fromEntries(Object.entries(from ?? {}).filter(([field]) => !gone.has(field)));
  return { ...change, before: rest(change.before), after: rest(change.after), internal: rest(change.internal) };
}

const WRITTEN_TOGETHER = [
  ['category_id', 'category_source', 'category_rule_id'],
  ['attributed_user_id', 'attributed_by_link_id'],
  ['deleted_at', 'deleted_cause'],
] as const;

/** The present facets with those that the change set wrote, and their locks, as they were before it. */
export function restored(world: World, change: NetChange, now: Facets): Facets {
  const before = change.before ?? {};
  const hidden = change.internal;
  const was = <T>(field: string, current: T): T => (field in before ? (before[field] as T) : current);
  const kept = <T>(name: string, current: T): T => (name in hidden ? (hidden[name] as T) : current);
  const member = was<string | null>('attributed_user_id', null);
  return {
    ...now,
    categoryId: was('category_id', now.categoryId),
    categorySource: was<CategorySource | null>('category_source', now.categorySource),
    categoryRuleId: kept('category_rule_id', now.categoryRuleId),
    counterpartyId: was('counterparty_id', now.counterpartyId),
    seriesId: was('series_id', now.seriesId),
    attributedUserId:
      'attributed_user_id' in before
        ? member === null
          ? null
          : (world.memberIds.get(member) ?? null)
        : now.attributedUserId,
    attributedByLinkId: kept('attributed_by_link_id', now.attributedByLinkId),
    flaggedAt: was('flagged_at', now.flaggedAt),
    deletedAt: was('deleted_at', now.deletedAt),
    deletedCause: kept<DeletedCause | null>('deleted_cause', now.deletedCause),
    tags: restoredTags(change, now.tags),
    metadata: restoredMetadata(change, now.metadata),
    locks: restoredLocks(change, now.locks),
  };
}

/** Here and below: the same object if the change set did not change it. */
function restoredTags({ before, after }: NetChange, now: ReadonlySet<string>): ReadonlySet<string> {
  const [added, removed] = [after, before].map((fields) => Object.keys(fields ?? {}).flatMap(slugOf)) as [
    string[],
    string[],
  ];
  return exchanged(now, added, removed);
}

function restoredMetadata(
  { before, after }: NetChange,
  now: ReadonlyMap<string, unknown>,
): ReadonlyMap<string, unknown> {
  const keyed = (fields: NetChange['before']): [string, unknown][] =>
    Object.entries(fields ?? {}).flatMap(([field, value]) =>
      field.startsWith('metadata.') ? [[field.slice('metadata.'.length), value]] : [],
    );
  const [written, former] = [keyed(after), keyed(before)];
  if (written.length + former.length === 0) return now;
  const metadata = new Map(now);
  for (const [key] of written) metadata.delete(key);
  for (const [key, value] of former) metadata.set(key, value);
  return metadata;
}

function restoredLocks({ internal }: NetChange, now: ReadonlySet<string>): ReadonlySet<string> {
  const { locked = [], unlocked = [] } = internal as { locked?: readonly string[]; unlocked?: readonly string[] };
  return exchanged(now, locked, unlocked);
}

function exchanged(now: ReadonlySet<string>, out: readonly string[], back: readonly string[]): ReadonlySet<string> {
  if (out.length + back.length === 0) return now;
  const rest = new Set(now);
  for (const one of out) rest.delete(one);
  for (const one of back) rest.add(one);
  return rest;
}

export function missing(): Obstacle {
  return { reason: 'missing', fields: [], message: 'The transaction no longer exists.' };
}
