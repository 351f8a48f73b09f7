import type { Catalog } from './catalog.ts';
import type { Scalar, StoredCondition, StoredLeaf, StoredNode } from './definition.ts';
import { isEmptyCondition } from './definition.ts';
import { getField, namedBy, showReference } from './fields.ts';
import type { Json } from './json.ts';

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

/** The value of a leaf as returned; null if it has none. */
export function renderValue(leaf: StoredLeaf, catalog: Catalog): Json {
  const { value = null } = leaf;
  const kind = namedBy(getField(leaf), leaf.op);
  if (value === null || kind === undefined) return value;
  const shown = (id: Scalar): string => showReference(kind, String(id), catalog);
  return Array.isArray(value) ? value.map(shown) : shown(value as Scalar);
}
