import { isEqualJson } from '../../kernel/json.ts';
import type { FacetKey, Facets } from './facets.ts';

/** One changed field by its name in the journal; undefined if the field does not exist on that side. */
interface FieldDiff {
  name: string;
  was: unknown;
  is: unknown;
}

/** A changed facet, or the deletion of the row, with its changed fields; none if only the lock changed. */
export interface FacetDiff {
  key: FacetKey | 'deletion';
  fields: FieldDiff[];
}

/**
 * What differs between two states of a transaction, as the journal shows it (contract 10.13.1): tags as `tag:<slug>`
 * with value true, metadata as `metadata.<key>`, members by short_id.
 */
export function diffFacets(before: Facets, after: Facets, members: ReadonlyMap<string, string>): FacetDiff[] {
  const found: FacetDiff[] = [];
  const add = (key: FacetDiff['key'], name: string, was: unknown, is: unknown): void => {
    if (was !== is) found.push({ key, fields: [{ name, was, is }] });
    else if (key !== 'deletion' && isRelocked(before, after, key)) found.push({ key, fields: [] });
  };
  const member = (id: string | null): string | null => (id === null ? null : (members.get(id) ?? id));
  const category = categoryFields(before, after);
  if (category.length > 0 || isRelocked(before, after, 'category')) found.push({ key: 'category', fields: category });
  add('counterparty', 'counterparty_id', before.counterpartyId, after.counterpartyId);
  add('series', 'series_id', before.seriesId, after.seriesId);
  add('attribution', 'attributed_user_id', member(before.attributedUserId), member(after.attributedUserId));
  for (const slug of touched('tag:', before, after, [before.tags, after.tags])) {
    const has = (tags: ReadonlySet<string>): true | undefined => (tags.has(slug) ? true : undefined);
    add(`tag:${slug}`, `tag:${slug}`, has(before.tags), has(after.tags));
  }
  for (const key of touched('metadata.', before, after, [before.metadata, after.metadata])) {
    const [was, is] = [before.metadata.get(key), after.metadata.get(key)];
    const isSame = before.metadata.has(key) === after.metadata.has(key) && isEqualJson(was, is);
    add(`metadata.${key}`, `metadata.${key}`, was, isSame ? was : is);
  }
  add('flag', 'flagged_at', before.flaggedAt, after.flaggedAt);
  add('deletion', 'deleted_at', before.deletedAt, after.deletedAt);
  return found;
}

function isRelocked(before: Facets, after: Facets, key: FacetKey): boolean {
  return before.locks !== after.locks && before.locks.has(key) !== after.locks.has(key);
}

function categoryFields(before: Facets, after: Facets): FieldDiff[] {
  const fields: FieldDiff[] = [];
  if (before.categoryId !== after.categoryId)
    fields.push({ name: 'category_id', was: before.categoryId, is: after.categoryId });
  if (before.categorySource !== after.categorySource)
    fields.push({ name: 'category_source', was: before.categorySource, is: after.categorySource });
  return fields;
}

interface Keyed {
  keys(): Iterable<string>;
}

/** Keys that may differ: all of them if the values differ, otherwise those whose lock does. */
function touched(
  prefix: 'tag:' | 'metadata.',
  before: Facets,
  after: Facets,
  [was, is]: readonly [Keyed, Keyed],
): Iterable<string> {
  if (was === is && before.locks === after.locks) return [];
  const keys = new Set(was === is ? [] : [...was.keys(), ...is.keys()]);
  for (const lock of before.locks === after.locks ? [] : [...before.locks, ...after.locks]) {
    if (lock.startsWith(prefix)) keys.add(lock.slice(prefix.length));
  }
  return keys;
}

const FIELD_OF_LOCK: Readonly<Record<string, string>> = {
  category: 'category_id',
  counterparty: 'counterparty_id',
  series: 'series_id',
  flag: 'flagged_at',
  attribution: 'attributed_user_id',
};

/** The field of the record that a lock is about. */
export function fieldOfLock(lock: string): string {
  return FIELD_OF_LOCK[lock] ?? lock;
}

const LOCK_OF_FIELD: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(FIELD_OF_LOCK).map(([lock, field]) => [field, lock])),
  category_source: 'category',
};

/** The key of the facet that a field of the journal belongs to. */
export function keyOfField(field: string): string {
  return LOCK_OF_FIELD[field] ?? field;
}

export function isFacetField(field: string): boolean {
  return field in LOCK_OF_FIELD || field.startsWith('tag:') || field.startsWith('metadata.');
}
