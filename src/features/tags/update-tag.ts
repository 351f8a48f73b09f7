import { difference } from '../../journal/write.ts';
import { fold } from '../../kernel/fold.ts';
import { handleWrite } from '../handler.ts';
import { countedTag, tagNamed } from './get-tag.ts';
import { DEFAULT_TAG_COLOR, updateTag as operation } from './tags.contract.ts';
import { updateTagRow } from './tags.queries.ts';

export const updateTag = handleWrite(operation, 'tag.update', async ({ tx }, { params, body }) => {
  const row = await tagNamed(tx, params.slug);
  const wanted = {
    name: body.name ?? row.name,
    color: body.color === undefined ? row.color : (body.color ?? DEFAULT_TAG_COLOR),
    description: body.description ?? row.description,
    icon: body.icon === undefined ? row.icon : body.icon,
  };
  const changed = difference({ ...row }, wanted);
  if (!changed) return countedTag(tx, row);
  const set = { ...wanted, name_folded: fold(wanted.name), updated_at: tx.now };
  await updateTagRow(tx, row.id, set);
  tx.journal.record({
    entityType: 'tag',
    entityId: row.id,
    entityShortId: row.short_id,
    operation: 'update',
    ...changed,
    revertible: true,
  });
  tx.journal.summarise(`Changed the tag ${wanted.name}`);
  return countedTag(tx, { ...row, ...set });
});
