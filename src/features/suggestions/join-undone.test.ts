import { expect, test } from 'vitest';

import { expectError } from '../../../test/harness/expect-error.ts';
import {
  FIRST,
  SUGGESTIONS,
  accountsOf,
  delivered,
  importRows,
  linked,
  prove,
  revert,
  rowsIn,
  weeks,
} from '../../../test/harness/syncs/joined-accounts.ts';
import { addAccount, addMember, addTransactions, type Made } from '../../../test/harness/ledger.ts';
import { addBank, addBankAccount, deliver } from '../../../test/harness/syncs/synced-ledger.ts';
import { forEachDatabase } from '../../../test/harness/test-app.ts';
import { addDays } from '../../kernel/dates.ts';

forEachDatabase((database) => {
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

  test('a join stays whole once another bank connection feeds the account: rows alone would be there twice', async () => {
    const { app, csv, account } = await linked(await database.open(), weeks(12), weeks(14, 2));
    await prove(app, account, weeks(1, 15));
    await app.request('DELETE', `/api/v1/connections/${account.bank.id}`);
    const [ana] = (await app.request('GET', '/api/v1/users')).json as [Made];
    const again = await addBankAccount(app, await addBank(app, ana));
    await deliver(app, again, delivered(weeks(14, 2)));
    expect([...(await prove(app, again, weeks(1, 15))).joined]).toEqual([[again.id, csv.id]]);
    const joins = (await app.request('GET', '/api/v1/change-sets', { query: { action: 'account.join' } })).json;
    const first = joins.change_sets.at(-1).id;
    const rows = await rowsIn(app, csv.id);
    expectError(await revert(app, first), 409, 'REVERT_CONFLICT');
    const skipping = await revert(app, first, { on_conflict: 'skip' });
    expect(skipping.json).toMatchObject({
      change_set: null,
      reverted_count: 0,
      skipped: [{ entity_type: 'account', entity_id: csv.id, reason: 'changed_since', fields: ['connection_id'] }],
    });
    expect([await rowsIn(app, csv.id), (await accountsOf(app)).length]).toEqual([rows, 1]);
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

  test('accounts with links of their own are joined again as they were the first time, also if the links make a chain', async () => {
    const { app, csv, account } = await linked(await database.open(), weeks(9), weeks(9));
    await prove(app, account, weeks(1, 9));
    const ben = await addMember(app, 'Ben');
    const [card, copy] = [await addAccount(app, ben, { name: 'Card' }), await addAccount(app, ben, { name: 'Copy' })];
    const link = (primary: Made, dependent: Made) =>
      app.request('POST', '/api/v1/account-links', {
        body: { primary_account_id: primary.id, dependent_account_id: dependent.id },
      });
    for (const [primary, dependent] of [
      [card, account],
      [csv, copy],
    ] as const) {
      expect((await link(primary, dependent)).status).toBe(201);
    }
    const sides = async () =>
      (await app.request('GET', '/api/v1/account-links')).json.map((one: Record<string, string>) => [
        one['primary_account_id'],
        one['mirror_account_id'],
      ]);
    const [{ id }] = (await app.request('GET', SUGGESTIONS)).json.suggestions;
    const accepted = await app.request('POST', `${SUGGESTIONS}/${id}/accept`, { body: { account_id: csv.id } });
    const joined = await sides();
    expect(joined).toEqual(expect.arrayContaining([[card.id, csv.id]]));
    const undone = await revert(app, accepted.headers['x-change-set-id']);
    expect([undone.status, await sides()]).toEqual([200, expect.arrayContaining([[card.id, account.id]])]);
    const again = await revert(app, undone.json.change_set.id);
    expect([again.status, await sides()], again.text).toEqual([200, joined]);
    expect((await revert(app, again.json.change_set.id)).status).toBe(200);
    expect(await sides()).toEqual(expect.arrayContaining([[card.id, account.id]]));
  });
});
