import type { TagsTable } from '../../db/schema.ts';
import type { ReadTx } from '../../db/unit-of-work.ts';
import { AppError, notFound, validationError } from '../../kernel/errors.ts';
import { detachFromAll } from '../facets/index.ts';
import { handleRead, handleWrite } from '../handler.ts';
import { countRulesNaming } from '../rules/index.ts';
import { makeTag, slugOfName } from './make-tag.ts';
import * as contract from './tags.contract.ts';
import { tags, toTag } from './tags.entity.ts';
import { countCarriers, findTag, selectTags, selectTagsBySlug } from './tags.queries.ts';

export const listTags = handleRead(contract.listTags, async ({ tx }) => {
  const counts = await countCarriers(tx);
  return (await selectTags(tx)).map((row) => toTag(row, counts.get(row.id) ?? 0));
});

export const getTag = handleRead(contract.getTag, async ({ tx }, { params }) =>
  withCount(tx, await getRow(tx, params.slug)),
);

export const createTag = handleWrite(contract.createTag, 'tag.create', async ({ tx }, { body }) => {
  const slug = body.slug ?? slugOfName(body.name);
  if (slug === '') {
    throw validationError(
      'slug',
      'slug: cannot be derived from this name, which has no Latin letter or digit. Send a slug.',
    );
  }
  if ((await selectTagsBySlug(tx, [slug])).length > 0) {
    throw new AppError('SLUG_CONFLICT', `There is already a tag with the slug ${slug}. Use it, or send another slug.`, {
      details: [
        { path: body.slug === undefined ? 'name' : 'slug', message: `its slug would be ${slug}, which is taken` },
      ],
    });
  }
  const row = await makeTag(tx, { ...body, slug });
  tx.journal.summarise(`Created the tag ${row.name}`);
  return toTag(row, 0);
});

export const updateTag = handleWrite(contract.updateTag, 'tag.update', async ({ tx }, { params, body }) => {
  const row = await getRow(tx, params.slug);
  const color = body.color === null ? contract.DEFAULT_TAG_COLOR : body.color;
  const changed = await tags.change(tx, row, { ...body, color });
  tx.journal.summarise(`Changed the tag ${changed.name}`);
  return withCount(tx, changed);
});

export const deleteTag = handleWrite(contract.deleteTag, 'tag.delete', async ({ tx }, { params }) => {
  const row = await getRow(tx, params.slug);
  const rules = await countRulesNaming(tx, row.id);
  if (rules > 0) {
    const what = rules === 1 ? '1 rule uses' : `${rules} rules use`;
    throw new AppError('TAG_IN_USE', `${what} this tag. Change or delete ${rules === 1 ? 'it' : 'them'} first.`);
  }
  const carriers = await detachFromAll(tx, row);
  await tags.remove(tx, row);
  const from =
    carriers === 0 ? '' : ` and removed it from ${carriers === 1 ? '1 transaction' : `${carriers} transactions`}`;
  tx.journal.summarise(`Deleted the tag ${row.name}${from}`);
  return null;
});

/** @throws NOT_FOUND */
async function getRow(tx: ReadTx, anyName: string): Promise<TagsTable> {
  const row = await findTag(tx, anyName);
  if (!row) throw notFound('tag');
  return row;
}

async function withCount(tx: ReadTx, row: TagsTable): Promise<ReturnType<typeof toTag>> {
  return toTag(row, (await countCarriers(tx, row.id)).get(row.id) ?? 0);
}
