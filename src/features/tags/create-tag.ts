import { AppError, validationError } from '../../kernel/errors.ts';
import { handleWrite } from '../handler.ts';
import { makeTag, slugOfName } from './make-tag.ts';
import { createTag as operation } from './tags.contract.ts';
import { selectTagsBySlug } from './tags.queries.ts';
import { toTag } from './tags.table.ts';

export const createTag = handleWrite(operation, 'tag.create', async ({ tx }, { body }) => {
  const slug = body.slug ?? slugOfName(body.name);
  if (slug === '') {
    throw validationError('slug', 'slug: this name gives none, because it has no Latin letter or digit. Send one.');
  }
  if ((await selectTagsBySlug(tx, [slug])).length > 0) {
    throw new AppError('SLUG_CONFLICT', `There is a tag with the slug ${slug} already. Use it, or send another slug.`, {
      details: [{ path: body.slug === undefined ? 'name' : 'slug', message: `gives the slug ${slug}, which is taken` }],
    });
  }
  const { name, color, description, icon } = body;
  const row = await makeTag(tx, {
    slug,
    name,
    ...(color === undefined || color === null ? {} : { color }),
    ...(description === undefined ? {} : { description }),
    ...(icon === undefined ? {} : { icon }),
  });
  tx.journal.summarise(`Created the tag ${name}`);
  return toTag(row, 0);
});
