import type { Catalog } from './catalog.ts';
import type { ActionOf, ActionType, StoredAction } from './definition.ts';
import type { ReferenceKind } from './language.ts';
import { isWithin, member, type Json, type JsonObject } from './json.ts';
import {
  parseComment,
  parseMetadataKey,
  parseMetadataValue,
  parseNamed,
  parseSetCategory,
  parseTag,
  type ActionsContext,
} from './parse-action-values.ts';
import { isPlaceholder } from './references.ts';
import type { RowPart } from './row.ts';

/** What an action does to its facet; a comment has none. */
export type Effect =
  | { readonly kind: 'category'; readonly facet: 'category'; readonly id: string; readonly isArchived: boolean }
  | { readonly kind: 'tag'; readonly facet: `tag:${string}`; readonly slug: string; readonly isAttached: boolean }
  | { readonly kind: 'series'; readonly facet: 'series'; readonly id: string }
  | { readonly kind: 'counterparty'; readonly facet: 'counterparty'; readonly id: string }
  | {
      readonly kind: 'metadata';
      readonly facet: `metadata.${string}`;
      readonly key: string;
      /** Undefined removes the key. */
      readonly value: unknown;
    }
  | { readonly kind: 'flag'; readonly facet: 'flag'; readonly isFlagged: boolean }
  | { readonly kind: 'comment'; readonly facet: null; readonly content: string };

export type FacetEffect = Exclude<Effect, { kind: 'comment' }>;

type EffectCatalog = Pick<Catalog, 'categories' | 'tags'>;
type Parse<A> = (input: JsonObject, path: string, context: ActionsContext) => A | undefined;

/** A type of action (contract 40.3). */
interface ActionEntry<T extends ActionType, A = ActionOf<T>> {
  /** The JSON keys besides `type` that a client may send. */
  readonly members: readonly string[];
  /** The action in its stored form; undefined if it has problems, which are then noted. */
  readonly parse: Parse<A>;
  /** The parts of a row that its effect depends on. */
  readonly parts: readonly RowPart[];
  /** The kind of record that it refers to, and the key with its id. */
  readonly refersTo?: { readonly kind: ReferenceKind; readonly key: keyof A & `${string}_id` };
  /** What it writes; no two actions of a rule write the same. Null for a comment. */
  readonly target: (action: A) => string | null;
  readonly effect: (action: A, catalog: EffectCatalog) => Effect;
  /** The action as returned; a record that does not exist yet has a null id. */
  readonly show: (action: A, catalog: Catalog) => Readonly<Record<string, Json>>;
  /** The action in a few words, for people. */
  readonly describe: (action: A, catalog: Catalog) => string;
}

/** Every type of action. To add one, add its entry. */
const ACTIONS: { readonly [T in ActionType]: ActionEntry<T> } = {
  set_category: {
    members: ['category_slug', 'category_id'],
    parse: parseSetCategory,
    parts: ['categoryId', 'categorySource', 'locks'],
    refersTo: { kind: 'category', key: 'category_id' },
    target: () => 'category',
    effect: ({ category_id: id }, { categories }) => {
      return { kind: 'category', facet: 'category', id, isArchived: categories.get(id)?.isArchived ?? false };
    },
    show: ({ type, category_id }, { categories }) => {
      return { type, category_id, category_slug: categories.get(category_id)?.slug ?? null };
    },
    describe: ({ category_id: id }, { categories }) => `set category ${categories.get(id)?.slug ?? id}`,
  },
  add_tag: tagEntry('add_tag', true),
  remove_tag: tagEntry('remove_tag', false),
  assign_series: {
    members: ['series_id', 'series_name', 'create_if_missing', 'series_type'],
    parse: (input, path, context) => {
      const id = parseNamed('series', input, path, context);
      return id === undefined ? undefined : { type: 'assign_series', series_id: id };
    },
    parts: ['seriesId', 'locks'],
    refersTo: { kind: 'series', key: 'series_id' },
    target: () => 'series',
    effect: ({ series_id: id }) => ({ kind: 'series', facet: 'series', id }),
    show: ({ type, series_id }, { series }) => {
      const { id, name } = renderNamed(series_id, series);
      return { type, series_id: id, series_name: name };
    },
    describe: ({ series_id: id }, { series }) => `assign series ${shorten(series.get(id) ?? id)}`,
  },
  assign_counterparty: {
    members: ['counterparty_id', 'counterparty_name', 'create_if_missing'],
    parse: (input, path, context) => {
      const id = parseNamed('counterparty', input, path, context);
      return id === undefined ? undefined : { type: 'assign_counterparty', counterparty_id: id };
    },
    parts: ['counterpartyId', 'locks'],
    refersTo: { kind: 'counterparty', key: 'counterparty_id' },
    target: () => 'counterparty',
    effect: ({ counterparty_id: id }) => ({ kind: 'counterparty', facet: 'counterparty', id }),
    show: ({ type, counterparty_id }, { counterparties }) => {
      const { id, name } = renderNamed(counterparty_id, counterparties);
      return { type, counterparty_id: id, counterparty_name: name };
    },
    describe: ({ counterparty_id: id }, { counterparties }) =>
      `assign counterparty ${shorten(counterparties.get(id) ?? id)}`,
  },
  set_metadata: {
    members: ['metadata_key', 'metadata_value'],
    parse: (input, path, context) => {
      const key = parseMetadataKey(input, path, context);
      const value = parseMetadataValue(input, path, context);
      if (key === undefined || value === undefined) return undefined;
      return { type: 'set_metadata', metadata_key: key, metadata_value: value };
    },
    parts: ['metadata', 'locks'],
    target: ({ metadata_key: key }) => `metadata.${key}`,
    effect: ({ metadata_key: key, metadata_value: value }) => {
      return { kind: 'metadata', facet: `metadata.${key}`, key, value };
    },
    show: (action) => ({ ...action }),
    describe: ({ metadata_key: key, metadata_value: value }) =>
      `set metadata ${shorten(key)} to ${shorten(JSON.stringify(value))}`,
  },
  remove_metadata: {
    members: ['metadata_key'],
    parse: (input, path, context) => {
      const key = parseMetadataKey(input, path, context);
      return key === undefined ? undefined : { type: 'remove_metadata', metadata_key: key };
    },
    parts: ['metadata', 'locks'],
    target: ({ metadata_key: key }) => `metadata.${key}`,
    effect: ({ metadata_key: key }) => ({ kind: 'metadata', facet: `metadata.${key}`, key, value: undefined }),
    show: (action) => ({ ...action }),
    describe: ({ metadata_key: key }) => `remove metadata ${shorten(key)}`,
  },
  flag: flagEntry('flag', true),
  unflag: flagEntry('unflag', false),
  add_comment: {
    members: ['content'],
    parse: (input, path, context) => {
      const content = parseComment(input, path, context);
      return content === undefined ? undefined : { type: 'add_comment', content };
    },
    parts: [],
    target: () => null,
    effect: ({ content }) => ({ kind: 'comment', facet: null, content }),
    show: (action) => ({ ...action }),
    describe: ({ content }) => `add comment ${shorten(JSON.stringify(content))}`,
  },
};

function tagEntry<T extends 'add_tag' | 'remove_tag'>(type: T, isAttached: boolean): ActionEntry<T, TagAction<T>> {
  const verb = isAttached ? 'add tag' : 'remove tag';
  return {
    members: ['tag_slug'],
    parse: (input, path, context) => {
      const id = parseTag(type, member(input, 'tag_slug'), `${path}.tag_slug`, context);
      return id === undefined ? undefined : { type, tag_id: id };
    },
    parts: ['tags', 'locks'],
    refersTo: { kind: 'tag', key: 'tag_id' },
    target: ({ tag_id: id }) => `tag:${id}`,
    effect: ({ tag_id: id }, { tags }) => {
      const slug = tags.get(id);
      if (slug === undefined) throw new Error('A stored rule refers to a tag that does not exist.');
      return { kind: 'tag', facet: `tag:${slug}`, slug, isAttached };
    },
    show: ({ tag_id: id }, { tags }) => ({ type, tag_slug: tags.get(id) ?? id }),
    describe: ({ tag_id: id }, { tags }) => `${verb} ${tags.get(id) ?? id}`,
  };
}

type TagAction<T extends 'add_tag' | 'remove_tag'> = { readonly type: T; readonly tag_id: string };

function flagEntry<T extends 'flag' | 'unflag'>(type: T, isFlagged: boolean): ActionEntry<T, { readonly type: T }> {
  return {
    members: [],
    parse: () => ({ type }),
    parts: ['flagged', 'locks'],
    target: () => 'flag',
    effect: () => ({ kind: 'flag', facet: 'flag', isFlagged }),
    show: () => ({ type }),
    describe: () => type,
  };
}

export const ACTION_TYPES = Object.keys(ACTIONS) as readonly ActionType[];

/** The entry of a type; it accepts only actions of this type. */
export function entryOf(type: ActionType): ActionEntry<ActionType, StoredAction> {
  return ACTIONS[type] as unknown as ActionEntry<ActionType, StoredAction>;
}

export function effectOf(action: StoredAction, catalog: EffectCatalog): Effect {
  return entryOf(action.type).effect(action, catalog);
}

/** Actions as returned (contract 40.3). */
export function renderActions(actions: readonly StoredAction[], catalog: Catalog): Readonly<Record<string, Json>>[] {
  return actions.map((action) => entryOf(action.type).show(action, catalog));
}

/** The actions of a rule in one line, for people. */
export function effectLine(actions: readonly StoredAction[], catalog: Catalog): string {
  return actions.map((action) => entryOf(action.type).describe(action, catalog)).join('; ');
}

/** A series or counterparty as a change shows it. */
export function renderNamed(
  id: string,
  names: ReadonlyMap<string, string>,
): { readonly id: string | null; readonly name: string | null } {
  return { id: isPlaceholder(id) ? null : id, name: names.get(id) ?? null };
}

const SHOWN_CHARS = 60;

function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return isWithin(line, SHOWN_CHARS) ? line : `${Array.from(line).slice(0, SHOWN_CHARS).join('')}…`;
}
