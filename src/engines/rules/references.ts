import { fold } from '../../kernel/fold.ts';
import type { StoredAction, StoredCondition, StoredLeaf, StoredNode } from './definition.ts';
import { isEmptyCondition } from './definition.ts';

/** Finds what a rule names; each function answers with a UUID, or undefined when there is nothing. */
export interface References {
  /** By slug, UUID or short_id. */
  category(text: string): string | undefined;
  /** By slug, UUID or short_id. */
  tag(text: string): string | undefined;
  series(text: string): string | undefined;
  /** By a name that is equal by fold(). */
  seriesByName(name: string): string | undefined;
  /** A merged one stands for its target. */
  counterparty(text: string): string | undefined;
  counterpartyByName(name: string): string | undefined;
  account(text: string): string | undefined;
  user(text: string): string | undefined;
  isArchived(categoryId: string): boolean;
}

/** A record that an action names, that does not exist and that is to be created with the rule. */
export interface Wanted {
  /** Stands for its id until it has one. */
  readonly placeholder: string;
  readonly kind: 'tag' | 'series' | 'counterparty';
  /** The slug of a tag, the name of the others. */
  readonly name: string;
  /** Of a series. */
  readonly seriesType: string | null;
  /** The action that wanted it first. */
  readonly path: string;
}

const PREFIX = 'new:';

/** True for what stands in place of an id that does not exist yet. */
export function isPlaceholder(id: string): boolean {
  return id.startsWith(PREFIX);
}

/** What the rules of one request want to be created; the same record is wanted once. */
export class WantedRecords {
  readonly #byPlaceholder = new Map<string, Wanted>();

  get list(): readonly Wanted[] {
    return [...this.#byPlaceholder.values()];
  }

  find(kind: Wanted['kind'], name: string): string | undefined {
    const placeholder = placeholderOf(kind, name);
    return this.#byPlaceholder.has(placeholder) ? placeholder : undefined;
  }

  want(kind: Wanted['kind'], name: string, path: string, seriesType: string | null = null): string {
    const placeholder = placeholderOf(kind, name);
    if (!this.#byPlaceholder.has(placeholder)) {
      this.#byPlaceholder.set(placeholder, { placeholder, kind, name, seriesType, path });
    }
    return placeholder;
  }
}

function placeholderOf(kind: Wanted['kind'], name: string): string {
  return `${PREFIX}${kind}:${kind === 'tag' ? name : fold(name)}`;
}

/** Puts the ids of the created records in place of their placeholders. */
export function fillCondition(condition: StoredCondition, ids: ReadonlyMap<string, string>): StoredCondition {
  return isEmptyCondition(condition) ? condition : fillNode(condition, ids);
}

function fillNode(node: StoredNode, ids: ReadonlyMap<string, string>): StoredNode {
  if ('and' in node) return { and: node.and.map((child) => fillNode(child, ids)) };
  if ('or' in node) return { or: node.or.map((child) => fillNode(child, ids)) };
  if ('not' in node) return { not: fillNode(node.not, ids) };
  return node.field === 'tags' && node.value !== undefined ? fillLeaf(node, ids) : node;
}

function fillLeaf(leaf: StoredLeaf, ids: ReadonlyMap<string, string>): StoredLeaf {
  const { value } = leaf;
  if (typeof value === 'string') return { ...leaf, value: filled(value, ids) };
  return Array.isArray(value) ? { ...leaf, value: value.map((item: unknown) => filled(String(item), ids)) } : leaf;
}

export function fillActions(
  actions: readonly StoredAction[],
  ids: ReadonlyMap<string, string>,
): readonly StoredAction[] {
  return actions.map((action) => {
    if (action.type === 'add_tag' || action.type === 'remove_tag') {
      return { ...action, tag_id: filled(action.tag_id, ids) };
    }
    if (action.type === 'assign_series') return { ...action, series_id: filled(action.series_id, ids) };
    if (action.type === 'assign_counterparty') {
      return { ...action, counterparty_id: filled(action.counterparty_id, ids) };
    }
    return action;
  });
}

function filled(id: string, ids: ReadonlyMap<string, string>): string {
  return ids.get(id) ?? id;
}
