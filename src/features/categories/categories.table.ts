import type { z } from 'zod';

import type { CategoriesTable } from '../../db/schema.ts';
import { compareCodePoints, fold } from '../../kernel/fold.ts';
import type { Category } from './categories.contract.ts';

export type CategoryRecord = z.output<typeof Category>;

export function toCategory(row: CategoriesTable): CategoryRecord {
  return {
    id: row.id,
    short_id: row.short_id,
    slug: row.slug,
    name: row.name,
    parent_id: row.parent_id,
    kind: row.kind as CategoryRecord['kind'],
    archived: row.is_archived === 1,
    icon: row.icon,
    color: row.color,
    sort_order: row.sort_order,
    is_system: row.is_system === 1,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}

/** Fields as the journal names them → columns, derived ones included. */
export function toCategoryColumns(fields: Readonly<Record<string, unknown>>): Partial<CategoriesTable> {
  const { archived, is_system: isSystem, name, ...same } = fields;
  return {
    ...(same as Partial<CategoriesTable>),
    ...(typeof name === 'string' ? { name, name_folded: fold(name) } : {}),
    ...(archived === undefined ? {} : { is_archived: archived === true ? 1 : 0 }),
    ...(isSystem === undefined ? {} : { is_system: isSystem === true ? 1 : 0 }),
  };
}

/** Each top-level category followed by its children; both levels by sort_order, folded name, id. */
export function inTreeOrder(rows: readonly CategoriesTable[]): CategoriesTable[] {
  const ordered = [...rows].sort(
    (a, b) =>
      a.sort_order - b.sort_order || compareCodePoints(a.name_folded, b.name_folded) || compareCodePoints(a.id, b.id),
  );
  const byParent = Map.groupBy(ordered, (row) => row.parent_id);
  return (byParent.get(null) ?? []).flatMap((top) => [top, ...(byParent.get(top.id) ?? [])]);
}
