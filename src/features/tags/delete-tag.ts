import { AppError } from '../../kernel/errors.ts';
import { detachFromAll } from '../facets/index.ts';
import { handleWrite } from '../handler.ts';
import { countRulesNaming } from '../rules/index.ts';
import { tagNamed } from './get-tag.ts';
import { deleteTag as operation } from './tags.contract.ts';
import { deleteTagRow } from './tags.queries.ts';
import { toTagFields } from './tags.table.ts';

export const deleteTag = handleWrite(operation, 'tag.delete', async ({ tx }, { params }) => {
  const row = await tagNamed(tx, params.slug);
  const rules = await countRulesNaming(tx, row.id);
  if (rules > 0) {
    const what = rules === 1 ? '1 rule names' : `${rules} rules name`;
    throw new AppError('TAG_IN_USE', `${what} this tag. Change what they do or test, or delete them first.`);
  }
  const carriers = await detachFromAll(tx, row);
  await deleteTagRow(tx, row.id);
  tx.journal.record({
    entityType: 'tag',
    entityId: row.id,
    entityShortId: row.short_id,
    operation: 'delete',
    before: toTagFields(row),
    after: null,
    revertible: true,
  });
  const where =
    carriers === 0 ? '' : ` and took it off ${carriers === 1 ? '1 transaction' : `${carriers} transactions`}`;
  tx.journal.summarise(`Deleted the tag ${row.name}${where}`);
  return null;
});
