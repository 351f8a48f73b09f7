import type { z } from 'zod';

import type { TagsTable } from '../../db/schema.ts';
import type { Tag } from './tags.contract.ts';

export type TagRecord = z.output<typeof Tag>;

/** A tag as the journal keeps it: the record without what is counted. */
export function toTagFields(row: TagsTable): Omit<TagsTable, 'name_folded'> {
  const { name_folded: _derived, ...fields } = row;
  return fields;
}

export function toTag(row: TagsTable, transactionCount: number): TagRecord {
  const { created_at, updated_at, ...fields } = toTagFields(row);
  return { ...fields, transaction_count: transactionCount, created_at, updated_at };
}
