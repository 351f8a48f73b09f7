import type { TagsTable } from '../../db/schema.ts';
import type { ReadTx } from '../../db/unit-of-work.ts';
import { notFound } from '../../kernel/errors.ts';
import { handleRead } from '../handler.ts';
import { getTag as operation } from './tags.contract.ts';
import { countCarriers, findTag } from './tags.queries.ts';
import { toTag, type TagRecord } from './tags.table.ts';

export const getTag = handleRead(operation, async ({ tx }, { params }) =>
  countedTag(tx, await tagNamed(tx, params.slug)),
);

/** @throws NOT_FOUND */
export async function tagNamed(tx: ReadTx, named: string): Promise<TagsTable> {
  const row = await findTag(tx, named);
  if (!row) throw notFound('The tag was');
  return row;
}

/** The tag as it is served, with the number of live transactions that carry it. */
export async function countedTag(tx: ReadTx, row: TagsTable): Promise<TagRecord> {
  return toTag(row, (await countCarriers(tx, row.id)).get(row.id) ?? 0);
}
