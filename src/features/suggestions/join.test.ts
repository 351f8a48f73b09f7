import { expect, test } from 'vitest';

import { expectError } from '../../../test/harness/expect-error.ts';
import {
  addAccount,
  addMember,
  addTag,
  addTransactions,
  categoryBySlug,
  type Made,
} from '../../../test/harness/ledger.ts';
import { addBank, addBankAccount, deliver, type BankAccount } from '../../../test/harness/syncs/synced-ledger.ts';
import { forEachDatabase, type TestApp } from '../../../test/harness/test-app.ts';
import { rowsOf } from '../../../test/harness/table-rows.ts';
import type { BankRow } from '../../engines/sync/account-plan.ts';
import type { Origin } from '../../journal/write.ts';
import { addDays } from '../../kernel/dates.ts';
import { proveAccounts, suggestSameAccount, type Proof } from './index.ts';

const SUGGESTIONS = '/api/v1/sync/suggestions';
const FIRST = '2026-01-05';

interface Row {
  date: string;
  cents: number;
  text: string;
}

/** One purchase a week, each of another amount. */
const weeks = (count: number, from = 0): Row[] =>
  Array.from({ length: count }, (_one, at) => ({
    date: addDays(FIRST, (from + at) * 7),
    cents: 1_000 + from + at,
    text: `Shop ${from + at}`,
  }));

/** Imports a file as the household would: without account number or currency, with texts of its own. */
async function importRows(app: TestApp, rows: readonly Row[], target: object = {}) {
  const lines = rows.map(
    ({ date, cents, text }) => `${date},CARD 4711 ${text.toUpperCase()} REF,-${(cents / 100).toFixed(2)}`,
  );
  const csv = ['Booked,Details,Value', ...lines].join('\n');
  const body = { csv_base64: Buffer.from(csv).toString('base64'), ...target };
  const answer = await app.request('POST', '/api/v1/connections/csv/import', { body });
  expect([answer.status, answer.text.slice(0, 300)]).toEqual([
    answer.status < 300 ? answer.status : 201,
    expect.anything(),
  ]);
  return answer.json;
}

const accountsOf = async (app: TestApp) => (await app.request('GET', '/api/v1/accounts')).json;
const rowsIn = async (app: TestApp, id: string) =>
  (await app.request('GET', '/api/v1/transactions', { query: { account_id: id, limit: '500' } })).json.transactions;
const delivered = (rows: readonly Row[]) =>
  rows.map(({ date, cents, text }) => ({
    date,
    amount_cents: cents,
    name: text,
    columns: { provider_category_primary: 'GENERAL' },
  }));
const revert = (app: TestApp, id: unknown) =>
  app.request('POST', `/api/v1/change-sets/${String(id)}/revert`, { body: {} });

function arriving({ externalId }: BankAccount, { date, cents, text }: Row): BankRow {
  return {
    externalId: `arriving-${date}`,
    externalAccountId: externalId,
    pendingExternalId: null,
    pending: false,
    date,
    authorizedDate: null,
    amountCents: cents,
    currency: 'USD',
    name: text,
    merchantName: null,
    categoryPrimary: null,
    categoryDetailed: null,
  };
}

/** What a sync does before its commit, and asks in it. */
async function prove(app: TestApp, account: BankAccount, rows: readonly Row[]): Promise<Proof> {
  const { bank } = account;
  const origin: Origin = {
    actor: { type: 'system', id: bank.id, userId: null, name: 'Plaid sync' },
    surface: 'system',
    source: 'sync',
    action: 'sync',
    reason: null,
    requestId: null,
    syncLogId: crypto.randomUUID(),
  };
  const incoming = [
    { externalAccountId: account.externalId, rows: rows.map((row) => arriving(account, row)), removedIds: [] },
  ];
  const proof = await proveAccounts(app.app.instance, {
    connectionId: bank.id,
    incoming,
    isHistoryComplete: true,
    origin,
    fence: async () => undefined,
  });
  await app.write('test.sync', async (tx) => {
    for (const one of proof.suggestions) await suggestSameAccount(tx, one);
  });
  return proof;
}

interface Scene {
  app: TestApp;
  csv: Made;
  account: BankAccount;
}

/** A household with files of these rows, which then links a bank that has delivered those. */
async function linked(app: TestApp, files: readonly Row[], bankRows: readonly Row[], columns = {}): Promise<Scene> {
  const ana = await addMember(app, 'Ana');
  await importRows(app, files, { account_name: 'Everyday' });
  const [csv] = (await accountsOf(app)) as [Made];
  const account = await addBankAccount(app, await addBank(app, ana), columns);
  await deliver(app, account, delivered(bankRows));
  return { app, csv, account };
}

forEachDatabase((database) => {
  test('files first, then the bank: one account under its old id, each purchase once; a revert takes it apart for good', async () => {
    const { app, csv, account } = await linked(await database.open(), weeks(12), weeks(14, 2));
    const [kept] = await rowsIn(app, csv.id);
    const category = await categoryBySlug(app, 'food_and_drink_coffee');
    await app.request('PATCH', `/api/v1/transactions/${kept.id}/category`, { body: { category_id: category.id } });
    await app.request('POST', `/api/v1/transactions/${kept.id}/tags`, {
      body: { slug: (await addTag(app, 'work')).short_id },
    });
    const proof = await prove(app, account, weeks(1, 15));
    expect([...proof.joined]).toEqual([[account.id, csv.id]]);
    expect(proof.suggestions).toEqual([]);

    const [joined, ...others] = await accountsOf(app);
    expect(others).toEqual([]);
    expect(joined).toMatchObject({
      id: csv.id,
      name: 'Plaid Checking',
      display_name: 'Everyday',
      provider: 'plaid',
      connection_id: account.bank.id,
      mask: '0000',
      iso_currency_code: 'USD',
    });
    const rows = await rowsIn(app, csv.id);
    expect(rows.length).toBe(16);
    expect(rows.find(({ id }: Made) => id === kept.id)).toMatchObject({
      name: 'Shop 11',
      category: { slug: 'food_and_drink_coffee' },
    });
    const { change_sets: sets } = (
      await app.request('GET', '/api/v1/change-sets', { query: { action: 'account.join' } })
    ).json;
    expect(sets).toMatchObject([{ actor_name: 'Plaid sync', source: 'sync', revertible: true }]);

    const next = await importRows(app, weeks(2, 15));
    expect([next.import.account_id, (await rowsIn(app, csv.id)).length]).toEqual([csv.id, 17]);

    const undone = await revert(app, sets[0].id);
    expect([undone.status, undone.text.slice(0, 400)]).toEqual([200, expect.anything()]);
    const split = await accountsOf(app);
    expect(split).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ id: csv.id, name: 'Everyday', display_name: null, provider: 'csv', mask: null }),
        expect.objectContaining({
          id: account.id,
          name: 'Plaid Checking',
          provider: 'plaid',
          connection_id: account.bank.id,
        }),
      ]),
    );
    expect((await rowsIn(app, account.id)).map((one: { amount: string }) => one.amount)).toEqual(
      weeks(14, 2)
        .map(({ cents }) => (cents / 100).toFixed(2))
        .reverse(),
    );
    expect((await rowsIn(app, csv.id)).length).toBe(14);
    expect((await rowsIn(app, csv.id)).find(({ id }: Made) => id === kept.id).name).toContain('CARD 4711');
    expect((await prove(app, account, weeks(1, 17))).joined.size).toBe(0);
    const dismissed = (await app.request('GET', SUGGESTIONS, { query: { status: 'dismissed' } })).json.suggestions;
    expect(dismissed).toMatchObject([{ kind: 'same_account', account_id: account.id }]);

    const again = await revert(app, undone.json.change_set.id);
    expect([again.status, again.text.slice(0, 400)]).toEqual([200, expect.anything()]);
    expect((await accountsOf(app)).map(({ id }: Made) => id)).toEqual([csv.id]);
    expect((await rowsIn(app, csv.id)).length).toBe(17);
  });

  test('nine rows are too few: two accounts and one question, and accepting it gives the same end', async () => {
    const { app, csv, account } = await linked(await database.open(), weeks(9), weeks(9));
    const proof = await prove(app, account, weeks(1, 9));
    expect([proof.joined.size, proof.suggestions.length]).toEqual([0, 1]);
    await prove(app, account, weeks(1, 10));
    const { suggestions, total } = (await app.request('GET', SUGGESTIONS)).json;
    expect(total).toBe(1);
    expect(suggestions[0]).toMatchObject({
      kind: 'same_account',
      account_id: account.id,
      transaction_id: null,
      candidates: [],
      accounts: [{ account_id: csv.id, account_name: 'Everyday', provider: 'csv', pair_count: 9 }],
    });
    const accepted = await app.request('POST', `${SUGGESTIONS}/${suggestions[0].id}/accept`);
    expect([accepted.status, accepted.json.status, accepted.json.accepted_account_id]).toEqual([
      200,
      'accepted',
      csv.id,
    ]);
    expect((await accountsOf(app)).map(({ id }: Made) => id)).toEqual([csv.id]);
    expect((await rowsIn(app, csv.id)).length).toBe(9);
    const undone = await revert(app, accepted.headers['x-change-set-id']);
    expect([undone.status, (await accountsOf(app)).length]).toEqual([200, 2]);
    expect((await app.request('GET', `${SUGGESTIONS}/${suggestions[0].id}`)).json.status).toBe('open');
    app.clock.advance(60_000);
    expect((await revert(app, undone.json.change_set.id)).status).toBe(200);
    expect([(await accountsOf(app)).length, (await rowsIn(app, csv.id)).length]).toEqual([1, 9]);
    const again = await revert(app, accepted.headers['x-change-set-id']);
    expect([again.status, again.json.skipped_count], again.text).toEqual([200, 0]);
    expect([(await rowsIn(app, csv.id)).length, (await rowsIn(app, account.id)).length]).toEqual([9, 9]);
  });

  test('what a join leaves to ask is over once the two accounts are apart, and asked again when they are one again', async () => {
    const lookalike = { date: addDays(FIRST, 9 * 7), cents: 9_900 };
    const [atBank, inFile] = [
      { ...lookalike, text: 'Bakery' },
      { ...lookalike, date: addDays(lookalike.date, 1), text: 'Kiosk' },
    ];
    const { app, csv, account } = await linked(
      await database.open(),
      [...weeks(12), inFile],
      [...weeks(14, 2), atBank],
    );
    expect([...(await prove(app, account, weeks(1, 15))).joined]).toEqual([[account.id, csv.id]]);
    const asked = async () => (await app.request('GET', SUGGESTIONS)).json.suggestions;
    const [question] = await asked();
    expect(question).toMatchObject({ kind: 'possible_duplicate', candidates: [{ amount: '99.00' }] });
    const [join] = (await app.request('GET', '/api/v1/change-sets', { query: { action: 'account.join' } })).json
      .change_sets;
    const undone = await revert(app, join.id);
    expect([undone.status, await asked()]).toEqual([200, []]);
    expect((await app.request('GET', `${SUGGESTIONS}/${question.id}`)).json).toMatchObject({
      status: 'obsolete',
      account_id: account.id,
    });
    const accepted = await app.request('POST', `${SUGGESTIONS}/${question.id}/accept`);
    expectError(accepted, 409, 'INVALID_STATE');
    await revert(app, undone.json.change_set.id);
    expect((await asked()).map(({ id }: Made) => id)).toEqual([question.id]);
  });

  test('an account that is joined to its copy keeps nothing of what their link had attributed', async () => {
    const { app, csv, account } = await linked(await database.open(), weeks(9), weeks(9));
    await app.request('PATCH', `/api/v1/accounts/${csv.id}`, { body: { iso_currency_code: 'USD' } });
    await prove(app, account, weeks(1, 9));
    const body = { primary_account_id: account.id, dependent_account_id: csv.id };
    expect((await app.request('POST', '/api/v1/account-links', { body })).json.match_count).toBe(9);
    const attributed = async (id: string) =>
      (await rowsIn(app, id)).filter((row: { attributed_user_id: string | null }) => row.attributed_user_id !== null);
    expect((await attributed(account.id)).length).toBe(9);
    const [{ id }] = (await app.request('GET', SUGGESTIONS)).json.suggestions;
    const accepted = await app.request('POST', `${SUGGESTIONS}/${id}/accept`);
    expect([accepted.status, (await app.request('GET', '/api/v1/account-links')).json]).toEqual([200, []]);
    expect([(await rowsIn(app, csv.id)).length, await attributed(csv.id)]).toEqual([9, []]);
    expect((await revert(app, accepted.headers['x-change-set-id'])).status).toBe(200);
    expect([(await attributed(account.id)).length, await attributed(csv.id)]).toEqual([9, []]);
  });

  test('a category that a person chose stays theirs on both sides of a split, and when the two are one again', async () => {
    const { app, csv, account } = await linked(await database.open(), weeks(12), weeks(14, 2));
    expect([...(await prove(app, account, weeks(1, 15))).joined]).toEqual([[account.id, csv.id]]);
    const named = async (id: string) =>
      (await rowsIn(app, id)).find(({ amount }: { amount: string }) => amount === '10.13') as Made;
    const isLocked = async ({ id }: Made) => {
      const { fields } = (await app.request('GET', `/api/v1/transactions/${id}/explain`)).json;
      const { value, locked } = fields.find(({ field }: { field: string }) => field === 'category');
      return [value, locked];
    };
    const body = { category_slug: 'food_and_drink_coffee' };
    await app.request('PATCH', `/api/v1/transactions/${(await named(csv.id)).id}/category`, { body });
    await importRows(app, weeks(2, 13));
    const [join] = (await app.request('GET', '/api/v1/change-sets', { query: { action: 'account.join' } })).json
      .change_sets;
    const undone = await revert(app, join.id);
    expect(undone.status, undone.text).toBe(200);
    const chosen = ['food_and_drink_coffee', true];
    for (const id of [csv.id, account.id]) expect(await isLocked(await named(id))).toEqual(chosen);
    expect((await revert(app, undone.json.change_set.id)).status).toBe(200);
    expect(await isLocked(await named(csv.id))).toEqual(chosen);
  });

  test('a purchase that a person had deleted in one of two accounts is there in the other again once they are apart', async () => {
    const { app, csv, account } = await linked(await database.open(), weeks(12), weeks(14, 2));
    const [deleted] = await rowsIn(app, csv.id);
    await app.request('DELETE', `/api/v1/transactions/${deleted.id}`);
    app.clock.advance(1_000);
    const [before, ofBank] = [await rowsIn(app, csv.id), await rowsIn(app, account.id)];
    expect([...(await prove(app, account, weeks(1, 15))).joined]).toEqual([[account.id, csv.id]]);
    expect((await rowsIn(app, csv.id)).length).toBe(15);
    const [join] = (await app.request('GET', '/api/v1/change-sets', { query: { action: 'account.join' } })).json
      .change_sets;
    expect((await revert(app, join.id)).status).toBe(200);
    const idsIn = async (id: string) => (await rowsIn(app, id)).map((row: Made) => row.id);
    expect(await idsIn(csv.id)).toEqual(before.map((row: Made) => row.id));
    expect(await idsIn(account.id)).toEqual(ofBank.map((row: Made) => row.id));
  });

  test('a join of an account with a link is undone, and done again, with the link and its pairs', async () => {
    const { app, csv, account } = await linked(await database.open(), weeks(12), weeks(14, 2));
    const ben = await addMember(app, 'Ben');
    const card = await addAccount(app, ben, { name: 'Card' });
    await addTransactions(
      app,
      weeks(14, 2).map(({ date, cents, text }) => ({ account: card, date, amount_cents: cents, name: text })),
    );
    const body = { primary_account_id: card.id, dependent_account_id: account.id };
    const link = (await app.request('POST', '/api/v1/account-links', { body })).json;
    expect([link.match_count, link.dependent_account_id]).toEqual([14, account.id]);
    await prove(app, account, weeks(1, 15));
    const [{ id: question }] = (await app.request('GET', SUGGESTIONS)).json.suggestions;
    const join = await app.request('POST', `${SUGGESTIONS}/${question}/accept`, { body: { account_id: csv.id } });
    expect(join.status, join.text).toBe(200);
    const shown = async () => {
      const accounts = (await accountsOf(app)) as (Made & { is_dependent_linked: boolean })[];
      const { dependent_account_id, match_count } = (await app.request('GET', `/api/v1/account-links/${link.id}`)).json;
      const copies = accounts.filter((one) => one.is_dependent_linked).map(({ id }) => id);
      return { accounts: accounts.map(({ id }) => id).sort(), copies, dependent_account_id, match_count };
    };
    const joined = await shown();
    expect(joined).toEqual({
      accounts: [csv.id, card.id].sort(),
      copies: [csv.id],
      dependent_account_id: csv.id,
      match_count: 14,
    });
    const undone = await revert(app, join.headers['x-change-set-id']);
    expect(undone.status, undone.text).toBe(200);
    expect(await shown()).toMatchObject({ copies: [account.id], dependent_account_id: account.id, match_count: 14 });
    const again = await revert(app, undone.json.change_set.id);
    expect(again.status, again.text).toBe(200);
    expect(await shown()).toEqual(joined);
    expect((await revert(app, again.json.change_set.id)).status).toBe(200);
    expect(await shown()).toMatchObject({ copies: [account.id], dependent_account_id: account.id, match_count: 14 });
  });

  test('an account of another bank is neither joined nor asked about; one whose files end before is asked about', async () => {
    const app = await database.open();
    const elsewhere = weeks(14).map((row) => ({ ...row, cents: row.cents + 5_000 }));
    const { account } = await linked(app, elsewhere, weeks(14));
    expect(await prove(app, account, weeks(1, 14))).toEqual({ joined: new Map(), suggestions: [] });
    const earlier = weeks(4).map((row) => ({ ...row, date: addDays(row.date, -300) }));
    await importRows(app, earlier, { account_name: 'Old files' });
    const old = (await accountsOf(app)).find((one: { name: string }) => one.name === 'Old files');
    const proof = await prove(app, account, weeks(1, 15));
    expect(proof.joined.size).toBe(0);
    expect(proof.suggestions[0]?.accounts.map((one) => one.account_id)).toEqual([old.id]);
    await prove(app, account, weeks(1, 15));
    const [{ id }] = (await app.request('GET', SUGGESTIONS)).json.suggestions;
    await app.request('POST', `${SUGGESTIONS}/${id}/dismiss`);
    expect(await prove(app, account, weeks(1, 16))).toEqual({ joined: new Map(), suggestions: [] });
  });

  test('another known mask or currency is another account, and two alike are asked about', async () => {
    const app = await database.open();
    const { csv, account } = await linked(app, weeks(14), weeks(14));
    const setMask = async (mask: string | null) =>
      app.write('test.mask', async (tx) => {
        tx.journal.allowUnjournaled('account');
        await tx.q.updateTable('accounts').set({ mask }).where('id', '=', csv.id).execute();
      });
    await setMask('4711');
    expect(await prove(app, account, weeks(1, 14))).toEqual({ joined: new Map(), suggestions: [] });
    await setMask(null);
    await importRows(app, weeks(14), { account_name: 'The same again' });
    const proof = await prove(app, account, weeks(1, 14));
    expect([proof.joined.size, proof.suggestions[0]?.accounts.length]).toEqual([0, 2]);
  });

  test('two live banks with one account are linked, so that totals count each purchase once', async () => {
    const app = await database.open();
    const [ana, ben] = [await addMember(app, 'Ana'), await addMember(app, 'Ben')];
    const first = await addBankAccount(app, await addBank(app, ana));
    await deliver(app, first, delivered(weeks(14)));
    const second = await addBankAccount(app, await addBank(app, ben));
    await deliver(app, second, delivered(weeks(14)));
    const total = async () =>
      (await app.request('GET', '/api/v1/transactions/count', { query: { include_totals: 'true' } })).json.totals[0]
        .transaction_count;
    expect(await total()).toBe(28);
    await prove(app, second, weeks(1, 14));
    const [{ id, accounts }] = (await app.request('GET', SUGGESTIONS)).json.suggestions;
    expect(accounts).toMatchObject([{ account_id: first.id, provider: 'plaid', pair_count: 14 }]);
    const accepted = await app.request('POST', `${SUGGESTIONS}/${id}/accept`, { body: {} });
    expect([accepted.status, await total()]).toEqual([200, 14]);
    expect(await rowsOf(app.app.instance.database, 'select * from account_links')).toMatchObject([
      { primary_account_id: first.id, dependent_account_id: second.id, match_tolerance_days: 1, is_attributing: 0 },
    ]);
    const undone = await revert(app, accepted.headers['x-change-set-id']);
    expect([undone.status, await total()]).toEqual([200, 28]);
    expect((await app.request('GET', `${SUGGESTIONS}/${id}`)).json.status).toBe('open');
    const again = await app.request('POST', `${SUGGESTIONS}/${id}/accept`, { body: {} });
    expect([again.status, await total()]).toEqual([200, 14]);
  });
});
