import type { TagsTable } from '../../db/schema.ts';

/** A tag as the journal keeps it: the record without what is counted. */
export function toTagFields(row: TagsTable): Omit<TagsTable, 'name_folded'> {
  const { name_folded: _derived, ...fields } = row;
  return fields;
}
