import type { JournaledChange } from '../../journal/undo.ts';
import type { AnnotationKind } from './annotations.contract.ts';
import type { NameAt } from './names-at.ts';

/** One thing that a change did to a transaction: what the entry says, before who said it. */
export interface Telling {
  kind: AnnotationKind;
  /** What is told about, unique within its change. */
  about: string;
  payload: Record<string, unknown>;
  /** The sentence after the actor's name; empty for what no longer says anything. */
  clause: string;
  /** The ids of the entry, where they are those of a record. */
  ids?: { id: string; short_id: string };
}

/** The names of the past that a timeline needs. */
export interface Names {
  category: NameAt;
  tag: NameAt;
  counterparty: NameAt;
  series: NameAt;
  rule: NameAt;
  /** Of a household member by short_id, as it is now. */
  member: (shortId: string) => string;
}

type Fields = Readonly<Record<string, unknown>>;

/** What an action means for a category that it moved. */
export type CategoryAction = 'set' | 'clear' | 'reset' | 'reassign';

/** Tells, facet by facet, what a change did to a transaction (contract 10.8). */
export function tellFacets(change: JournaledChange, names: Names, action: CategoryAction): Telling[] {
  const { before, after } = change;
  const [was, is]: [Fields, Fields] = [before ?? {}, after ?? {}];
  const at = change.changeSetId;
  return [
    ...tellCategory(change, was, is, names, action),
    ...tellReference('counterparty', was, is, (id) => names.counterparty(id, at)?.name ?? '?'),
    ...tellReference('series', was, is, (id) => names.series(id, at)?.name ?? '?'),
    ...tellAttribution(was, is, names),
    ...tellTags(was, is, (slug) => names.tag(slug, at)?.name ?? slug),
    ...tellMetadata(was, is),
    ...tellFlag(was, is),
    ...tellDeletion(was, is, change.internal?.['cause']),
  ];
}

/** `Parent › Child`, as both were called then. */
export function categoryPath(names: Names, id: string, at: string): string {
  const category = names.category(id, at);
  const parent = category?.parent_id ? names.category(category.parent_id, at) : null;
  return parent ? `${parent.name} › ${category?.name ?? '?'}` : (category?.name ?? '?');
}

function tellCategory(
  change: JournaledChange,
  was: Fields,
  is: Fields,
  names: Names,
  action: CategoryAction,
): Telling[] {
  if (!('category_id' in is) && !('category_source' in is)) return [];
  const at = change.changeSetId;
  const isMoved = 'category_id' in is;
  const idOf = (fields: Fields): string | null => (fields['category_id'] as string | null | undefined) ?? null;
  const record = (id: string | null): Record<string, unknown> | null => {
    const named = id === null ? null : names.category(id, at);
    return id === null ? null : { id, slug: named?.slug ?? null, name: named?.name ?? null };
  };
  // A confirmed choice changes its source alone; the category itself stands in the hidden part of the change.
  const stays = isMoved ? null : ((change.internal?.['category_id'] as string | null | undefined) ?? null);
  const [from, to] = isMoved ? [idOf(was), idOf(is)] : [stays, stays];
  const told = action === 'set' && to === null ? 'clear' : action;
  const [fromPath, toPath] = [from, to].map((id) => (id === null ? 'none' : categoryPath(names, id, at)));
  const clause = {
    set: `set the category to ${toPath}`,
    clear: 'set no category',
    reset: `reset the category to automatic (${toPath})`,
    reassign: `moved the category from ${fromPath} to ${toPath}`,
  }[told];
  const source = 'category_source' in is ? { category_source: is['category_source'] } : {};
  return [
    {
      kind: 'category_set',
      about: 'category',
      payload: { action: told, from: record(from), to: record(to), ...source },
      clause,
    },
  ];
}

const REFERENCE_WORDS = {
  counterparty: {
    field: 'counterparty_id',
    set: (name: string) => `set the counterparty to ${name}`,
    unset: (name: string) => `removed the counterparty ${name}`,
    unlinked: 'counterparty_unlinked',
    assigned: 'counterparty_assigned',
  },
  series: {
    field: 'series_id',
    set: (name: string) => `linked it to ${name}`,
    unset: (name: string) => `unlinked it from ${name}`,
    unlinked: 'series_unlinked',
    assigned: 'series_assigned',
  },
} as const;

function tellReference(
  type: 'counterparty' | 'series',
  was: Fields,
  is: Fields,
  nameOf: (id: string) => string,
): Telling[] {
  const words = REFERENCE_WORDS[type];
  if (!(words.field in is)) return [];
  const [from, to] = [was[words.field], is[words.field]] as (string | null)[];
  if (to === null || to === undefined) {
    if (typeof from !== 'string') return [];
    const name = nameOf(from);
    const payload = { [`${type}_id`]: from, [`${type}_name`]: name };
    return [{ kind: words.unlinked, about: type, payload, clause: words.unset(name) }];
  }
  const name = nameOf(to);
  const earlier = typeof from === 'string' ? { from: { id: from, name: nameOf(from) } } : {};
  const payload = { [`${type}_id`]: to, [`${type}_name`]: name, ...earlier };
  return [{ kind: words.assigned, about: type, payload, clause: words.set(name) }];
}

function tellAttribution(was: Fields, is: Fields, names: Names): Telling[] {
  if (!('attributed_user_id' in is)) return [];
  const [from, to] = [was['attributed_user_id'], is['attributed_user_id']] as (string | null | undefined)[];
  const isSet = typeof to === 'string';
  const member = isSet ? to : from;
  if (typeof member !== 'string') return [];
  const name = names.member(member);
  const clause = isSet ? `attributed it to ${name}` : `removed the attribution to ${name}`;
  const payload = { user_id: member, user_name: name };
  return [{ kind: isSet ? 'attributed' : 'unattributed', about: 'attribution', payload, clause }];
}

function tellTags(was: Fields, is: Fields, nameOf: (slug: string) => string): Telling[] {
  const slugs = (fields: Fields): string[] =>
    Object.keys(fields).flatMap((field) => (field.startsWith('tag:') ? [field.slice('tag:'.length)] : []));
  const told =
    (kind: 'tag_added' | 'tag_removed', verb: string) =>
    (slug: string): Telling => {
      const name = nameOf(slug);
      return { kind, about: `tag:${slug}`, payload: { slug, name }, clause: `${verb} the tag ${name}` };
    };
  return [
    ...slugs(is).sort().map(told('tag_added', 'added')),
    ...slugs(was).sort().map(told('tag_removed', 'removed')),
  ];
}

function tellMetadata(was: Fields, is: Fields): Telling[] {
  const keyed = (fields: Fields): Map<string, unknown> =>
    new Map(
      Object.entries(fields).flatMap(([field, value]) =>
        field.startsWith('metadata.') ? [[field.slice('metadata.'.length), value] as const] : [],
      ),
    );
  const set = keyed(is);
  const removed = [...keyed(was).keys()].filter((key) => !set.has(key)).sort();
  const keys = [...set.keys(), ...removed].sort();
  if (keys.length === 0) return [];
  const payload = { set: Object.fromEntries(set), removed };
  return [{ kind: 'metadata_changed', about: 'metadata', payload, clause: `changed metadata: ${keys.join(', ')}` }];
}

function tellFlag(was: Fields, is: Fields): Telling[] {
  if (!('flagged_at' in is)) return [];
  const at = is['flagged_at'];
  if (at === null) return [{ kind: 'unflagged', about: 'flag', payload: {}, clause: 'removed the flag' }];
  return was['flagged_at'] === at
    ? []
    : [{ kind: 'flagged', about: 'flag', payload: { flagged_at: at }, clause: 'flagged it' }];
}

function tellDeletion(was: Fields, is: Fields, cause: unknown): Telling[] {
  if (!('deleted_at' in is) || was['deleted_at'] === is['deleted_at']) return [];
  if (is['deleted_at'] === null) {
    return [{ kind: 'transaction_restored', about: 'deletion', payload: {}, clause: 'restored this transaction' }];
  }
  const verb = cause === 'provider' ? 'withdrew' : 'deleted';
  return [
    {
      kind: 'transaction_deleted',
      about: 'deletion',
      payload: { cause: cause ?? null },
      clause: `${verb} this transaction`,
    },
  ];
}
