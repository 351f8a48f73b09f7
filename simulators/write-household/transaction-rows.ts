import type { SqlValue } from '../../src/db/engine.ts';
import type { TransactionsTable } from '../../src/db/schema.ts';
import { shortIdsFor } from '../../src/db/short-ids.ts';
import { textIds } from '../../src/db/texts.ts';
import type { WriteTx } from '../../src/journal/write.ts';
import { fold } from '../../src/kernel/fold.ts';
import type { HouseholdTransaction } from '../household.ts';
import type { WrittenAccount } from './accounts.ts';
import type { Frame } from './frame.ts';
import { morningOf, recordCreation } from './record-creation.ts';

const COLUMNS = [
  'id',
  'short_id',
  'account_id',
  'date',
  'authorized_date',
  'amount_cents',
  'iso_currency_code',
  'name',
  'merchant_name',
  'name_text_id',
  'merchant_text_id',
  'counterparty_id',
  'category_id',
  'category_source',
  'provider_category_primary',
  'provider_category_detailed',
  'payment_channel',
  'pending',
  'series_id',
  'metadata',
  'flagged_at',
  'locks',
  'created_change_set_id',
  'created_at',
  'updated_at',
] as const satisfies readonly (keyof TransactionsTable)[];

const ALIAS_COLUMNS = [
  'transaction_id',
  'namespace',
  'external_id',
  'account_id',
  'external_account_id',
  'first_seen_at',
  'last_seen_at',
] as const;

/** Writes rows with their tags, aliases and comments; they carry the change set instead of being journaled. */
export async function writeTransactions(
  tx: WriteTx,
  frame: Frame,
  chunk: readonly HouseholdTransaction[],
): Promise<void> {
  await learnTexts(tx, frame.texts, chunk);
  const shortIds = await shortIdsFor(tx, 'transactions', chunk.length);
  const rows: SqlValue[][] = [];
  const tags: SqlValue[][] = [];
  const aliases: SqlValue[][] = [];
  const commented: Commented[] = [];
  for (const [index, row] of chunk.entries()) {
    const id = tx.ids.uuid();
    const account = frame.accounts.get(row.account) as WrittenAccount;
    const stamp = morningOf(row.date);
    rows.push(valuesOf(row, id, shortIds[index] as string, account.id, frame, stamp, tx.journal.changeSetId));
    for (const slug of row.tags) tags.push([id, frame.tags.get(slug) as string]);
    if (account.externalId !== null) {
      aliases.push([id, account.provider, row.external_id, account.id, account.externalId, stamp, stamp]);
    }
    if (row.comment !== null) commented.push({ id, account, row });
  }
  await tx.insertMany('transactions', COLUMNS, rows);
  await tx.insertMany('transaction_tags', ['transaction_id', 'tag_id'], tags);
  await tx.insertMany('transaction_aliases', ALIAS_COLUMNS, aliases);
  await writeComments(tx, commented);
  tx.journal.recordCreatedRows('transaction', chunk.length);
}

/** The values of COLUMNS, in their order. */
function valuesOf(
  row: HouseholdTransaction,
  id: string,
  shortId: string,
  accountId: string,
  frame: Frame,
  stamp: string,
  changeSetId: string,
): SqlValue[] {
  const isByHand = row.category_source === 'person' || row.category_source === 'agent';
  const flaggedAt = row.flagged ? `${row.date}T06:30:00.000Z` : null;
  return [
    id,
    shortId,
    accountId,
    row.date,
    row.authorized_date,
    row.amount_cents,
    row.iso_currency_code,
    row.name,
    row.merchant_name,
    frame.texts.get(row.name) as number,
    row.merchant_name === null ? null : (frame.texts.get(row.merchant_name) as number),
    row.counterparty === null ? null : (frame.counterparties.get(row.counterparty) as string),
    row.category_slug === null ? null : (frame.categories.get(row.category_slug) as string),
    row.category_source,
    row.provider_category_primary,
    row.provider_category_detailed,
    row.payment_channel,
    row.pending ? 1 : 0,
    row.series === null ? null : (frame.series.get(row.series) as string),
    metadataOf(row),
    flaggedAt,
    isByHand ? '["category"]' : '[]',
    changeSetId,
    stamp,
    flaggedAt ?? stamp,
  ];
}

/** What a household notes beside receipts: the tax year, and the month of a claim. */
function metadataOf(row: HouseholdTransaction): string {
  if (row.tags.length === 0) return '{}';
  const noted: Record<string, unknown> = {};
  if (row.tags.includes('tax-deductible')) noted['tax_year'] = Number(row.date.slice(0, 4));
  if (row.tags.includes('reimbursable')) noted['claim'] = row.date.slice(0, 7);
  return JSON.stringify(noted);
}

async function learnTexts(
  tx: WriteTx,
  texts: Map<string, number>,
  chunk: readonly HouseholdTransaction[],
): Promise<void> {
  const unknown = new Map<string, string>();
  for (const { name, merchant_name } of chunk) {
    if (!texts.has(name)) unknown.set(name, fold(name));
    if (merchant_name !== null && !texts.has(merchant_name)) unknown.set(merchant_name, fold(merchant_name));
  }
  if (unknown.size === 0) return;
  const ids = await textIds(tx, unknown.values());
  for (const [raw, folded] of unknown) texts.set(raw, ids.get(folded) as number);
}

interface Commented {
  id: string;
  account: WrittenAccount;
  row: HouseholdTransaction;
}

async function writeComments(tx: WriteTx, commented: readonly Commented[]): Promise<void> {
  if (commented.length === 0) return;
  const shortIds = await shortIdsFor(tx, 'comments', commented.length);
  for (const [index, { id: transactionId, account, row }] of commented.entries()) {
    const { member } = account;
    const at = `${row.date}T06:45:00.000Z`;
    const comment = {
      id: tx.ids.uuid(),
      short_id: shortIds[index] as string,
      transaction_id: transactionId,
      body: row.comment as string,
      author_type: 'user',
      author_id: member.short_id,
      author_user_id: member.short_id,
      author_name: member.name,
    };
    const stamps = { created_at: at, updated_at: at };
    await tx.q
      .insertInto('comments')
      .values({ ...comment, is_edited: 0, deleted_at: null, ...stamps })
      .execute();
    recordCreation(tx, 'comment', { ...comment, edited: false, ...stamps }, transactionId);
  }
}
