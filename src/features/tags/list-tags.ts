import { handleRead } from '../handler.ts';
import { listTags as operation } from './tags.contract.ts';
import { countCarriers, selectTags } from './tags.queries.ts';
import { toTag } from './tags.table.ts';

export const listTags = handleRead(operation, async ({ tx }) => {
  const counts = await countCarriers(tx);
  return (await selectTags(tx)).map((row) => toTag(row, counts.get(row.id) ?? 0));
});
