import type { InputOf } from '../../contract/operation.ts';
import { shortIdFor } from '../../db/short-ids.ts';
import type { WriteTx } from '../../journal/write.ts';
import { AppError, unknownId } from '../../kernel/errors.ts';
import { findAccount } from '../accounts/index.ts';
import { insertComment } from '../comments/index.ts';
import {
  BY_HAND,
  blankFacets,
  editorOf,
  insertEntered,
  type EnteredValues,
  type FacetKey,
  type Facets,
} from '../facets/index.ts';
import { actorOf, handleWrite, Reply } from '../handler.ts';
import { runOnEntry } from '../rules/index.ts';
import { findOrMakeTags } from '../tags/index.ts';
import { findReferences } from './edits/resolve-references.ts';
import { transactionAnswer } from './edits/edit-transaction.ts';
import { createTransaction as operation } from './transaction-create.contract.ts';
import { applyOperation } from './edits/update-operation.ts';

type Body = InputOf<typeof operation>['body'];

export const createTransaction = handleWrite(operation, 'transaction.create', async (context, { body }) => {
  const { tx } = context;
  const actor = actorOf(context.principal);
  const account = await accountOf(tx, body.account_id);
  const values: EnteredValues = {
    account_id: account.id,
    date: body.date,
    amount_cents: body.amount,
    iso_currency_code: body.iso_currency_code ?? account.iso_currency_code,
    name: body.name,
    merchant_name: body.merchant_name ?? null,
  };
  const editor = editorOf(actor);
  const id = { id: tx.ids.uuid(), shortId: await shortIdFor(tx, 'transactions') };
  const said = await decided(tx, { ...blankFacets, ...id }, body, editor.word);
  await findOrMakeTags(tx, [...said.tags]);
  const entry = await runOnEntry(tx, { ...values, ...BY_HAND }, said);
  // A key of type system locks nothing (10.1.6).
  const facets = editor.locks ? entry.facets : { ...entry.facets, locks: blankFacets.locks };
  await insertEntered(tx, values, facets, entry.effectsId);
  if (body.comment !== undefined) await insertComment(tx, { transactionId: id.id, body: body.comment, author: actor });
  await entry.addComments();
  tx.journal.summarise('Created a transaction by hand');
  return new Reply(await transactionAnswer(tx, id.id), { headers: { location: `/api/v1/transactions/${id.id}` } });
});

/** @throws INVALID_PARAMETER, CONFLICT */
async function accountOf(tx: WriteTx, anyId: string) {
  const account = await findAccount(tx, anyId);
  if (!account) throw unknownId('account_id', 'account', anyId);
  if (account.provider !== 'csv') {
    throw new AppError(
      'CONFLICT',
      'This account is linked to a bank, which supplies its transactions. Choose another account.',
    );
  }
  return account;
}

/** The facets that the request states, also as null, each locked so that no rule changes it. */
async function decided(tx: WriteTx, blank: Facets, body: Body, word: 'person' | 'agent'): Promise<Facets> {
  const { category_id, category_slug, counterparty_id, series_id, tags, metadata } = body;
  const said = {
    transaction_id: blank.id,
    category_id,
    category_slug,
    counterparty_id,
    series_id,
    tags_to_add: tags,
    metadata_set: metadata,
  };
  const facets = applyOperation(blank, said, {
    editor: { word, locks: true },
    references: await findReferences(tx, [said], 'tags'),
    automatic: undefined,
    now: tx.now,
    metadataPath: 'metadata',
  });
  const none: FacetKey[] = [];
  if (counterparty_id === null) none.push('counterparty');
  if (series_id === null) none.push('series');
  return none.length === 0 ? facets : { ...facets, locks: new Set([...facets.locks, ...none]) };
}
