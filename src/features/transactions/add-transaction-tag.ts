import { compareCodePoints } from '../../kernel/fold.ts';
import { addTag } from '../facets/index.ts';
import { handleWrite } from '../handler.ts';
import { findOrMakeTags } from '../tags/index.ts';
import { editTransaction } from './edit-transaction.ts';
import { findTagSlugs, slugToAttach } from './resolve-tags.ts';
import { addTransactionTag as operation } from './transaction-writes.contract.ts';

export const addTransactionTag = handleWrite(operation, 'transaction.tag_add', async (context, { params, body }) => {
  const { tx } = context;
  const { after, changed } = await editTransaction(
    context,
    params.id,
    'Tagged a transaction',
    async (facets, editor) => {
      const slug = slugToAttach(body.slug, await findTagSlugs(tx, [body.slug]), 'slug');
      await findOrMakeTags(tx, [slug]);
      return addTag(facets, editor, slug);
    },
  );
  return { transaction_id: after.id, tags: [...after.tags].sort(compareCodePoints), added: changed };
});
