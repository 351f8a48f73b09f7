import { expect, test } from 'vitest';

import { addAccount, addCounterparty, addMember, addTag } from '../../../test/harness/ledger.ts';
import { allRows } from '../../../test/harness/table-rows.ts';
import { forEachDatabase, type Answer, type TestApp } from '../../../test/harness/test-app.ts';
import { journalOf } from '../../journal/journal-of.ts';

const RULES = '/api/v1/rules';
const GROCERIES = 'food_and_drink_groceries';
const flag = { type: 'flag' };
const plain = { name: 'Plain', condition: { field: 'name', op: 'contains', value: 'x' }, actions: [flag] };

/** The rules of these tests, without those that come with the product. */
const OWN = { creator_type: 'user' };
const post = (app: TestApp, body: unknown, path = RULES): Promise<Answer> => app.request('POST', path, { body });
const made = async (app: TestApp, body: unknown): Promise<Answer['json']> => {
  const answer = await post(app, body);
  expect(answer.status, answer.text).toBe(201);
  return answer.json;
};
const names = (answer: Answer): string[] => answer.json.rules.map(({ name }: { name: string }) => name);

const BAD_RULES: readonly [string, Record<string, unknown>][] = [
  ['priority', { priority: -1 }],
  ['priority', { priority: 1001 }],
  ['priority', { priority: 10.5 }],
  ['priority', { priority: '10' }],
  ['triggers', { triggers: [] }],
  ['triggers', { triggers: ['sync', 'sync'] }],
  ['triggers[0]', { triggers: ['always'] }],
  ['name', { name: '  ' }],
  ['name', { name: 'x'.repeat(201) }],
  ['enabled', { enabled: 'yes' }],
  ['expires_at', { expires_at: '2026-04-26T06:00:00.000Z' }],
  ['expires_at', { expires_at: 'tomorrow' }],
  ['surprise', { surprise: 1 }],
  ['conditions', { conditions: {} }],
  ['stage', { stage: 'override' }],
  ['actions', { actions: [] }],
  ['actions', { actions: Array.from({ length: 21 }, (_, n) => ({ type: 'add_tag', tag_slug: `t${n}` })) }],
  ['actions[1].type', { actions: [{ type: 'add_tag', tag_slug: 'new' }, { type: 'explode' }] }],
  ['actions[0].colour', { actions: [{ type: 'flag', colour: 'red' }] }],
  ['condition.and[0].op', { condition: { and: [{ field: 'name', value: 'x' }] } }],
  ['condition.and', { condition: { and: [] } }],
  ['condition.not.value', { condition: { not: { field: 'amount', op: 'eq', value: '12.345' } } }],
  ['condition.value', { condition: { field: 'name', op: 'matches', value: '(a)\\1' } }],
];

const LOST: readonly [string, object, object | undefined][] = [
  ['condition.value', { field: 'category', op: 'eq', value: 'nowhere' }, undefined],
  ['condition.value', { field: 'tags', op: 'contains', value: 'nowhere' }, undefined],
  ['condition.value[1]', { field: 'category', op: 'in', value: ['travel', 'nowhere'] }, undefined],
  ['condition.value', { field: 'account_id', op: 'eq', value: 'zzzzzzzz' }, undefined],
  ['condition.value', { field: 'user_id', op: 'eq', value: 'not an id' }, undefined],
  ['condition.value', { field: 'series', op: 'eq', value: '01981f6e-7c1a-7b3e-9a44-2f6d0c5e8b10' }, undefined],
  ['condition.value', { field: 'counterparty', op: 'eq', value: 'x' }, undefined],
  ['actions[0].category_slug', {}, { type: 'set_category', category_slug: 'nowhere' }],
  ['actions[0].tag_slug', {}, { type: 'remove_tag', tag_slug: 'nowhere' }],
  ['actions[0].series_name', {}, { type: 'assign_series', series_name: 'Nothing' }],
  ['actions[0].counterparty_id', {}, { type: 'assign_counterparty', counterparty_id: 'zzzzzzzz' }],
];

forEachDatabase((database) => {
  test('a rule has defaults and its creator, and 0 is a valid priority', async () => {
    const app = await database.open();
    const answer = await post(app, plain);
    expect(answer.headers.location).toBe(`${RULES}/${answer.json.id}`);
    expect(answer.json).toMatchObject({
      enabled: true,
      priority: 100,
      triggers: ['sync', 'retroactive', 'manual'],
      overwrite_manual: false,
      stop: false,
      expires_at: null,
      creator_type: 'user',
      creator_name: 'Test',
      hit_count: 0,
      last_hit_at: null,
      created_at: '2026-04-26T06:00:00.000Z',
      updated_at: '2026-04-26T06:00:00.000Z',
    });
    const set = (await app.request('GET', `/api/v1/change-sets/${String(answer.headers['x-change-set-id'])}`)).json;
    expect(set).toMatchObject({ action: 'rule.create', summary: 'Created the rule Plain' });
    const first = await made(app, { ...plain, name: '  First ', priority: 0, triggers: ['manual', 'create'] });
    expect([first.priority, first.name, first.triggers]).toEqual([0, 'First', ['create', 'manual']]);
    expect((await made(app, { name: 'All', condition: null, actions: [flag] })).condition).toEqual({});
    const agent = await app.newKey({ name: 'Bot', actor_type: 'agent' });
    const byAgent = await app.request('POST', RULES, { body: plain, key: agent.key });
    expect([byAgent.json.creator_type, byAgent.json.creator_id]).toEqual(['agent', agent.id]);
  });

  test('every problem is reported with its path, on create and on update, and nothing is stored', async () => {
    const app = await database.open();
    const stored = await made(app, plain);
    const before = await allRows(app.app.instance.database, ['api_key_uses']);
    for (const [path, change] of BAD_RULES) {
      for (const [method, url] of [
        ['POST', RULES],
        ['PATCH', `${RULES}/${stored.id}`],
        ['PUT', `${RULES}/${stored.id}`],
      ] as const) {
        const answer = await app.request(method, url, { body: { ...plain, ...change } });
        expect([change, answer.status, answer.json.error.code]).toEqual([change, 400, 'VALIDATION_ERROR']);
        const [first] = answer.json.error.details;
        expect([change, first.path]).toEqual([change, path]);
        expect(answer.json.error.message).toContain(path);
      }
    }
    expect(await allRows(app.app.instance.database, ['api_key_uses'])).toEqual(before);
  });

  test('fields that only the service writes are refused on create and ignored on update', async () => {
    const app = await database.open();
    const stored = await made(app, plain);
    for (const field of ['id', 'short_id', 'hit_count', 'last_hit_at', 'creator_type', 'created_at', 'updated_at']) {
      const answer = await post(app, { ...plain, [field]: stored[field] });
      expect([answer.status, answer.json.error.details[0].path]).toEqual([400, field]);
    }
    const back = { ...stored, hit_count: 9, creator_type: 'system', id: 'x' };
    const same = await app.request('PUT', `${RULES}/${stored.short_id}`, { body: back });
    expect([same.status, same.json, same.headers['x-change-set-id']]).toEqual([200, stored, undefined]);
  });

  test('an expiry must be in the future, may be repeated after it has passed, and can be cleared', async () => {
    const app = await database.open();
    const rule = await made(app, { ...plain, expires_at: '2026-04-26T08:00:00+01:00' });
    expect(rule.expires_at).toBe('2026-04-26T07:00:00.000Z');
    const path = `${RULES}/${rule.id}`;
    app.clock.set('2026-04-26T07:00:00.000Z');
    const kept = await app.request('PUT', path, { body: { ...rule, name: 'Renamed' } });
    expect([kept.status, kept.json.expires_at]).toEqual([200, rule.expires_at]);
    const past = await app.request('PATCH', path, { body: { expires_at: '2026-04-26T06:59:59.999Z' } });
    expect([past.status, past.json.error.details[0].path]).toEqual([400, 'expires_at']);
    for (const nothing of [null, '']) {
      await app.request('PATCH', path, { body: { expires_at: '2026-05-01T00:00:00.000Z' } });
      expect((await app.request('PATCH', path, { body: { expires_at: nothing } })).json.expires_at).toBeNull();
    }
  });

  test('conditions come back canonical, and money is exact however it was sent', async () => {
    const app = await database.open();
    const leaf = (value: unknown): object => ({ value, op: 'eq', field: 'amount' });
    const rule = await made(app, { ...plain, condition: { or: [leaf('0.10'), leaf(0.1), leaf('-5')] } });
    const text = (await app.request('GET', `${RULES}/${rule.id}`)).text;
    const shown = (value: string): string => `{"field":"amount","op":"eq","value":"${value}"}`;
    expect(text).toContain(`"condition":{"or":[${shown('0.10')},${shown('0.10')},${shown('-5.00')}]}`);
  });

  test('records are found by every form of id, kept by id, and shown with their present names', async () => {
    const app = await database.open();
    const ada = await addMember(app, 'Ada');
    const account = await addAccount(app, ada);
    await addTag(app, 'shared');
    const target = await addCounterparty(app, 'Corner Market Ltd');
    const merged = await addCounterparty(app, 'Corner', target);
    const series = (await app.request('POST', '/api/v1/series', { body: { name: 'Rent', type: 'bill' } })).json;
    const rule = await made(app, {
      name: 'All kinds',
      condition: {
        and: [
          { field: 'account_id', op: 'eq', value: account.short_id },
          { field: 'user_id', op: 'in', value: [ada.id] },
          { field: 'tags', op: 'contains', value: 'shared' },
          { field: 'counterparty', op: 'eq', value: merged.short_id },
          { field: 'series', op: 'eq', value: series.short_id },
          { field: 'category', op: 'not_in', value: [GROCERIES, 'travel'] },
        ],
      },
      actions: [
        { type: 'set_category', category_slug: GROCERIES },
        { type: 'assign_counterparty', counterparty_name: 'CORNER' },
        { type: 'assign_series', series_name: 'rent' },
      ],
    });
    expect(rule.condition.and.map((one: { value: unknown }) => one.value)).toEqual([
      account.id,
      [ada.short_id],
      'shared',
      target.id,
      series.id,
      [GROCERIES, 'travel'],
    ]);
    const shown = { counterparty_id: target.id, counterparty_name: 'Corner Market Ltd' };
    expect(rule.actions).toMatchObject([{ category_slug: GROCERIES }, shown, { series_id: series.id }]);
    await app.request('PATCH', `/api/v1/series/${series.id}`, { body: { name: 'Flat' } });
    await app.request('PATCH', `/api/v1/counterparties/${target.id}`, { body: { name: 'Market' } });
    const later = (await app.request('GET', `${RULES}/${rule.id}`)).json;
    expect(later.actions.slice(1)).toMatchObject([{ counterparty_name: 'Market' }, { series_name: 'Flat' }]);
    const same = await app.request('PUT', `${RULES}/${rule.id}`, { body: later });
    expect([same.status, same.headers['x-change-set-id']]).toEqual([200, undefined]);
  });

  test('a reference to a record that does not exist is refused, with its path', async () => {
    const app = await database.open();
    for (const [path, condition, action] of LOST) {
      const answer = await post(app, { name: 'X', condition, actions: [action ?? flag] });
      const [first] = answer.json.error.details;
      expect([answer.status, answer.json.error.code, first.path]).toEqual([400, 'INVALID_PARAMETER', path]);
    }
  });

  test('a record that two rules want is created once, with the rules, and removed with them by the undo', async () => {
    const app = await database.open();
    const assign = { type: 'assign_counterparty', counterparty_name: 'New Shop', create_if_missing: true };
    const first = await post(app, { ...plain, actions: [assign, { type: 'add_tag', tag_slug: 'new-tag' }] });
    const second = await made(app, { ...plain, actions: [{ ...assign, counterparty_name: 'new SHOP' }] });
    expect(second.actions[0]).toEqual(first.json.actions[0]);
    expect((await app.request('GET', '/api/v1/counterparties')).json.counterparties).toHaveLength(1);
    expect((await app.request('GET', '/api/v1/tags/new-tag')).json.name).toBe('New Tag');
    const set = (await app.request('GET', `/api/v1/change-sets/${String(first.headers['x-change-set-id'])}`)).json;
    expect(set.created_count).toBe(3);
    const undo = await post(app, {}, `/api/v1/change-sets/${set.id}/revert`);
    expect(undo.status, undo.text).toBe(200);
    expect((await app.request('GET', `${RULES}/${first.json.id}`)).status).toBe(404);
    expect((await app.request('GET', '/api/v1/tags/new-tag')).status).toBe(404);
    expect((await app.request('GET', '/api/v1/counterparties')).json.counterparties).toHaveLength(1);
  });

  test('a batch creates all rules or none, in the order sent; a dry run stores nothing', async () => {
    const app = await database.open();
    const tagged = (slug: string): object => ({ ...plain, name: slug, actions: [{ type: 'add_tag', tag_slug: slug }] });
    const reader = { ...plain, name: 'reader', condition: { field: 'tags', op: 'contains', value: 'one' } };
    const rules = [tagged('one'), tagged('two'), reader];
    const before = await allRows(app.app.instance.database, ['api_key_uses']);
    const bad = await post(app, { rules: [...rules.slice(0, 2), { ...plain, priority: 5.5 }] }, `${RULES}/batch`);
    expect([bad.status, bad.json.error.details[0].path]).toEqual([400, 'rules[2].priority']);
    const unknown = { ...plain, actions: [{ type: 'set_category', category_slug: 'nowhere' }] };
    const lost = await post(app, { rules: [...rules, unknown] }, `${RULES}/batch`);
    expect([lost.json.error.code, lost.json.error.details[0].path]).toEqual([
      'INVALID_PARAMETER',
      'rules[3].actions[0].category_slug',
    ]);
    const dry = await post(app, { rules, dry_run: true }, `${RULES}/batch`);
    expect([dry.status, dry.json.dry_run, dry.headers['x-change-set-id']]).toEqual([200, true, undefined]);
    expect(dry.json.rules[0]).toMatchObject({ id: null, short_id: null, created_at: null, updated_at: null });
    for (const size of [0, 51]) {
      const many = await post(app, { rules: Array.from({ length: size }, () => plain) }, `${RULES}/batch`);
      expect([many.status, many.json.error.details[0].path]).toEqual([400, 'rules']);
    }
    expect(await allRows(app.app.instance.database, ['api_key_uses'])).toEqual(before);
    const done = await post(app, { rules }, `${RULES}/batch`);
    expect([done.status, names(done)]).toEqual([201, ['one', 'two', 'reader']]);
    expect(names(await app.request('GET', RULES, { query: OWN }))).toEqual(['one', 'two', 'reader']);
    const set = (await app.request('GET', `/api/v1/change-sets/${String(done.headers['x-change-set-id'])}`)).json;
    expect([set.action, set.created_count]).toEqual(['rules.batch_create', 5]);
  });

  test('the list pages in the order of execution, each rule once', async () => {
    const app = await database.open();
    const wanted: [number, string][] = [];
    for (const [index, priority] of [5, 1, 5, 0, 1, 1].entries()) {
      await made(app, { ...plain, name: `r${index}`, priority });
      wanted.push([priority, `r${index}`]);
      if (index === 2) app.clock.advance(1);
    }
    const inOrder = wanted.sort(([a], [b]) => a - b).map(([, name]) => name);
    const seen: string[] = [];
    let cursor = '';
    for (let pages = 0; pages < 6; pages++) {
      const query = { ...OWN, limit: 1, ...(cursor === '' ? {} : { cursor }) };
      const page = (await app.request('GET', RULES, { query })).json;
      seen.push(...page.rules.map(({ name }: { name: string }) => name));
      expect([page.limit, page.has_more, page.next_cursor !== '']).toEqual([1, pages < 5, pages < 5]);
      if (page.has_more === true) cursor = page.next_cursor;
    }
    expect(seen).toEqual(inOrder);
    const other = await app.request('GET', RULES, { query: { ...OWN, cursor, enabled: true } });
    expect([other.status, other.json.error.code]).toEqual([400, 'INVALID_CURSOR']);
    const [first] = (await app.request('GET', RULES, { query: { ...OWN, limit: 1 } })).json.rules;
    const { next_cursor: next } = (await app.request('GET', RULES, { query: { ...OWN, limit: 1 } })).json;
    await app.request('DELETE', `${RULES}/${first.id}`);
    expect((await app.request('GET', RULES, { query: { ...OWN, limit: 1, cursor: next } })).json.error.code).toBe(
      'INVALID_CURSOR',
    );
  });

  test('the list can be filtered by what rules are and do', async () => {
    const app = await database.open();
    await addTag(app, 'x');
    const series = (await app.request('POST', '/api/v1/series', { body: { name: 'Rent', type: 'bill' } })).json;
    const shop = await addCounterparty(app, 'Shop');
    const rule = (name: string, action: object): Promise<Answer['json']> =>
      made(app, { name, condition: { field: 'category', op: 'eq', value: 'travel' }, actions: [action] });
    await rule('Café', { type: 'set_category', category_slug: GROCERIES });
    await rule('Adds', { type: 'add_tag', tag_slug: 'x' });
    await rule('Removes', { type: 'remove_tag', tag_slug: 'x' });
    await rule('Series', { type: 'assign_series', series_id: series.id });
    const off = await rule('Shop', { type: 'assign_counterparty', counterparty_id: shop.id });
    await app.request('PATCH', `${RULES}/${off.id}`, { body: { enabled: false } });
    const list = async (query: Record<string, string | number | boolean>): Promise<string[]> =>
      names(await app.request('GET', RULES, { query: { ...OWN, ...query } }));
    expect(await list({ category_slug: GROCERIES })).toEqual(['Café']);
    expect(await list({ category_id: 'travel' })).toEqual([]);
    expect(await list({ tag: 'x' })).toEqual(['Adds', 'Removes']);
    expect(await list({ series_id: series.short_id })).toEqual(['Series']);
    expect(await list({ counterparty_id: shop.id })).toEqual(['Shop']);
    expect(await list({ enabled: false })).toEqual(['Shop']);
    expect(await list({ search: 'CAFE' })).toEqual(['Café']);
    expect(await list({ creator_type: 'agent' })).toEqual([]);
    expect(await list({ never_matched: true })).toHaveLength(5);
    expect(await list({ never_matched: false })).toEqual([]);
    const expires = { expires_at: '2030-01-01T00:00:00.000Z' };
    await app.request('PATCH', `${RULES}/${off.id}`, { body: expires });
    app.clock.set('2029-12-31T23:59:59.999Z');
    expect(await list({ expired: true })).toEqual([]);
    app.clock.set(expires.expires_at);
    expect(await list({ expired: true })).toEqual(['Shop']);
    expect(await list({ expired: false })).toHaveLength(4);
    for (const query of [
      { limit: 0 },
      { limit: 501 },
      { enabled: 'maybe' },
      { category_slug: 'nowhere' },
      { category_slug: GROCERIES, category_id: GROCERIES },
      { tag: 'nowhere' },
      { creator_type: 'robot' },
      { surprise: 1 },
    ] as Record<string, string | number>[]) {
      const answer = await app.request('GET', RULES, { query });
      expect([query, answer.status, answer.json.error.code]).toEqual([query, 400, 'INVALID_PARAMETER']);
    }
    expect((await app.request('GET', RULES, { query: { cursor: 'x' } })).json.error.code).toBe('INVALID_CURSOR');
  });

  test('a rule that came with the product can be changed like any other, but not deleted', async () => {
    const app = await database.open();
    const rule = await made(app, plain);
    await app.write('test.seed', async (tx) => {
      const set = { creator_type: 'system', creator_id: null, creator_name: 'Homeledger' };
      await tx.q.updateTable('rules').set(set).where('id', '=', rule.id).execute();
      journalOf('rule').changed(tx, rule, { before: {}, after: set }, { revertible: false });
    });
    const refused = await app.request('DELETE', `${RULES}/${rule.id}`);
    expect([refused.status, refused.json.error.code]).toEqual([409, 'SYSTEM_RULE']);
    const off = await app.request('PUT', `${RULES}/${rule.id}`, { body: { enabled: false } });
    expect([off.status, off.json.enabled, off.json.creator_name]).toEqual([200, false, 'Homeledger']);
  });
});
