import type { TagsTable } from '../../db/schema.ts';
import { undoRows } from '../../journal/undo-rows.ts';
import { fold } from '../../kernel/fold.ts';
import { countRulesNaming } from '../rules/index.ts';
import { isCarried } from './tags.queries.ts';
import { toTagFields } from './tags.table.ts';

/** How tags are taken back. The transactions get theirs back by their own changes of the same set. */
export const undo = undoRows({
  entityType: 'tag',
  table: 'tags',
  toFields: (row) => toTagFields(row as unknown as TagsTable),
  toColumns: async (_tx, fields) => ({
    ...(fields as Partial<TagsTable>),
    ...(typeof fields['name'] === 'string' ? { name_folded: fold(fields['name']) } : {}),
  }),
  unique: ['slug', 'short_id'],
  references: () => [],
  isUsed: async (tx, id) => (await isCarried(tx, id)) || (await countRulesNaming(tx, id)) > 0,
});
