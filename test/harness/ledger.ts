import type { Insertable } from 'kysely';

import type { Schema, TransactionsTable } from '../../src/db/schema.ts';
import { shortIdFor, shortIdsFor } from '../../src/db/short-ids.ts';
import { textIds } from '../../src/db/texts.ts';
import type { WriteTx } from '../../src/journal/write.ts';
import { fold } from '../../src/kernel/fold.ts';
import type { TestApp, TestDatabase } from './test-app.ts';

/** A small ledger written straight into the tables, for tests of what reads them. */

export interface Made {
  id: string;
  short_id: string;
}

export interface NewTransaction {
  account: Made;
  date: string;
  amount_cents: number;
  name: string;
  iso_currency_code?: string | null;
  merchant_name?: string | null;
  category?: Made | null;
  counterparty?: Made | null;
  attributed?: Made | null;
  tags?: readonly Made[];
  comment?: string;
  columns?: Partial<Insertable<Schema['transactions']>>;
}

/** A row has some forty parameters, and a statement takes 32 766 of them. */
const ROWS_AT_ONCE = 500;

function created(
  tx: WriteTx,
  entityType: 'user' | 'connection' | 'account' | 'tag' | 'counterparty' | 'transaction',
  row: Made,
): void {
  tx.journal.record({
    entityType,
    entityId: row.id,
    entityShortId: row.short_id,
    operation: 'create',
    before: null,
    after: {},
    revertible: false,
  });
}

/** An installation with one member, Ana, and nothing else. */
export async function openHousehold(database: TestDatabase): Promise<TestApp> {
  const app = await database.open();
  await addMember(app, 'Ana');
  return app;
}

export async function addMember(app: TestApp, name: string): Promise<Made> {
  return app.write('test.member', async (tx) => {
    const row = { id: tx.ids.uuid(), short_id: await shortIdFor(tx, 'users') };
    const stamps = { created_at: tx.now, updated_at: tx.now };
    await tx.q
      .insertInto('users')
      .values({ ...row, name, name_folded: fold(name), kind: 'member', email: null, ...stamps })
      .execute();
    created(tx, 'user', row);
    return row;
  });
}

export interface NewAccount {
  name?: string;
  owner?: Made;
  type?: string;
  mask?: string;
  currency?: string | null;
  excluded?: boolean;
  dependent?: boolean;
  override?: Made;
}

/** A csv connection with one account. */
export async function addAccount(
  app: TestApp,
  member: Made,
  account: NewAccount = {},
): Promise<Made & { connection: Made }> {
  return app.write('test.account', async (tx) => {
    const connection = { id: tx.ids.uuid(), short_id: await shortIdFor(tx, 'connections') };
    await tx.q
      .insertInto('connections')
      .values(connectionOf(connection, member, tx.now))
      .execute();
    const row = { id: tx.ids.uuid(), short_id: await shortIdFor(tx, 'accounts') };
    await tx.q
      .insertInto('accounts')
      .values(accountOf(row, connection, account, tx.now))
      .execute();
    created(tx, 'connection', connection);
    created(tx, 'account', row);
    return { ...row, connection };
  });
}

function connectionOf(made: Made, member: Made, now: string): Insertable<Schema['connections']> {
  return {
    ...made,
    user_id: member.id,
    provider: 'csv',
    institution_id: null,
    institution_name: 'First Bank',
    external_id: null,
    status: 'active',
    paused: 0,
    sync_interval_seconds: null,
    last_sync_at: null,
    next_sync_at: null,
    error_code: null,
    error_message: null,
    consecutive_failures: 0,
    consent_expires_at: null,
    credentials: null,
    sync_position: null,
    created_at: now,
    updated_at: now,
  };
}

function accountOf(made: Made, connection: Made, account: NewAccount, now: string): Insertable<Schema['accounts']> {
  return {
    ...made,
    connection_id: connection.id,
    provider: 'csv',
    institution_name: 'First Bank',
    external_id: null,
    persistent_external_id: null,
    name: account.name ?? 'Checking',
    display_name: null,
    official_name: null,
    type: account.type ?? 'depository',
    subtype: 'checking',
    mask: account.mask ?? null,
    iso_currency_code: account.currency === undefined ? 'USD' : account.currency,
    balance_current_cents: null,
    balance_available_cents: null,
    balance_limit_cents: null,
    balance_date: null,
    balance_updated_at: null,
    is_excluded: account.excluded === true ? 1 : 0,
    is_dependent_linked: account.dependent === true ? 1 : 0,
    is_dependent_by_hand: 0,
    owner_user_id: account.override?.id ?? null,
    relinked_at: null,
    deleted_at: null,
    created_at: now,
    updated_at: now,
  };
}

export async function addTag(app: TestApp, slug: string): Promise<Made> {
  return app.write('test.tag', async (tx) => {
    const row = { id: tx.ids.uuid(), short_id: await shortIdFor(tx, 'tags') };
    const look = { name: slug, name_folded: fold(slug), color: '#6b7280', description: '', icon: null };
    await tx.q
      .insertInto('tags')
      .values({ ...row, slug, ...look, created_at: tx.now, updated_at: tx.now })
      .execute();
    created(tx, 'tag', row);
    return row;
  });
}

export async function addCounterparty(app: TestApp, name: string, target?: Made): Promise<Made> {
  return app.write('test.counterparty', async (tx) => {
    const folded = fold(name);
    const row = { id: tx.ids.uuid(), short_id: await shortIdFor(tx, 'counterparties') };
    await tx.q
      .insertInto('counterparties')
      .values({
        ...row,
        name,
        name_folded: folded,
        name_text_id: (await textIds(tx, [folded])).get(folded) as number,
        website_url: null,
        logo_url: null,
        category_id: null,
        mcc: null,
        canonical_counterparty_id: target?.id ?? null,
        created_at: tx.now,
        updated_at: tx.now,
      })
      .execute();
    created(tx, 'counterparty', row);
    return row;
  });
}

export async function addTransactions(app: TestApp, list: readonly NewTransaction[]): Promise<Made[]> {
  return app.write('test.transactions', async (tx) => {
    const texts = await textIds(
      tx,
      list.flatMap((one) => [fold(one.name), ...(one.merchant_name ? [fold(one.merchant_name)] : [])]),
    );
    const shortIds = await shortIdsFor(tx, 'transactions', list.length);
    const rows = shortIds.map((shortId): Made => ({ id: tx.ids.uuid(), short_id: shortId }));
    const made = list.map((one, index) => ({ ...(rows[index] as Made), one }));
    const values = made.map(({ id, short_id, one }): Insertable<Schema['transactions']> => ({
      id,
      short_id,
      account_id: one.account.id,
      date: one.date,
      authorized_date: null,
      datetime: null,
      amount_cents: one.amount_cents,
      iso_currency_code: one.iso_currency_code === undefined ? 'USD' : one.iso_currency_code,
      name: one.name,
      merchant_name: one.merchant_name ?? null,
      name_text_id: texts.get(fold(one.name)) as number,
      merchant_text_id: one.merchant_name ? (texts.get(fold(one.merchant_name)) ?? null) : null,
      counterparty_id: one.counterparty?.id ?? null,
      category_id: one.category?.id ?? null,
      category_source: one.category ? 'person' : null,
      category_rule_id: null,
      provider_category_primary: null,
      provider_category_detailed: null,
      payment_channel: 'other',
      pending: 0,
      series_id: null,
      attributed_user_id: one.attributed?.id ?? null,
      attributed_by_link_id: null,
      flagged_at: null,
      import_id: null,
      created_change_set_id: tx.journal.changeSetId,
      deleted_at: null,
      deleted_cause: null,
      merged_into_id: null,
      created_at: tx.now,
      updated_at: tx.now,
      ...one.columns,
    }));
    for (const rows of inserts(values)) await insertTransactions(tx, rows);
    for (const { one, ...row } of made) {
      for (const tag of one.tags ?? []) {
        await tx.q.insertInto('transaction_tags').values({ transaction_id: row.id, tag_id: tag.id }).execute();
      }
      if (one.comment !== undefined) await addComment(tx, row, one.comment);
      created(tx, 'transaction', row);
    }
    return rows;
  });
}

async function insertTransactions(tx: WriteTx, rows: readonly Insertable<TransactionsTable>[]): Promise<void> {
  const columns = Object.keys(rows[0] as object) as (keyof TransactionsTable)[];
  const values = rows.map((row) => columns.map((column) => row[column] ?? null));
  await tx.insertMany('transactions', columns, values);
}

/** As few statements as can be: all rows of one have the same columns. */
function inserts<Row extends object>(rows: readonly Row[]): Row[][] {
  const statements: Row[][] = [];
  let columns = '';
  for (const row of rows) {
    const own = Object.keys(row).join();
    const last = statements.at(-1);
    if (last && own === columns && last.length < ROWS_AT_ONCE) last.push(row);
    else statements.push([row]);
    columns = own;
  }
  return statements;
}

async function addComment(tx: WriteTx, transaction: Made, body: string): Promise<void> {
  const row = { id: tx.ids.uuid(), short_id: await shortIdFor(tx, 'comments') };
  await tx.q
    .insertInto('comments')
    .values({
      ...row,
      transaction_id: transaction.id,
      body,
      author_type: 'user',
      author_id: null,
      author_user_id: null,
      author_name: 'Test',
      is_edited: 0,
      deleted_at: null,
      created_at: tx.now,
      updated_at: tx.now,
    })
    .execute();
  tx.journal.record({
    entityType: 'comment',
    entityId: row.id,
    entityShortId: row.short_id,
    operation: 'create',
    before: null,
    after: {},
    transactionId: transaction.id,
    revertible: false,
  });
}

export async function categoryBySlug(app: TestApp, slug: string): Promise<Made> {
  const { json } = await app.request('GET', '/api/v1/categories');
  return (json as (Made & { slug: string })[]).find((one) => one.slug === slug) as Made;
}
