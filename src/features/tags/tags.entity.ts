import type { z } from 'zod';

import type { TagsTable } from '../../db/schema.ts';
import { derived, IDS, recorded, STAMPS } from '../../journal/columns.ts';
import { defineEntity } from '../../journal/entity.ts';
import { fold } from '../../kernel/fold.ts';
import { countRulesNaming } from '../rules/index.ts';
import type { Tag } from './tags.contract.ts';
import { isCarried } from './tags.queries.ts';

const NOBODY: ReadonlySet<string> = new Set();

/** Deleting a tag also removes it from transactions. Those are changes of the transactions, with an undo of their own. */
export const tags = defineEntity('tags', {
  type: 'tag',
  columns: {
    ...IDS,
    slug: recorded,
    name: recorded,
    name_folded: derived,
    color: recorded,
    description: recorded,
    icon: recorded,
    ...STAMPS,
  },
  derive: ({ name }) => ({ name_folded: fold(name) }),
  undo: {
    unique: ['slug'],
    isUsed: async (tx, id) => (await isCarried(tx, id, NOBODY)) || (await countRulesNaming(tx, id)) > 0,
    isUsedBesides: async (tx, id, others) =>
      (await isCarried(tx, id, others)) || (await countRulesNaming(tx, id, others)) > 0,
  },
});

export function toTag(row: TagsTable, transactionCount: number): z.output<typeof Tag> {
  const { name_folded: _derived, created_at, updated_at, ...fields } = row;
  return { ...fields, transaction_count: transactionCount, created_at, updated_at };
}
