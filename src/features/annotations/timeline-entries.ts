import { createHash } from 'node:crypto';

import type { ChangeSetRow } from '../../journal/journal.queries.ts';
import type { JournaledChange } from '../../journal/undo.ts';
import { isDeliveredField } from '../facets/index.ts';
import type { AnnotationKind } from './annotations.contract.ts';
import type { TimelineSet } from './annotations.queries.ts';
import type { NameAt } from './names-at.ts';

/** What a timeline entry says about one part of a change, without its actor. */
export interface EntryDraft {
  kind: AnnotationKind;
  /** The subject, unique within its change. */
  about: string;
  payload: Record<string, unknown>;
  /** The sentence after the actor's name; empty for a deleted comment. */
  clause: string;
  /** The ids of the entry, if it has those of a record. */
  ids?: { id: string; short_id: string };
}

/** Names as they were at the time of a change. */
export interface Names {
  category: NameAt;
  tag: NameAt;
  counterparty: NameAt;
  series: NameAt;
  rule: NameAt;
  /** The present name of a household member, by short_id; of one who was deleted, what is given instead. */
  member: (shortId: string, otherwise?: string) => string;
}

type Fields = Readonly<Record<string, unknown>>;

/** How a category was changed. */
export type CategoryAction = 'set' | 'clear' | 'reset' | 'reassign';

/** What a change did to a transaction, facet by facet (contract 10.8). `decidedBy`: the category's source after it. */
export function describeFacets(
  change: JournaledChange,
  names: Names,
  action: CategoryAction,
  decidedBy: unknown,
): EntryDraft[] {
  const { before, after } = change;
  const [was, is]: [Fields, Fields] = [before ?? {}, after ?? {}];
  const at = change.changeSetId;
  return [
    ...describeCategory(change, names, action, decidedBy),
    ...describeReference('counterparty', was, is, (id) => names.counterparty(id, at)?.name ?? '?'),
    ...describeReference('series', was, is, (id) => names.series(id, at)?.name ?? '?'),
    ...describeAttribution(was, is, names, change.internal?.['account_link_id']),
    ...describeTags(was, is, (slug) => names.tag(slug, at)?.name ?? slug),
    ...describeMetadata(was, is),
    ...describeFlag(was, is),
    ...describeDeletion(was, is, change.internal?.['cause']),
  ];
}

/** `Parent › Child`, with their names at the time. */
function categoryPath(names: Names, id: string, at: string): string {
  const category = names.category(id, at);
  const parent = category?.parent_id ? names.category(category.parent_id, at) : null;
  return parent ? `${parent.name} › ${category?.name ?? '?'}` : (category?.name ?? '?');
}

function describeCategory(
  change: JournaledChange,
  names: Names,
  action: CategoryAction,
  decidedBy: unknown,
): EntryDraft[] {
  const [was, is]: [Fields, Fields] = [change.before ?? {}, change.after ?? {}];
  if (!('category_id' in is) && !('category_source' in is)) return [];
  const at = change.changeSetId;
  const isMoved = 'category_id' in is;
  const idOf = (fields: Fields): string | null => (fields['category_id'] as string | null | undefined) ?? null;
  const record = (id: string | null): Record<string, unknown> | null => {
    const named = id === null ? null : names.category(id, at);
    return id === null ? null : { id, slug: named?.slug ?? null, name: named?.name ?? null };
  };
  // A confirmed choice changes only its source; the category itself is in the internal part of the change.
  const stays = isMoved ? null : ((change.internal?.['category_id'] as string | null | undefined) ?? null);
  const [from, to] = isMoved ? [idOf(was), idOf(is)] : [stays, stays];
  const shownAction = action === 'set' && to === null ? 'clear' : action;
  const [fromPath, toPath] = [from, to].map((id) => (id === null ? 'none' : categoryPath(names, id, at)));
  const clause = {
    set: `set the category to ${toPath}`,
    clear: 'set no category',
    reset: `reset the category to automatic (${toPath})`,
    reassign: `moved the category from ${fromPath} to ${toPath}`,
  }[shownAction];
  return [
    {
      kind: 'category_set',
      about: 'category',
      payload: { action: shownAction, from: record(from), to: record(to), category_source: decidedBy },
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

function describeReference(
  type: 'counterparty' | 'series',
  was: Fields,
  is: Fields,
  nameOf: (id: string) => string,
): EntryDraft[] {
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
  const earlier = typeof from === 'string' ? { id: from, name: nameOf(from) } : null;
  const payload = { [`${type}_id`]: to, [`${type}_name`]: name, from: earlier };
  return [{ kind: words.assigned, about: type, payload, clause: words.set(name) }];
}

/** `linkId`: the account link that did it. */
function describeAttribution(was: Fields, is: Fields, names: Names, linkId: unknown): EntryDraft[] {
  if (!('attributed_user_id' in is)) return [];
  const [from, to] = [was['attributed_user_id'], is['attributed_user_id']] as (string | null | undefined)[];
  const isSet = typeof to === 'string';
  const member = isSet ? to : from;
  if (typeof member !== 'string') return [];
  const name = names.member(member);
  const clause = isSet ? `attributed it to ${name}` : `removed the attribution to ${name}`;
  const payload = { user_id: member, user_name: name, account_link_id: typeof linkId === 'string' ? linkId : null };
  return [{ kind: isSet ? 'attributed' : 'unattributed', about: 'attribution', payload, clause }];
}

function describeTags(was: Fields, is: Fields, nameOf: (slug: string) => string): EntryDraft[] {
  const slugs = (fields: Fields): string[] =>
    Object.keys(fields).flatMap((field) => (field.startsWith('tag:') ? [field.slice('tag:'.length)] : []));
  const entry =
    (kind: 'tag_added' | 'tag_removed', verb: string) =>
    (slug: string): EntryDraft => {
      const name = nameOf(slug);
      return { kind, about: `tag:${slug}`, payload: { slug, name }, clause: `${verb} the tag ${name}` };
    };
  return [
    ...slugs(is).sort().map(entry('tag_added', 'added')),
    ...slugs(was).sort().map(entry('tag_removed', 'removed')),
  ];
}

function describeMetadata(was: Fields, is: Fields): EntryDraft[] {
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

function describeFlag(was: Fields, is: Fields): EntryDraft[] {
  if (!('flagged_at' in is)) return [];
  const at = is['flagged_at'];
  if (at === null) return [{ kind: 'unflagged', about: 'flag', payload: {}, clause: 'removed the flag' }];
  return was['flagged_at'] === at
    ? []
    : [{ kind: 'flagged', about: 'flag', payload: { flagged_at: at }, clause: 'flagged it' }];
}

function describeDeletion(was: Fields, is: Fields, cause: unknown): EntryDraft[] {
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

const PREVIEW_CHARS = 120;

/**
 * A comment in the timeline: its present text, under its own ids. A deleted one keeps its place but not its text. What
 * a revert restored or changed appears as an edit, because the comment has its entry already.
 */
export function describeComment(
  change: JournaledChange,
  set: ChangeSetRow,
  comments: ReadonlyMap<string, { body: string; edited: boolean }>,
): EntryDraft {
  const id = change.entityId as string;
  const isOwnEntry = change.operation === 'create' && set.reverts_change_set_id === null;
  if (!isOwnEntry) {
    return change.operation === 'delete'
      ? { kind: 'comment_deleted', about: `comment:${id}`, payload: { comment_id: id }, clause: 'deleted a comment' }
      : { kind: 'comment_edited', about: `comment:${id}`, payload: { comment_id: id }, clause: 'edited a comment' };
  }
  const ids = { id, short_id: change.entityShortId as string };
  const now = comments.get(id);
  const about = `comment:${id}`;
  if (!now) return { kind: 'comment', about, ids, payload: { comment_id: id, deleted: true }, clause: '' };
  const payload = { comment_id: id, comment: now.body, edited: now.edited };
  return { kind: 'comment', about, ids, payload, clause: `commented: ${preview(now.body)}` };
}

/** The first line, cut at 120 characters. */
function preview(body: string): string {
  const [line = ''] = body.split('\n', 1);
  const characters = [...line.trim()];
  return characters.length > PREVIEW_CHARS ? `${characters.slice(0, PREVIEW_CHARS).join('')}…` : line.trim();
}

/** What only a provider delivers: the account that a row belongs to, and a time that no record shows. */
const ONLY_OF_SYNCS: ReadonlySet<string> = new Set(['account_id', 'authorized_datetime']);

/** What a bank file or a sync changed in the values it had delivered; null if it changed none. */
export function describeDelivered(change: JournaledChange, set: TimelineSet, provider: string): EntryDraft | null {
  const changes: Record<string, { from: unknown; to: unknown }> = {};
  for (const [field, to] of Object.entries(change.after ?? {})) {
    if (isDeliveredField(field) || (set.source === 'sync' && ONLY_OF_SYNCS.has(field)))
      changes[field] = { from: change.before?.[field] ?? null, to };
  }
  const fields = Object.keys(changes);
  if (fields.length === 0) return null;
  const clause = fields.map((field) => clauseOf(field, changes[field] as { from: unknown; to: unknown })).join(', ');
  // A person who merges two transactions gives one what the bank said of the other.
  const isSync = set.source === 'sync' || set.source === 'edit';
  return {
    kind: isSync ? 'sync_updated' : 'import_updated',
    about: 'delivered',
    payload: isSync
      ? {
          provider: set.sync_provider ?? provider,
          connection_id: set.source === 'sync' ? set.actor_id : null,
          sync_log_id: set.sync_log_id,
          changes,
        }
      : { import_id: set.import_id, file_name: set.file_name, changes },
    clause,
  };
}

function clauseOf(field: string, { from, to }: { from: unknown; to: unknown }): string {
  if (field === 'pending') return to === true ? 'marked it pending' : 'marked it posted';
  const shown = (value: unknown): string =>
    value === null ? 'none' : typeof value === 'string' ? value : JSON.stringify(value);
  return `changed ${field} from ${shown(from)} to ${shown(to)}`;
}

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/**
 * The ids of a timeline entry: a UUID with the time of its change set, and eight characters of base62. They are derived
 * from its subject, so that they are the same each time the timeline is read.
 */
export function entryIds(changeSetId: string, about: string): { id: string; short_id: string } {
  const digest = createHash('sha256').update(`${changeSetId}|${about}`).digest();
  const hex = digest.toString('hex');
  const variant = ((Number.parseInt(hex.slice(3, 4), 16) & 0x3) | 0x8).toString(16);
  const id = `${changeSetId.slice(0, 13)}-7${hex.slice(0, 3)}-${variant}${hex.slice(4, 7)}-${hex.slice(7, 19)}`;
  let rest = digest.readBigUInt64BE(16);
  let shortId = '';
  while (shortId.length < 8) {
    shortId += BASE62[Number(rest % 62n)] as string;
    rest /= 62n;
  }
  return { id, short_id: shortId };
}
