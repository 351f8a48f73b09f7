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
  const add = (key: FacetDiff['key'], ...fields: FieldDiff[]): void => {
    const changed = fields.filter(({ was, is }) => was !== is);
    const isRelocked = key !== 'deletion' && before.locks.has(key) !== after.locks.has(key);
    if (changed.length > 0 || isRelocked) found.push({ key, fields: changed });
  };
  const member = (id: string | null): string | null => (id === null ? null : (members.get(id) ?? id));
  add(
    'category',
    { name: 'category_id', was: before.categoryId, is: after.categoryId },
    { name: 'category_source', was: before.categorySource, is: after.categorySource },
  );
  add('counterparty', { name: 'counterparty_id', was: before.counterpartyId, is: after.counterpartyId });
  add('series', { name: 'series_id', was: before.seriesId, is: after.seriesId });
  add('attribution', {
    name: 'attributed_user_id',
    was: member(before.attributedUserId),
    is: member(after.attributedUserId),
  });
  for (const slug of touched('tag:', before, after, [before.tags, after.tags])) {
    const has = (tags: ReadonlySet<string>): true | undefined => (tags.has(slug) ? true : undefined);
    add(`tag:${slug}`, { name: `tag:${slug}`, was: has(before.tags), is: has(after.tags) });
  }
  for (const key of touched('metadata.', before, after, [before.metadata, after.metadata])) {
    const [was, is] = [before.metadata.get(key), after.metadata.get(key)];
    const isSame = before.metadata.has(key) === after.metadata.has(key) && isEqualJson(was, is);
    add(`metadata.${key}`, { name: `metadata.${key}`, was, is: isSame ? was : is });
  }
  add('flag', { name: 'flagged_at', was: before.flaggedAt, is: after.flaggedAt });
  add('deletion', { name: 'deleted_at', was: before.deletedAt, is: after.deletedAt });
  return found;
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
