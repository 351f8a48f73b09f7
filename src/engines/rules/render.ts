import type { Catalog } from './catalog.ts';
import type { Scalar, StoredAction, StoredCondition, StoredLeaf, StoredNode } from './definition.ts';
import { isEmptyCondition } from './definition.ts';
import { findField, isTextual } from './fields.ts';
import type { Json } from './json.ts';
import { isPlaceholder } from './references.ts';

/** A condition as returned (contract 40.2.5): categories and tags by slug, members by short_id, others by UUID. */
export function renderCondition(condition: StoredCondition, catalog: Catalog): Readonly<Record<string, Json>> {
  return isEmptyCondition(condition) ? {} : renderNode(condition, catalog);
}

function renderNode(node: StoredNode, catalog: Catalog): Readonly<Record<string, Json>> {
  if ('and' in node) return { and: node.and.map((child) => renderNode(child, catalog)) };
  if ('or' in node) return { or: node.or.map((child) => renderNode(child, catalog)) };
  if ('not' in node) return { not: renderNode(node.not, catalog) };
  const { field, op, value, min, max, tolerance } = node;
  return {
    field,
    op,
    ...(value === undefined ? {} : { value: renderValue(node, catalog) }),
    ...(min === undefined ? {} : { min }),
    ...(max === undefined ? {} : { max }),
    ...(tolerance === undefined ? {} : { tolerance }),
  };
}

/** The value of a leaf as returned; null when it has none. */
export function renderValue(leaf: StoredLeaf, catalog: Catalog): Json {
  const { value = null } = leaf;
  if (value === null) return null;
  const name = nameOf(leaf, catalog);
  return Array.isArray(value) ? value.map((item: Scalar) => name(item)) : name(value as Scalar);
}

function nameOf(leaf: StoredLeaf, catalog: Catalog): (value: Scalar) => Scalar {
  const field = findField(leaf.field);
  const by = (names: ReadonlyMap<string, string>) => (value: Scalar) => names.get(String(value)) ?? value;
  if (field?.kind === 'tags') return by(catalog.tags);
  if (field?.kind !== 'reference' || isTextual(leaf.op)) return (value) => value;
  if (field.names === 'user') return by(catalog.users);
  return field.names === 'category' ? (id) => catalog.categories.get(String(id))?.slug ?? id : (value) => value;
}

/** Actions as returned (40.3); the id of what would only be created is null. */
export function renderActions(actions: readonly StoredAction[], catalog: Catalog): Readonly<Record<string, Json>>[] {
  return actions.map((action) => renderAction(action, catalog));
}

function renderAction(action: StoredAction, catalog: Catalog): Readonly<Record<string, Json>> {
  switch (action.type) {
    case 'set_category': {
      const { type, category_id } = action;
      return { type, category_id, category_slug: catalog.categories.get(category_id)?.slug ?? null };
    }
    case 'add_tag':
    case 'remove_tag':
      return { type: action.type, tag_slug: catalog.tags.get(action.tag_id) ?? action.tag_id };
    case 'assign_series': {
      const { id, name } = renderNamed(action.series_id, catalog.series);
      return { type: action.type, series_id: id, series_name: name };
    }
    case 'assign_counterparty': {
      const { id, name } = renderNamed(action.counterparty_id, catalog.counterparties);
      return { type: action.type, counterparty_id: id, counterparty_name: name };
    }
    case 'set_metadata':
    case 'remove_metadata':
    case 'flag':
    case 'unflag':
    case 'add_comment':
    default:
      return { ...action };
  }
}

/** A series or counterparty as a change shows it. */
export function renderNamed(
  id: string,
  names: ReadonlyMap<string, string>,
): { readonly id: string | null; readonly name: string | null } {
  return { id: isPlaceholder(id) ? null : id, name: names.get(id) ?? null };
}
