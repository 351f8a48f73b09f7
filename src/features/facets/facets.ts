import type { Actor } from '../../journal/write.ts';
import { isEqualJson } from '../../kernel/json.ts';

/**
 * The facets of a transaction: what people, agents and rules may write, as opposed to what the bank delivered. Pure:
 * each function returns changed facets, or the same object if nothing changes (contract 10.1.6, 10.3.1).
 */
export interface Facets {
  readonly id: string;
  readonly shortId: string;
  readonly categoryId: string | null;
  readonly categorySource: CategorySource | null;
  /** The rule that set the category, when one did. */
  readonly categoryRuleId: string | null;
  readonly counterpartyId: string | null;
  readonly seriesId: string | null;
  /** UUID of a household member. */
  readonly attributedUserId: string | null;
  readonly attributedByLinkId: string | null;
  readonly flaggedAt: string | null;
  /** Slugs. */
  readonly tags: ReadonlySet<string>;
  readonly metadata: ReadonlyMap<string, unknown>;
  /** Keys of the facets that a person or agent decided, so that no rule changes them. */
  readonly locks: ReadonlySet<string>;
  readonly deletedAt: string | null;
  readonly deletedCause: DeletedCause | null;
}

const NOTHING: ReadonlySet<string> = new Set();

/** The facets of a new row. */
export const blankFacets: Facets = {
  id: '',
  shortId: '',
  categoryId: null,
  categorySource: null,
  categoryRuleId: null,
  counterpartyId: null,
  seriesId: null,
  attributedUserId: null,
  attributedByLinkId: null,
  flaggedAt: null,
  tags: NOTHING,
  metadata: new Map(),
  locks: NOTHING,
  deletedAt: null,
  deletedCause: null,
};

export type CategorySource = 'person' | 'agent' | 'rule' | 'provider';
export type DeletedCause = 'person' | 'agent' | 'provider' | 'revert' | 'connection' | 'merged';

/** A facet by its lock: `tag:<slug>` and `metadata.<key>` one by one. */
export type FacetKey =
  | 'category'
  | 'counterparty'
  | 'series'
  | 'flag'
  | 'attribution'
  | `tag:${string}`
  | `metadata.${string}`;

/** Who edits by hand: the value for `category_source`, and whether the edit locks what it writes. */
export interface Editor {
  readonly word: 'person' | 'agent';
  readonly locks: boolean;
}

/** A key of type `system` counts as an agent, but locks nothing (contract 10, notation). */
export function editorOf(actor: Actor): Editor {
  return { word: actor.type === 'user' ? 'person' : 'agent', locks: actor.type !== 'system' };
}

/** Sets a category, or deliberately none. A category set by a system key becomes an agent's when the agent confirms it. */
export function setCategory(facets: Facets, editor: Editor, categoryId: string | null): Facets {
  const isSame = facets.categoryId === categoryId && facets.categorySource === editor.word;
  if (isSame && (facets.locks.has('category') || !editor.locks)) return facets;
  const set = { ...facets, categoryId, categorySource: editor.word, categoryRuleId: null };
  return locked(set, editor, 'category');
}

/** Unlocks the category and sets what rules and provider decide. */
export function resetCategory(
  facets: Facets,
  automatic: Pick<Facets, 'categoryId' | 'categorySource' | 'categoryRuleId'>,
): Facets {
  const isSame =
    facets.categoryId === automatic.categoryId &&
    facets.categorySource === automatic.categorySource &&
    !facets.locks.has('category');
  return isSame ? facets : { ...facets, ...automatic, locks: without(facets.locks, 'category') };
}

export function setCounterparty(facets: Facets, editor: Editor, counterpartyId: string | null): Facets {
  if (facets.counterpartyId === counterpartyId) return facets;
  return locked({ ...facets, counterpartyId }, editor, 'counterparty');
}

export function setSeries(facets: Facets, editor: Editor, seriesId: string | null): Facets {
  if (facets.seriesId === seriesId) return facets;
  return locked({ ...facets, seriesId }, editor, 'series');
}

/** Attributes the row to a household member by hand; null clears. What an account link set becomes theirs. */
export function setAttribution(facets: Facets, editor: Editor, userId: string | null): Facets {
  if (facets.attributedUserId === userId && facets.attributedByLinkId === null) return facets;
  return locked({ ...facets, attributedUserId: userId, attributedByLinkId: null }, editor, 'attribution');
}

export function addTag(facets: Facets, editor: Editor, slug: string): Facets {
  if (facets.tags.has(slug)) return facets;
  return locked({ ...facets, tags: new Set([...facets.tags, slug]) }, editor, `tag:${slug}`);
}

export function removeTag(facets: Facets, editor: Editor, slug: string): Facets {
  if (!facets.tags.has(slug)) return facets;
  return locked({ ...facets, tags: without(facets.tags, slug) }, editor, `tag:${slug}`);
}

/** Equal JSON, whatever the order of its keys, is not a change. */
export function setMetadata(facets: Facets, editor: Editor, key: string, value: unknown): Facets {
  if (facets.metadata.has(key) && isEqualJson(facets.metadata.get(key), value)) return facets;
  return locked({ ...facets, metadata: new Map(facets.metadata).set(key, value) }, editor, `metadata.${key}`);
}

export function unsetMetadata(facets: Facets, editor: Editor, key: string): Facets {
  if (!facets.metadata.has(key)) return facets;
  const metadata = new Map(facets.metadata);
  metadata.delete(key);
  return locked({ ...facets, metadata }, editor, `metadata.${key}`);
}

/** A row that is already flagged keeps its instant. */
export function setFlag(facets: Facets, editor: Editor, now: string): Facets {
  if (facets.flaggedAt !== null) return facets;
  return locked({ ...facets, flaggedAt: now }, editor, 'flag');
}

export function clearFlag(facets: Facets, editor: Editor): Facets {
  if (facets.flaggedAt === null) return facets;
  return locked({ ...facets, flaggedAt: null }, editor, 'flag');
}

export function withoutLock(facets: Facets, key: string): Facets {
  return facets.locks.has(key) ? { ...facets, locks: without(facets.locks, key) } : facets;
}

/** An edit by a person or agent locks the facet; one by a system key unlocks it. */
function locked(facets: Facets, editor: Editor, key: FacetKey): Facets {
  if (facets.locks.has(key) === editor.locks) return facets;
  return { ...facets, locks: editor.locks ? new Set([...facets.locks, key]) : without(facets.locks, key) };
}

function without(set: ReadonlySet<string>, key: string): ReadonlySet<string> {
  if (!set.has(key)) return set;
  const rest = new Set(set);
  rest.delete(key);
  return rest;
}
