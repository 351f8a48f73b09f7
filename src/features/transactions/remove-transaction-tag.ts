import { notFound } from '../../kernel/errors.ts';
import { removeTag } from '../facets/index.ts';
import { handleWrite } from '../handler.ts';
import { editTransaction } from './edit-transaction.ts';
import { findTagSlugs } from './resolve-tags.ts';
import { removeTransactionTag as operation } from './transaction-writes.contract.ts';

export const removeTransactionTag = handleWrite(operation, 'transaction.tag_remove', async (context, { params }) => {
  await editTransaction(context, params.id, 'Took a tag off a transaction', async (facets, editor) => {
    const slug = (await findTagSlugs(context.tx, [params.slug])).get(params.slug);
    if (slug === undefined) throw notFound('The tag was');
    return removeTag(facets, editor, slug);
  });
  return null;
});
