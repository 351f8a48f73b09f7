import { AppError, notFound } from '../../kernel/errors.ts';
import { compareCodePoints } from '../../kernel/fold.ts';
import { insertComment } from '../comments/index.ts';
import {
  addTag,
  clearFlag,
  editorOf,
  getLiveTransactions,
  removeTag,
  resetCategory,
  selectOfDeletedAccounts,
  setCategory,
  setFlag,
  writeFacets,
} from '../facets/index.ts';
import { actorOf, handleRead, handleWrite, JsonText, type WriteContext } from '../handler.ts';
import { findOrMakeTags } from '../tags/index.ts';
import { automaticCategories, type AutomaticCategory } from './edits/automatic-category.ts';
import { editMetadata, type MetadataChange, type MetadataPaths } from './edits/edit-metadata.ts';
import {
  countOf,
  editTransaction,
  getTransactionOrDeleted,
  transactionAnswer,
  writeEdit,
} from './edits/edit-transaction.ts';
import { countMatches } from './totals/count-matches.queries.ts';
import { parseFields, selectRecord } from './pages/record.queries.ts';
import { resolveFilters } from './filters/resolve-filters.ts';
import { findTagSlugs, resolveCategoryChoice, slugToAttach } from './edits/resolve-references.ts';
import { selectGroups } from './totals/totals.queries.ts';
import { totalsOf } from './totals/totals.ts';
import * as bulk from './transaction-bulk.contract.ts';
import * as writes from './transaction-writes.contract.ts';
import * as contract from './transactions.contract.ts';

export const getTransaction = handleRead(contract.getTransaction, async ({ tx }, { params, query }) => {
  const fields = parseFields(query.fields);
  const json = await selectRecord(tx, params.id, fields, { includeDeleted: query.include_deleted });
  if (json === undefined) throw notFound('transaction');
  return new JsonText(json);
});

export const countTransactions = handleRead(contract.countTransactions, async ({ tx }, { query }) => {
  const count = await countMatches(tx, await resolveFilters(tx, query, 'include'));
  if (!query.include_totals) return { count };
  const counting = await resolveFilters(tx, query, 'exclude');
  if (counting.deleted) return { count, totals: [] };
  const options = { includePending: query.include_pending };
  const groups = await selectGroups(tx, counting, options, ['iso_currency_code']);
  return { count, totals: totalsOf(groups) };
});

export const deleteTransaction = handleWrite(
  writes.deleteTransaction,
  'transaction.delete',
  async (context, { params }) => {
    const deletedAt = context.tx.now;
    await editTransaction(context, params.id, 'Deleted a transaction', (facets, editor) => ({
      ...facets,
      deletedAt,
      deletedCause: editor.word,
    }));
    return null;
  },
);

export const restoreTransaction = handleWrite(
  writes.restoreTransaction,
  'transaction.restore',
  async (context, { params }) => {
    const { tx } = context;
    const before = await getTransactionOrDeleted(tx, params.id);
    if (before.deletedAt === null) throw new AppError('CONFLICT', 'The transaction is not deleted.');
    if (before.deletedCause === 'merged') {
      throw new AppError('CONFLICT', 'The transaction was merged into another one, which replaces it.');
    }
    if ((await selectOfDeletedAccounts(tx, [before.id])).size > 0) {
      throw new AppError(
        'CONFLICT',
        'The account of the transaction was deleted. Revert the change set that deleted it first.',
      );
    }
    await writeEdit(context, before, { ...before, deletedAt: null, deletedCause: null }, 'Restored a transaction');
    return transactionAnswer(tx, before.id);
  },
);

export const setTransactionCategory = handleWrite(
  writes.setTransactionCategory,
  'transaction.category_set',
  async (context, { params, body }) => {
    const { tx } = context;
    const summary = 'Set the category of a transaction';
    // Asked together with the transaction. If both are unknown, the error is about the transaction.
    const choice = resolveCategoryChoice(tx, body);
    choice.catch(() => undefined);
    const { after } = await editTransaction(context, params.id, summary, async (facets, editor) =>
      setCategory(facets, editor, await choice),
    );
    return transactionAnswer(tx, after.id);
  },
);

export const resetTransactionCategory = handleWrite(
  writes.resetTransactionCategory,
  'transaction.category_reset',
  async (context, { params }) => {
    const { tx } = context;
    const summary = 'Reset the category of a transaction';
    const { after } = await editTransaction(context, params.id, summary, async (facets) => {
      const automatic = await automaticCategories(tx, [facets]);
      return resetCategory(facets, automatic.get(facets.id) as AutomaticCategory);
    });
    return transactionAnswer(tx, after.id);
  },
);

export const batchCategorizeTransactions = handleWrite(
  bulk.batchCategorizeTransactions,
  'transactions.batch_categorize',
  async ({ tx, principal }, { body }) => {
    const categoryId = await resolveCategoryChoice(tx, body);
    const transactions = await getLiveTransactions(tx, body.transaction_ids);
    const editor = editorOf(actorOf(principal));
    const edits = transactions.map((before) => ({ before, after: setCategory(before, editor, categoryId) }));
    const run = (): Promise<number> => writeFacets(tx, edits);
    const updated = await (body.dry_run ? tx.rehearse(run) : run());
    tx.journal.summarise(`Set the category of ${countOf(updated)}`);
    return {
      category_id: categoryId,
      updated,
      unchanged: transactions.length - updated,
      dry_run: body.dry_run,
      change_set_id: tx.journal.isEmpty() ? null : tx.journal.changeSetId,
    };
  },
);

export const addTransactionTag = handleWrite(
  writes.addTransactionTag,
  'transaction.tag_add',
  async (context, { params, body }) => {
    const { tx } = context;
    const tag = async (): Promise<string> => {
      const slug = slugToAttach(body.slug, await findTagSlugs(tx, [body.slug]), 'slug');
      await findOrMakeTags(tx, [slug]);
      return slug;
    };
    const { after, changed } = await editTransaction(
      context,
      params.id,
      'Added a tag to a transaction',
      async (facets, editor) => addTag(facets, editor, await tag()),
    );
    return { transaction_id: after.id, tags: [...after.tags].sort(compareCodePoints), added: changed };
  },
);

export const removeTransactionTag = handleWrite(
  writes.removeTransactionTag,
  'transaction.tag_remove',
  async (context, { params }) => {
    await editTransaction(context, params.id, 'Removed a tag from a transaction', async (facets, editor) => {
      const slug = (await findTagSlugs(context.tx, [params.slug])).get(params.slug);
      if (slug === undefined) throw notFound('tag');
      return removeTag(facets, editor, slug);
    });
    return null;
  },
);

export const flagTransaction = handleWrite(
  writes.flagTransaction,
  'transaction.flag',
  async (context, { params, body }) => {
    const { tx, principal } = context;
    const { after, changed } = await editTransaction(context, params.id, 'Flagged a transaction', (facets, editor) =>
      setFlag(facets, editor, tx.now),
    );
    const { reason = '' } = body;
    if (reason !== '') {
      await insertComment(tx, { transactionId: after.id, body: reason, author: actorOf(principal) });
      if (!changed) tx.journal.summarise('Commented on a flagged transaction');
    }
    return transactionAnswer(tx, after.id);
  },
);

export const unflagTransaction = handleWrite(
  writes.unflagTransaction,
  'transaction.unflag',
  async (context, { params }) => {
    await editTransaction(context, params.id, 'Removed the flag from a transaction', clearFlag);
    return null;
  },
);

const METADATA_ACTION = 'transaction.metadata_update';
/** Names of the fields in errors, for requests with a single key in the path. */
const KEY_PATHS: MetadataPaths = { replace: 'metadata', unset: 'key', set: 'value', key: 'key' };

export const replaceTransactionMetadata = handleWrite(
  writes.replaceTransactionMetadata,
  METADATA_ACTION,
  (context, { params, body }) => changeMetadata(context, params.id, { replace: body.metadata }),
);

export const updateTransactionMetadata = handleWrite(
  writes.updateTransactionMetadata,
  METADATA_ACTION,
  (context, { params, body }) => changeMetadata(context, params.id, { set: body.set, unset: body.unset }),
);

export const clearTransactionMetadata = handleWrite(
  writes.clearTransactionMetadata,
  METADATA_ACTION,
  async (context, { params }) => {
    await changeMetadata(context, params.id, { replace: {} });
    return null;
  },
);

export const setTransactionMetadataKey = handleWrite(
  writes.setTransactionMetadataKey,
  METADATA_ACTION,
  (context, { params, body }) =>
    // Not an object literal: `__proto__` is a key like any other.
    changeMetadata(context, params.id, { set: Object.fromEntries([[params.key, body.value]]) }, KEY_PATHS),
);

export const unsetTransactionMetadataKey = handleWrite(
  writes.unsetTransactionMetadataKey,
  METADATA_ACTION,
  async (context, { params }) => {
    await changeMetadata(context, params.id, { unset: [params.key] }, KEY_PATHS);
    return null;
  },
);

/** The metadata of a live transaction after a change. @throws NOT_FOUND, VALIDATION_ERROR */
async function changeMetadata(
  context: WriteContext,
  anyId: string,
  change: MetadataChange,
  paths?: MetadataPaths,
): Promise<{ transaction_id: string; metadata: Record<string, unknown> }> {
  const summary = 'Changed the metadata of a transaction';
  const { after } = await editTransaction(context, anyId, summary, (facets, editor) =>
    editMetadata(facets, editor, change, paths),
  );
  return { transaction_id: after.id, metadata: Object.fromEntries(after.metadata) };
}
