import { beforeEach, expect, test } from 'vitest';

import { addCounterparty, addMember, addTag, categoryBySlug, type Made } from '../../../test/harness/ledger.ts';
import { forEachDatabase, type Answer, type TestApp } from '../../../test/harness/test-app.ts';
import { timeline } from '../../../test/harness/ledgers/timeline.ts';
import { transactionFields } from './transaction-record.contract.ts';

const API = '/api/v1';
const CAFE = { date: '2026-04-25', amount: '23.40', name: 'Corner Cafe' };

forEachDatabase((database) => {
  let app: TestApp;
  let wallet: Made;

  beforeEach(async () => {
    app = await database.open();
    await addMember(app, 'Ana');
    const { json } = await app.request('POST', `${API}/accounts`, {
      body: { name: 'Wallet', iso_currency_code: 'EUR' },
    });
    wallet = json;
    // The rule that comes with every household would be in each timeline.
    for (const { id } of (await app.request('GET', `${API}/rules`)).json.rules as Made[]) {
      await app.request('PATCH', `${API}/rules/${id}`, { body: { enabled: false } });
    }
  });

  const post = (body: object): Promise<Answer> =>
    app.request('POST', `${API}/transactions`, { body: { account_id: wallet.short_id, ...CAFE, ...body } });
  const get = async (path: string): Promise<Answer['json']> => (await app.request('GET', `${API}${path}`)).json;
  const revert = (set: unknown, body: object = {}): Promise<Answer> =>
    app.request('POST', `${API}/change-sets/${String(set)}/revert`, { body });
  const rule = async (body: object): Promise<Made> => {
    const answer = await app.request('POST', `${API}/rules`, {
      body: { condition: {}, triggers: ['create'], ...body },
    });
    expect(answer.status, answer.text).toBe(201);
    return answer.json;
  };

  test('a transaction created by hand is like any other, with its location', async () => {
    const done = await post({ amount: 23.4, merchant_name: ' Cafe Ltd ' });
    expect([done.status, done.headers.location]).toEqual([201, `${API}/transactions/${done.json.id}`]);
    expect(Object.keys(done.json)).toEqual(Object.keys(transactionFields));
    expect(done.json).toMatchObject({
      account_id: wallet.id,
      account_name: 'Wallet',
      provider: 'csv',
      date: '2026-04-25',
      authorized_date: null,
      amount: '23.40',
      iso_currency_code: 'EUR',
      name: 'Corner Cafe',
      merchant_name: 'Cafe Ltd',
      category_id: null,
      category_source: null,
      pending: false,
      import_id: null,
      deleted_at: null,
    });
    expect(await get(`/transactions/${done.json.short_id}`)).toEqual(done.json);
    expect((await get('/transactions?search=cafe')).transactions).toEqual([done.json]);
    const set = await get(`/change-sets/${String(done.headers['x-change-set-id'])}`);
    expect(set).toMatchObject({ action: 'transaction.create', created_count: 1, revertible: true });
    expect(set.changes).toHaveLength(1);
    expect(set.changes[0]).toMatchObject({ operation: 'create', before: null, after: { amount: '23.40' } });
    expect(await timeline(app, done.json)).toMatchObject([
      {
        kind: 'transaction_created',
        payload: {},
        source: 'edit',
        body: expect.stringMatching(/ added this transaction$/),
      },
    ]);
  });

  test('what the request states is locked, and no rule changes it', async () => {
    const [coffee, travel] = [await categoryBySlug(app, 'food_and_drink_coffee'), await categoryBySlug(app, 'travel')];
    const cafe = await addCounterparty(app, 'Corner Cafe');
    const series = (await app.request('POST', `${API}/series`, { body: { name: 'Mornings' } })).json;
    await addTag(app, 'cash');
    const loud = { overwrite_manual: true };
    const loudRule = await rule({
      ...loud,
      name: 'Travel',
      actions: [
        { type: 'set_category', category_id: travel.id },
        { type: 'remove_tag', tag_slug: 'cash' },
        { type: 'set_metadata', metadata_key: 'with', metadata_value: 'nobody' },
        { type: 'add_tag', tag_slug: 'by-rule' },
        { type: 'add_comment', content: 'Seen' },
      ],
    });
    await rule({ name: 'Not now', triggers: ['sync', 'retroactive', 'manual'], actions: [{ type: 'flag' }] });
    const done = await post({
      category_slug: 'food_and_drink_coffee',
      counterparty_id: cafe.short_id,
      series_id: series.id,
      tags: ['cash', 'tom-2026'],
      comment: ' With Tom ',
      metadata: { with: 'Tom' },
    });
    expect(done.status, done.text).toBe(201);
    expect(done.json).toMatchObject({
      category_id: coffee.id,
      counterparty_id: cafe.id,
      series_id: series.id,
      tags: ['by-rule', 'cash', 'tom-2026'],
      metadata: { with: 'Tom' },
      flagged_at: null,
    });
    const entries = await timeline(app, done.json);
    expect(entries.map(({ kind, applied_by: by }) => [kind, by])).toEqual([
      ['transaction_created', null],
      ['tag_added', 'create'],
      ['comment', 'create'],
      ['comment', null],
    ]);
    expect(entries[1]?.['body']).toBe('Rule "Travel" added the tag By Rule on entry');
    expect((await get(`/rules/${loudRule.id}`)).hit_count).toBe(1);
    expect((await get(`/rules/${loudRule.id}/sync-history`)).history).toEqual([]);
    const { fields: decisions } = await get(`/transactions/${done.json.id}/explain`);
    const of = (field: string) => decisions.find((one: { field: string }) => one.field === field);
    expect(of('category')).toMatchObject({ locked: true, change_set_id: done.headers['x-change-set-id'] });
    expect(of('tag:cash')).toMatchObject({ locked: true, source: of('category').source });
    expect(of('tag:by-rule')).toMatchObject({ locked: false, source: 'rule' });
  });

  test('rules decide what the request leaves out, but not what it states as null', async () => {
    const travel = await categoryBySlug(app, 'travel');
    await rule({ name: 'Travel', actions: [{ type: 'set_category', category_id: travel.id }] });
    expect((await post({})).json).toMatchObject({ category_id: travel.id, category_source: 'rule' });
    const none = (await post({ category_id: null })).json;
    expect([none.category_id, ['person', 'agent'].includes(none.category_source)]).toEqual([null, true]);
    const apply = await app.request('POST', `${API}/rules/apply-all`, { body: {} });
    expect(apply.status).toBeLessThan(300);
    expect((await get(`/transactions/${none.id}`)).category_id).toBeNull();
    const key = (await app.newKey({ actor_type: 'system' })).key;
    const sent = { account_id: wallet.id, ...CAFE, category_slug: 'food_and_drink_coffee' };
    const robot = await app.request('POST', `${API}/transactions`, { key, body: sent });
    expect(robot.json).toMatchObject({ category_source: 'agent', category: { slug: 'food_and_drink_coffee' } });
  });

  test('missing, wrong and unknown values are refused with their field, and nothing is written', async () => {
    const bad: (readonly [object, string, string])[] = [
      [{ account_id: 'zzzzzzzz' }, 'INVALID_PARAMETER', 'account_id'],
      [{ account_id: null }, 'VALIDATION_ERROR', 'account_id'],
      [{ date: '2026-02-30' }, 'VALIDATION_ERROR', 'date'],
      [{ date: '2026-04-25T10:00:00Z' }, 'VALIDATION_ERROR', 'date'],
      [{ amount: '12,00' }, 'VALIDATION_ERROR', 'amount'],
      [{ amount: 0.001 }, 'VALIDATION_ERROR', 'amount'],
      [{ amount: '10000000000.00' }, 'VALIDATION_ERROR', 'amount'],
      [{ amount: true }, 'VALIDATION_ERROR', 'amount'],
      [{ name: ' ' }, 'VALIDATION_ERROR', 'name'],
      [{ name: 'a\0b' }, 'VALIDATION_ERROR', 'name'],
      [{ name: 'x'.repeat(501) }, 'VALIDATION_ERROR', 'name'],
      [{ iso_currency_code: 'EURO' }, 'VALIDATION_ERROR', 'iso_currency_code'],
      [{ category_id: 'nothing' }, 'INVALID_PARAMETER', 'category_id'],
      [{ category_id: 'travel', category_slug: 'travel' }, 'VALIDATION_ERROR', 'category_slug'],
      [{ counterparty_id: 'zzzzzzzz' }, 'INVALID_PARAMETER', 'counterparty_id'],
      [{ series_id: 'zzzzzzzz' }, 'INVALID_PARAMETER', 'series_id'],
      [{ tags: ['Not A Slug'] }, 'VALIDATION_ERROR', 'tags[0]'],
      [{ tags: Array.from({ length: 51 }, (_, n) => `t${n}`) }, 'VALIDATION_ERROR', 'tags'],
      [{ comment: ' ' }, 'VALIDATION_ERROR', 'comment'],
      [{ metadata: [] }, 'VALIDATION_ERROR', 'metadata'],
      [{ metadata: { '': 1 } }, 'VALIDATION_ERROR', 'metadata.'],
      [{ amonut: '1' }, 'VALIDATION_ERROR', 'amonut'],
    ];
    for (const [wrong, code, path] of bad) {
      const { status, json, text } = await post({ tags: ['fresh'], ...wrong });
      expect([status, json.error?.code, json.error?.details?.[0].path], text).toEqual([400, code, path]);
    }
    expect((await get('/transactions')).transactions).toEqual([]);
    expect((await get('/tags')).map((tag: { slug: string }) => tag.slug)).not.toContain('fresh');
    await app.write('test.account', async (tx) => {
      tx.journal.allowUnjournaled('account');
      await tx.q.updateTable('accounts').set({ provider: 'teller' }).execute();
    });
    const fed = await post({});
    expect([fed.status, fed.json.error.code]).toEqual([409, 'CONFLICT']);
  });

  test('a retry with the same key returns the same row and location', async () => {
    const body = { account_id: wallet.id, ...CAFE };
    const headers = { 'idempotency-key': 'one-coffee' };
    const first = await app.request('POST', `${API}/transactions`, { body, headers });
    const second = await app.request('POST', `${API}/transactions`, { body, headers });
    expect([second.status, second.text, second.headers.location]).toEqual([201, first.text, first.headers.location]);
    expect((await get('/transactions')).transactions).toHaveLength(1);
  });

  test('reverting deletes it with what was created for it; reverting the revert restores everything', async () => {
    await rule({ name: 'Flag', actions: [{ type: 'flag' }, { type: 'add_comment', content: 'Flagged' }] });
    const done = await post({ tags: ['cash'], comment: 'Mine', category_slug: 'travel', metadata: { a: 1 } });
    const path = `/transactions/${done.json.id}`;
    const before = [await get(path), await get(`${path}/comments`), await get('/tags')];
    const undone = await revert(done.headers['x-change-set-id']);
    expect(undone.status, undone.text).toBe(200);
    expect(undone.json.skipped).toEqual([]);
    expect((await app.request('GET', `${API}${path}`)).status).toBe(404);
    expect((await get('/tags')).map((tag: { slug: string }) => tag.slug)).not.toContain('cash');
    expect((await timeline(app, done.json, { include_deleted: 'true' })).at(0)).toMatchObject({
      kind: 'transaction_created',
      is_reverted: true,
    });
    const again = await revert(undone.json.change_set.id);
    expect(again.status, again.text).toBe(200);
    const stamp = /"updated_at":"[^"]*"/g;
    const now = [await get(path), await get(`${path}/comments`), await get('/tags')];
    expect(JSON.stringify(now).replaceAll(stamp, '')).toBe(JSON.stringify(before).replaceAll(stamp, ''));
  });

  test('what was created before it is reverted after it', async () => {
    const series = await app.request('POST', `${API}/series`, { body: { name: 'Mornings' } });
    const tag = await app.request('POST', `${API}/tags`, { body: { name: 'Cash' } });
    const first = await post({ series_id: series.json.id, tags: ['cash', 'new'] });
    const second = await post({ tags: ['new'] });
    for (const one of [second, first, tag, series]) {
      const undone = await revert(one.headers['x-change-set-id']);
      expect([undone.status, undone.json.skipped], undone.text).toEqual([200, []]);
    }
    expect((await get('/series')).series).toEqual([]);
  });

  test('later decisions of people keep it from being reverted; a deleted one is skipped', async () => {
    const travel = { category_slug: 'travel' };
    for (const [method, rest, body, fields] of [
      ['PATCH', '/category', { category_slug: 'food_and_drink_coffee' }, ['category_id']],
      ['POST', '/tags', { slug: 'later' }, ['tag:later']],
      ['POST', '/comments', { body: 'Later' }, ['comment']],
      ['PATCH', '/metadata', { set: { a: 2 } }, ['metadata.a']],
    ] as const) {
      const done = await post({ ...travel, metadata: { a: 1 } });
      const edited = await app.request(method, `${API}/transactions/${done.json.id}${rest}`, { body });
      expect(edited.status).toBeLessThan(300);
      const refused = await revert(done.headers['x-change-set-id']);
      expect([refused.status, refused.json.error.details[0]]).toMatchObject([409, { reason: 'changed_since', fields }]);
      await revert(edited.headers['x-change-set-id']);
      expect((await revert(done.headers['x-change-set-id'])).status).toBe(200);
    }
    const same = await post(travel);
    await app.request('DELETE', `${API}/transactions/${same.json.id}`);
    const nothing = await revert(same.headers['x-change-set-id']);
    expect([nothing.status, nothing.json.error.code]).toEqual([409, 'ALREADY_REVERTED']);
  });
});
