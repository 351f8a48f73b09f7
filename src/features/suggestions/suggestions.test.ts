import { expect, test } from 'vitest';

import { addMember, addTag, categoryBySlug, type Made } from '../../../test/harness/ledger.ts';
import {
  addBank,
  addBankAccount,
  deliver,
  suggest,
  type BankAccount,
} from '../../../test/harness/syncs/synced-ledger.ts';
import { forEachDatabase, type TestApp } from '../../../test/harness/test-app.ts';
import { rowsOf } from '../../../test/harness/table-rows.ts';

const SUGGESTIONS = '/api/v1/sync/suggestions';

interface Scene {
  app: TestApp;
  account: BankAccount;
  held: Made;
  posted: Made;
  suggestion: string;
}

/** A hold of 40.00 at a fuel station, and the 62.50 that came of it under another id. */
async function scene(app: TestApp): Promise<Scene> {
  const member = await addMember(app, `Ana ${crypto.randomUUID()}`);
  const account = await addBankAccount(app, await addBank(app, member));
  const category = await categoryBySlug(app, 'food_and_drink_coffee');
  const gone = { deleted_at: '2026-03-01T00:00:00.000Z', deleted_cause: 'provider', pending: 1 } as const;
  const [held, posted] = (await deliver(app, account, [
    {
      date: '2026-02-27',
      amount_cents: 4_000,
      name: 'SHELL OIL 57442',
      category,
      tags: [await addTag(app, `car-${crypto.randomUUID()}`)],
      columns: { ...gone, metadata: '{"km":"120","shop":"old"}', locks: '["category"]' },
    },
    {
      date: '2026-03-01',
      amount_cents: 6_250,
      name: 'Shell',
      tags: [await addTag(app, `trip-${crypto.randomUUID()}`)],
      comment: 'Full tank',
      columns: { flagged_at: '2026-03-02T00:00:00.000Z', metadata: '{"shop":"new"}' },
    },
  ])) as [Made, Made];
  await suggest(app, [
    {
      kind: 'pending_posted',
      connectionId: account.bank.id,
      accountId: account.id,
      transactionId: posted.id,
      candidates: [{ transaction_id: held.id, reasons: ['hold', 'compatible_name', 'close_date'] }],
    },
  ]);
  const { json } = await app.request('GET', SUGGESTIONS, { query: { account_id: account.id } });
  return { app, account, held, posted, suggestion: json.suggestions[0].id };
}

/** That one transaction may be any of the others. */
async function suggestDuplicate(app: TestApp, account: BankAccount, one: Made, others: readonly Made[]): Promise<void> {
  await suggest(app, [
    {
      kind: 'possible_duplicate',
      connectionId: account.bank.id,
      accountId: account.id,
      transactionId: one.id,
      candidates: others.map(({ id }) => ({ transaction_id: id, reasons: ['same_amount'] as const })),
    },
  ]);
}

const get = async (app: TestApp, id: string) =>
  (await app.request('GET', `/api/v1/transactions/${id}`, { query: { include_deleted: 'true' } })).json;
const post = (app: TestApp, path: string, body?: object) =>
  app.request('POST', `${SUGGESTIONS}/${path}`, body === undefined ? {} : { body });
const revert = (app: TestApp, id: unknown) =>
  app.request('POST', `/api/v1/change-sets/${String(id)}/revert`, { body: {} });

/** Everything about the two that an accepted suggestion may touch. */
async function stateOf({ app, held, posted, suggestion }: Scene): Promise<unknown> {
  const among = `('${held.id}', '${posted.id}')`;
  const database = app.app.instance.database;
  const stamped = ({ updated_at: _at, ...row }: Record<string, unknown>) => row;
  return {
    rows: (await rowsOf(database, `select * from transactions where id in ${among} order by id`)).map(stamped),
    tags: await rowsOf(database, `select * from transaction_tags where transaction_id in ${among} order by 1, 2`),
    aliases: await rowsOf(database, `select * from transaction_aliases where transaction_id in ${among} order by 1, 3`),
    feeds: await rowsOf(database, `select * from transaction_feeds where transaction_id in ${among} order by 1`),
    comments: await rowsOf(database, `select * from comments where transaction_id in ${among} order by id`),
    suggestion: (await app.request('GET', `${SUGGESTIONS}/${suggestion}`)).json,
  };
}

forEachDatabase((database) => {
  test('an open suggestion is listed with what its candidates are now', async () => {
    const { app, account, held, posted, suggestion } = await scene(await database.open());
    const { status, json } = await app.request('GET', SUGGESTIONS);
    expect(status).toBe(200);
    expect(json).toEqual({
      suggestions: [
        {
          id: suggestion,
          short_id: expect.stringMatching(/^\w{8}$/),
          kind: 'pending_posted',
          status: 'open',
          connection_id: account.bank.id,
          account_id: account.id,
          transaction_id: posted.id,
          candidates: [
            {
              transaction_id: held.id,
              date: '2026-02-27',
              amount: '40.00',
              iso_currency_code: 'USD',
              name: 'SHELL OIL 57442',
              is_deleted: true,
              reasons: ['hold', 'compatible_name', 'close_date'],
            },
          ],
          accepted_transaction_id: null,
          accounts: [],
          accepted_account_id: null,
          created_at: expect.any(String),
          resolved_at: null,
        },
      ],
      total: 1,
    });
    expect((await app.request('GET', `${SUGGESTIONS}/${json.suggestions[0].short_id}`)).json).toEqual(
      json.suggestions[0],
    );
    for (const query of [{ kind: 'same_account' }, { status: 'dismissed' }, { status: 'obsolete' }]) {
      expect((await app.request('GET', SUGGESTIONS, { query })).json).toEqual({ suggestions: [], total: 0 });
    }
    for (const query of [{ status: 'done' }, { kind: 'x' }, { account_id: 'nonsense' }, { connection_id: held.id }]) {
      const answer = await app.request('GET', SUGGESTIONS, { query });
      expect([answer.status, answer.json.error.code]).toEqual([400, 'INVALID_PARAMETER']);
    }
    expect((await app.request('GET', `${SUGGESTIONS}/nonsense`)).status).toBe(404);
  });

  test('accepting keeps the older id and what people decided, takes the newer amount and ids; a revert undoes it, a revert of that does it again', async () => {
    const made = await scene(await database.open());
    const { app, held, posted, suggestion } = made;
    const before = await stateOf(made);
    const answer = await post(app, `${suggestion}/accept`);
    expect([answer.status, answer.json.status]).toEqual([200, 'accepted']);
    expect(answer.json).toMatchObject({ accepted_transaction_id: held.id, resolved_at: expect.any(String) });
    const survivor = await get(app, held.id);
    expect(survivor).toMatchObject({
      amount: '62.50',
      date: '2026-03-01',
      name: 'Shell',
      pending: false,
      deleted_at: null,
      flagged_at: '2026-03-02T00:00:00.000Z',
      metadata: { km: '120', shop: 'new' },
    });
    expect(survivor.category.slug).toBe('food_and_drink_coffee');
    expect(survivor.tags.length).toBe(2);
    expect((await app.request('GET', `/api/v1/transactions/${held.id}/comments`)).json).toMatchObject([
      { body: 'Full tank' },
    ]);
    expect((await get(app, posted.id)).deleted_at).not.toBeNull();
    const { json: totals } = await app.request('GET', '/api/v1/transactions/count', {
      query: { include_totals: 'true' },
    });
    expect(totals.totals).toMatchObject([{ transaction_count: 1, total_amount: '62.50' }]);
    const aliases = await rowsOf(
      app.app.instance.database,
      'select distinct transaction_id as id from transaction_aliases',
    );
    expect(aliases).toEqual([{ id: held.id }]);

    const accepted = await stateOf(made);
    const undone = await revert(app, answer.headers['x-change-set-id']);
    expect([undone.status, undone.json.reverted_count]).toEqual([200, 2]);
    expect(await stateOf(made)).toEqual(before);
    const again = await revert(app, undone.json.change_set.id);
    expect(again.status).toBe(200);
    expect(await stateOf(made)).toEqual(accepted);
    expect((await revert(app, again.json.change_set.id)).status).toBe(200);
    expect(await stateOf(made)).toEqual(before);
  });

  test('what the bank said after the acceptance goes back to the newer transaction', async () => {
    const { app, account, held, posted, suggestion } = await scene(await database.open());
    const { headers } = await post(app, `${suggestion}/accept`, {});
    await app.write('test.sync', async (tx) => {
      tx.journal.allowUnjournaled('transaction');
      await tx.q.updateTable('transactions').set({ amount_cents: 6_300 }).where('id', '=', held.id).execute();
      const source = { namespace: 'plaid', external_id: 'later', external_account_id: account.externalId };
      const seen = { first_seen_at: tx.now, last_seen_at: tx.now };
      await tx.q
        .insertInto('transaction_aliases')
        .values({ transaction_id: held.id, account_id: account.id, ...source, ...seen })
        .execute();
    });
    expect((await revert(app, headers['x-change-set-id'])).status).toBe(200);
    expect(await get(app, held.id)).toMatchObject({ amount: '40.00', deleted_at: '2026-03-01T00:00:00.000Z' });
    expect(await get(app, posted.id)).toMatchObject({ amount: '63.00', deleted_at: null });
    const owner = await rowsOf(
      app.app.instance.database,
      `select transaction_id as id from transaction_aliases where external_id = 'later'`,
    );
    expect(owner).toEqual([{ id: posted.id }]);
  });

  test('a flag taken off the survivor since then holds the whole pair back', async () => {
    const { app, held, posted, suggestion } = await scene(await database.open());
    const { headers } = await post(app, `${suggestion}/accept`);
    await app.request('DELETE', `/api/v1/transactions/${held.id}/flag`);
    const refused = await revert(app, headers['x-change-set-id']);
    expect(refused.status).toBe(409);
    expect(refused.json.error).toMatchObject({ code: 'REVERT_CONFLICT' });
    expect((await get(app, posted.id)).deleted_at).not.toBeNull();
    expect((await post(app, `${suggestion}/accept`)).json.error.code).toBe('INVALID_STATE');
  });

  test('a dismissed pair is not suggested again, and can still be accepted', async () => {
    const { app, account, held, posted, suggestion } = await scene(await database.open());
    const dismissed = await post(app, `${suggestion}/dismiss`);
    expect([dismissed.status, dismissed.json.status]).toEqual([200, 'dismissed']);
    expect(dismissed.headers['x-change-set-id']).toBeUndefined();
    const twice = await post(app, `${suggestion}/dismiss`, {});
    expect([twice.status, twice.json.error.code]).toEqual([409, 'INVALID_STATE']);
    for (const [one, other] of [
      [posted, held],
      [held, posted],
    ] as const) {
      await suggestDuplicate(app, account, one, [other]);
    }
    expect((await app.request('GET', SUGGESTIONS)).json.total).toBe(0);
    expect((await post(app, `${suggestion}/accept`)).json.status).toBe('accepted');
    const again = await post(app, `${suggestion}/accept`);
    expect([again.status, again.json.error.code]).toEqual([409, 'INVALID_STATE']);
  });

  test('a dismissed suggestion about a transaction that was merged since is over', async () => {
    const before = await scene(await database.open());
    const { app, account, posted, suggestion } = before;
    const [other] = (await deliver(app, account, [{ date: '2026-03-01', amount_cents: 6_250, name: 'Shell' }])) as [
      Made,
    ];
    await suggestDuplicate(app, account, posted, [other]);
    const { json } = await app.request('GET', SUGGESTIONS, { query: { kind: 'possible_duplicate' } });
    const duplicate = json.suggestions[0].id;
    expect((await post(app, `${duplicate}/dismiss`)).status).toBe(200);
    expect((await post(app, `${suggestion}/accept`)).status).toBe(200);
    const state = await stateOf(before);
    const late = await post(app, `${duplicate}/accept`);
    expect(await stateOf(before)).toEqual(state);
    expect([late.status, late.json.error?.code]).toEqual([409, 'INVALID_STATE']);
  });

  test('what a person deleted cannot be merged, and makes the suggestion obsolete until it is restored', async () => {
    const { app, posted, suggestion } = await scene(await database.open());
    await app.request('DELETE', `/api/v1/transactions/${posted.id}`);
    const refused = await post(app, `${suggestion}/accept`);
    expect([refused.status, refused.json.error.code]).toEqual([409, 'CONFLICT']);
    expect((await app.request('GET', SUGGESTIONS)).json.total).toBe(0);
    const obsolete = await app.request('GET', SUGGESTIONS, { query: { status: 'obsolete' } });
    expect(obsolete.json.suggestions).toMatchObject([{ id: suggestion, resolved_at: expect.any(String) }]);
    expect((await post(app, `${suggestion}/dismiss`)).json.error.code).toBe('INVALID_STATE');
    await app.request('POST', `/api/v1/transactions/${posted.id}/restore`, { body: {} });
    expect((await post(app, `${suggestion}/accept`)).status).toBe(200);
  });

  test('of several candidates the caller names one', async () => {
    const { app, account, held, posted } = await scene(await database.open());
    const [other, another] = (await deliver(app, account, [
      { date: '2026-02-26', amount_cents: 6_250, name: 'SHELL' },
      { date: '2026-03-02', amount_cents: 6_250, name: 'SHELL' },
    ])) as [Made, Made];
    await suggestDuplicate(app, account, another, [posted, other]);
    const [{ id }] = (await app.request('GET', SUGGESTIONS, { query: { kind: 'possible_duplicate' } })).json
      .suggestions;
    for (const body of [{}, { transaction_id: held.id }, { transaction_id: 'x' }, { account_id: account.id }]) {
      const answer = await post(app, `${id}/accept`, body);
      expect([answer.status, answer.json.error.code]).toEqual([400, 'INVALID_PARAMETER']);
    }
    const done = await post(app, `${id}/accept`, { transaction_id: other.short_id });
    expect([done.status, done.json.accepted_transaction_id]).toEqual([200, other.id]);
  });

  test('300 alike are accepted by one call, and come back by one revert', async () => {
    const { app, account } = await scene(await database.open());
    const rows = Array.from({ length: 600 }, (_one, at) => ({
      date: '2026-01-10',
      amount_cents: 1_000 + (at % 300),
      name: at < 300 ? 'OLD BANK TEXT' : 'New text',
    }));
    const made = await deliver(app, account, rows);
    await suggest(
      app,
      made.slice(300).map(({ id }, at) => ({
        kind: 'possible_duplicate' as const,
        connectionId: account.bank.id,
        accountId: account.id,
        transactionId: id,
        candidates: [{ transaction_id: (made[at] as Made).id, reasons: ['same_amount', 'close_date'] as const }],
      })),
    );
    const query = { kind: 'possible_duplicate' };
    const listed = (await app.request('GET', SUGGESTIONS, { query })).json;
    expect(listed.total).toBe(300);
    const accepted = await post(app, `${listed.suggestions[0].id}/accept`, { alike: true });
    expect(accepted.status).toBe(200);
    expect((await app.request('GET', SUGGESTIONS, { query })).json.total).toBe(0);
    const count = async () => (await app.request('GET', '/api/v1/transactions/count')).json.count;
    expect(await count()).toBe(301);
    const undone = await revert(app, accepted.headers['x-change-set-id']);
    expect([undone.status, undone.json.reverted_count]).toEqual([200, 600]);
    expect(await count()).toBe(601);
    expect((await app.request('GET', SUGGESTIONS, { query })).json.total).toBe(300);
  });
});
