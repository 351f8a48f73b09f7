import type { InputOf } from '../../contract/operation.ts';
import type { TransactionsTable } from '../../db/schema.ts';
import { shortIdFor } from '../../db/short-ids.ts';
import { textIds } from '../../db/texts.ts';
import { journalOf } from '../../journal/journal-of.ts';
import type { WriteTx } from '../../journal/write.ts';
import { AppError, unknownId } from '../../kernel/errors.ts';
import { fold } from '../../kernel/fold.ts';
import { formatCents } from '../../kernel/money.ts';
import { findAccount } from '../accounts/index.ts';
import { insertComment } from '../comments/index.ts';
import {
  attachTagsTo,
  blankFacets,
  changesByWriter,
  editorOf,
  facetColumns,
  type DeliveredRow,
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

/** The values of a new row that are not facets. */
type EnteredValues = Pick<
  TransactionsTable,
  'account_id' | 'date' | 'amount_cents' | 'iso_currency_code' | 'name' | 'merchant_name'
>;

/** What banks deliver and nobody enters. */
const BY_HAND = {
  pending: 0,
  payment_channel: 'other',
  provider_category_primary: null,
  provider_category_detailed: null,
} as const satisfies Partial<DeliveredRow>;

const transactions = journalOf('transaction');

/** Stores a row that was created by hand. Its creation records what rules did to it. */
async function insertEntered(
  tx: WriteTx,
  values: EnteredValues,
  facets: Facets,
  effectsId: number | null,
): Promise<void> {
  const { name, merchant_name: merchant } = values;
  const texts = await textIds(tx, [fold(name), ...(merchant === null ? [] : [fold(merchant)])]);
  const row = {
    ...values,
    ...BY_HAND,
    ...facetColumns(facets),
    id: facets.id,
    short_id: facets.shortId,
    name_text_id: texts.get(fold(name)) as number,
    merchant_text_id: merchant === null ? null : (texts.get(fold(merchant)) as number),
    created_change_set_id: tx.journal.changeSetId,
    creation_effects_id: effectsId,
    created_at: tx.now,
    updated_at: tx.now,
  };
  const columns = Object.keys(row) as (keyof typeof row)[];
  await tx.insertMany('transactions', columns, [columns.map((column) => row[column])]);
  await attachTagsTo(tx, facets.id, facets.tags);
  transactions.created(tx, row, fieldsOf(values, facets, tx.now), { internal: { locked: [...facets.locks] } });
}

function fieldsOf(values: EnteredValues, facets: Facets, now: string): Record<string, unknown> {
  const { amount_cents: cents, ...plain } = values;
  const said = changesByWriter({ before: { ...blankFacets, id: facets.id }, after: facets });
  return {
    id: facets.id,
    short_id: facets.shortId,
    ...plain,
    amount: formatCents(cents),
    payment_channel: BY_HAND.payment_channel,
    pending: false,
    category_id: null,
    category_source: null,
    counterparty_id: null,
    series_id: null,
    flagged_at: null,
    ...Object.assign({}, ...said.map(({ after }) => after)),
    created_at: now,
    updated_at: now,
  };
}
