import { expect, test } from 'vitest';

import {
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
import { addMember, addTag, categoryBySlug, type Made } from '../../../test/harness/ledger.ts';
import { addBank, addBankAccount, deliver } from '../../../test/harness/syncs/synced-ledger.ts';
import { rowsOf } from '../../../test/harness/table-rows.ts';
import { forEachDatabase } from '../../../test/harness/test-app.ts';
import { addDays } from '../../kernel/dates.ts';

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
