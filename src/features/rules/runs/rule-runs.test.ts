import { expect, test } from 'vitest';

import {
  addAccount,
  addMember,
  addTransactions,
  categoryBySlug,
  type Made,
  type NewTransaction,
} from '../../../../test/harness/ledger.ts';
import { forEachDatabase, type Answer, type TestApp } from '../../../../test/harness/test-app.ts';
import { journalOf } from '../../../journal/journal-of.ts';

const GROCERIES = 'food_and_drink_groceries';
const COFFEE = 'food_and_drink_coffee';
const APPLY_ALL = '/api/v1/rules/apply-all';

type Row = Omit<NewTransaction, 'account' | 'amount_cents' | 'date'>;

async function household(app: TestApp, rows: readonly Row[]): Promise<Made[]> {
  const account = await addAccount(app, await addMember(app, 'Ada'));
  return addTransactions(
    app,
    rows.map((row, index) => ({ account, amount_cents: 1_000, date: `2026-04-0${index + 1}`, ...row })),
  );
}

async function rule(app: TestApp, actions: object[], more: object = {}): Promise<Answer['json']> {
  const answer = await app.request('POST', '/api/v1/rules', { body: { name: 'Rule', actions, ...more } });
  expect(answer.status, answer.text).toBe(201);
  return answer.json;
}

const to = (slug: string): object => ({ type: 'set_category', category_slug: slug });
const tag = (type: 'add_tag' | 'remove_tag', slug: string): object => ({ type, tag_slug: slug });
const named = (text: string): object => ({ field: 'name', op: 'contains', value: text });
const apply = async (app: TestApp, id: string, body: object = {}): Promise<Answer['json']> =>
  (await app.request('POST', `/api/v1/rules/${id}/apply`, { body })).json;
const applyAll = async (app: TestApp, body: object = {}): Promise<Answer['json']> =>
  (await app.request('POST', APPLY_ALL, { body })).json;
const row = async (app: TestApp, { id }: Made): Promise<Answer['json']> =>
  (await app.request('GET', `/api/v1/transactions/${id}`)).json;
const timeline = async (app: TestApp, { id }: Made): Promise<Answer['json']> =>
  (await app.request('GET', `/api/v1/transactions/${id}/annotations`)).json;
const patch = (app: TestApp, path: string, body: object): Promise<Answer> =>
  app.request('PATCH', `/api/v1/${path}`, { body });

forEachDatabase((database) => {
  test('disabled and expired rules never act; a rule that expires at T acts a millisecond before', async () => {
    const app = await database.open();
    await household(app, [{ name: 'Row' }]);
    const soon = await rule(app, [{ type: 'flag' }], { expires_at: '2026-04-26T06:00:00.002Z' });
    const off = await rule(app, [tag('add_tag', 'off')], { enabled: false });
    const noReach = await rule(app, [tag('add_tag', 'new-only')], { triggers: ['create'] });
    app.clock.advance(1);
    expect(await applyAll(app)).toMatchObject({ affected_count: 1, rules_applied: { [soon.id]: 1 } });
    app.clock.advance(1);
    const nothing = { matched_count: 0, total_scanned: 0, rules: [], change_set_id: null };
    for (const body of [{ dry_run: true }, {}]) expect(await applyAll(app, body)).toMatchObject(nothing);
    for (const { id } of [soon, off, noReach]) {
      for (const body of [{}, { dry_run: true }]) {
        const refused = await app.request('POST', `/api/v1/rules/${id}/apply`, { body });
        expect([refused.status, refused.json.error.code]).toEqual([409, 'RULE_NOT_APPLICABLE']);
      }
    }
  });

  test('the category of the later rule wins, by priority and then by creation, with one entry', async () => {
    const app = await database.open();
    const [first] = (await household(app, [{ name: 'Row' }])) as [Made];
    const late = await rule(app, [to(COFFEE)], { name: 'Late', priority: 200 });
    const same = [await rule(app, [tag('add_tag', 'a')]), await rule(app, [tag('remove_tag', 'a')])];
    const early = await rule(app, [to(GROCERIES)], { name: 'Early', priority: 0 });
    const { json: rehearsed } = await app.request('POST', APPLY_ALL, { body: { dry_run: true } });
    const done = await applyAll(app);
    const order = [early, ...same, late].map(({ id }) => id);
    expect(done.rules.map((one: { rule_id: string }) => one.rule_id)).toEqual(order);
    expect(done.rules.map((one: { affected_count: number }) => one.affected_count)).toEqual([0, 0, 0, 1]);
    expect(rehearsed.rules).toEqual(done.rules);
    expect(done).toMatchObject({ affected_count: 1, total_affected: 1, matched_count: 1, sample_matches: [] });
    expect(await row(app, first)).toMatchObject({ category: { slug: COFFEE }, category_source: 'rule', tags: [] });
    expect(await timeline(app, first)).toMatchObject([
      { kind: 'category_set', source: 'rule', rule_id: late.id, rule_name: 'Late', applied_by: 'apply_all' },
    ]);
  });

  test('a rule sees what earlier rules of the run did, and not what later ones do', async () => {
    const app = await database.open();
    const [first] = (await household(app, [{ name: 'Row' }])) as [Made];
    const tagger = await rule(app, [tag('add_tag', 'x')], { priority: 1 });
    await rule(app, [to(COFFEE)], { priority: 2, condition: { field: 'tags', op: 'contains', value: 'x' } });
    await patch(app, `rules/${tagger.id}`, { priority: 3 });
    expect((await applyAll(app, { dry_run: true })).rules).toHaveLength(1);
    await patch(app, `rules/${tagger.id}`, { priority: 1 });
    expect((await applyAll(app)).rules).toHaveLength(2);
    expect(await row(app, first)).toMatchObject({ category: { slug: COFFEE }, tags: ['x'] });
  });

  test('a tag that one rule adds and another removes is removed from rows that had it, and leaves no trace on others', async () => {
    const app = await database.open();
    await app.request('POST', '/api/v1/tags', { body: { slug: 'x', name: 'X' } });
    const [had, hadNot] = (await household(app, [{ name: 'A' }, { name: 'B' }])) as [Made, Made];
    const key = (await app.newKey({ name: 'system', actor_type: 'system' })).key;
    await app.request('POST', `/api/v1/transactions/${had.id}/tags`, { body: { slug: 'x' }, key });
    const before = (await timeline(app, had)).length;
    await rule(app, [tag('add_tag', 'x')], { priority: 1 });
    await rule(app, [tag('remove_tag', 'x')], { priority: 2 });
    expect(await applyAll(app)).toMatchObject({ affected_count: 1, matched_count: 2 });
    expect((await row(app, had)).tags).toEqual([]);
    expect((await timeline(app, had)).slice(before)).toMatchObject([{ kind: 'tag_removed' }]);
    expect(await timeline(app, hadNot)).toEqual([]);
  });

  test('what a person, an agent or a bulk edit chose survives every run, unless a rule or run overwrites it', async () => {
    const app = await database.open();
    const rows = await household(app, [{ name: 'A' }, { name: 'B' }, { name: 'C' }, { name: 'D' }]);
    const [person, agent, bulk, cleared] = rows as [Made, Made, Made, Made];
    const category = { body: { category_slug: 'travel' } };
    await app.request('PATCH', `/api/v1/transactions/${person.id}/category`, category);
    const { key } = await app.newKey({ name: 'Bot', actor_type: 'agent' });
    await app.request('PATCH', `/api/v1/transactions/${agent.id}/category`, { ...category, key });
    await app.request('POST', '/api/v1/transactions/bulk-recategorize', {
      body: { transaction_ids: [bulk.id], target_category_id: 'travel' },
    });
    await app.request('PATCH', `/api/v1/transactions/${cleared.id}/category`, { body: { category_id: null } });
    const one = await rule(app, [to(COFFEE), { type: 'flag' }]);
    const kept = { matched_count: 4, affected_count: 4, skipped_count: 4 };
    expect(await apply(app, one.id)).toMatchObject(kept);
    expect(await applyAll(app)).toMatchObject({ ...kept, affected_count: 0 });
    const slugs = async (): Promise<unknown[]> => {
      const found: unknown[] = [];
      for (const each of rows) found.push((await row(app, each)).category?.slug ?? null);
      return found;
    };
    expect(await slugs()).toEqual(['travel', 'travel', 'travel', null]);
    const forced = await apply(app, one.id, { overwrite_manual: true });
    expect(forced).toMatchObject({ affected_count: 4, skipped_count: 0 });
    expect(await slugs()).toEqual([COFFEE, COFFEE, COFFEE, COFFEE]);
    // The lock is gone: a rule without overwrite_manual may change it now.
    const other = await rule(app, [to(GROCERIES)]);
    expect(await apply(app, other.id)).toMatchObject({ affected_count: 4, skipped_count: 0 });
    await app.request('POST', `/api/v1/change-sets/${forced.change_set_id}/revert`, { body: { on_conflict: 'skip' } });
    const own = await rule(app, [to('travel')], { overwrite_manual: true });
    await app.request('PATCH', `/api/v1/transactions/${person.id}/category`, { body: { category_slug: COFFEE } });
    expect((await applyAll(app)).skipped_count).toBe(1);
    expect(await row(app, person)).toMatchObject({ category: { slug: 'travel' }, category_source: 'rule' });
    expect((await app.request('GET', `/api/v1/rules/${own.id}`)).json.overwrite_manual).toBe(true);
  });

  test('a tag that a person removed stays off; a category set by a rule is not locked', async () => {
    const app = await database.open();
    const [first] = (await household(app, [{ name: 'Row' }])) as [Made];
    const { id } = await rule(app, [tag('add_tag', 'x'), to(COFFEE)]);
    await apply(app, id);
    await app.request('DELETE', `/api/v1/transactions/${first.id}/tags/x`);
    expect(await apply(app, id)).toMatchObject({ affected_count: 0, skipped_count: 1 });
    expect(await row(app, first)).toMatchObject({ tags: [], category_source: 'rule' });
    const { fields } = (await app.request('GET', `/api/v1/transactions/${first.id}/explain`)).json;
    expect(fields[0]).toMatchObject({ field: 'category', source: 'rule', locked: false });
  });

  test('stop hides all later rules, for the rows that match', async () => {
    const app = await database.open();
    const [stopped, other] = (await household(app, [{ name: 'Stop here' }, { name: 'Go on' }])) as [Made, Made];
    await rule(app, [{ type: 'flag' }], { priority: 1, stop: true, condition: named('stop') });
    await rule(app, [tag('add_tag', 'x')], { priority: 2 });
    expect(await applyAll(app)).toMatchObject({ matched_count: 2, affected_count: 2 });
    expect([(await row(app, stopped)).tags, (await row(app, other)).tags]).toEqual([[], ['x']]);
  });

  test('applying a rule again changes nothing but its hits', async () => {
    const app = await database.open();
    const [first] = (await household(app, [
      { name: 'A', columns: { flagged_at: '2026-01-01T00:00:00.000Z' } },
      { name: 'B' },
    ])) as [Made];
    const actions = [
      { type: 'flag' },
      { type: 'set_metadata', metadata_key: 'k', metadata_value: null },
      { type: 'remove_metadata', metadata_key: 'absent' },
      { type: 'add_comment', content: ' Look here ' },
      tag('add_tag', 'x'),
    ];
    const { id, short_id: shortId } = await rule(app, actions);
    const done = await apply(app, shortId);
    expect(done).toMatchObject({ rule_id: id, matched_count: 2, affected_count: 2 });
    const record = await row(app, first);
    expect(record).toMatchObject({ metadata: { k: null }, flagged_at: '2026-01-01T00:00:00.000Z', name: 'A' });
    const entries = await timeline(app, first);
    expect(new Set(entries.map((one: { rule_id: string }) => one.rule_id))).toEqual(new Set([id]));
    expect(entries).toContainEqual(expect.objectContaining({ kind: 'comment', actor_id: id }));
    expect((await app.request('GET', `/api/v1/transactions/${first.id}/comments`)).json).toMatchObject([
      { body: 'Look here', author_type: 'system', author_id: id, author_name: 'Rule' },
    ]);
    app.clock.advance(1_000);
    const again = await app.request('POST', `/api/v1/rules/${id}/apply`, { body: {} });
    expect(again.json).toMatchObject({ matched_count: 2, affected_count: 0, change_set_id: null });
    expect(again.headers['x-change-set-id']).toBeUndefined();
    expect([await row(app, first), await timeline(app, first)]).toEqual([record, entries]);
    const stored = (await app.request('GET', `/api/v1/rules/${id}`)).json;
    expect(stored).toMatchObject({ hit_count: 4, last_hit_at: '2026-04-26T06:00:01.000Z' });
    expect(stored.updated_at).toBe(stored.created_at);
  });

  test('a deleted comment is not added again; another text is, once', async () => {
    const app = await database.open();
    const [first] = (await household(app, [{ name: 'A' }])) as [Made];
    const { id } = await rule(app, [{ type: 'add_comment', content: 'One' }]);
    const comments = async (): Promise<Answer['json']> =>
      (await app.request('GET', `/api/v1/transactions/${first.id}/comments`)).json;
    await apply(app, id);
    const [made] = await comments();
    await app.request('DELETE', `/api/v1/transactions/${first.id}/comments/${made.id}`);
    expect((await apply(app, id, { dry_run: true })).affected_count).toBe(0);
    const explained = (await app.request('GET', `/api/v1/transactions/${first.id}/explain`)).json;
    expect(explained).toMatchObject({ would_change: [], rules: [{ actions: [{ result: 'no_change' }] }] });
    expect((await apply(app, id)).affected_count).toBe(0);
    expect((await applyAll(app)).affected_count).toBe(0);
    await patch(app, `rules/${id}`, { actions: [{ type: 'add_comment', content: 'Two' }] });
    expect([(await apply(app, id)).affected_count, (await apply(app, id)).affected_count]).toEqual([1, 0]);
    expect((await comments()).map((one: { body: string }) => one.body)).toEqual(['Two']);
  });

  test('conditions see owners, accounts, categories and tags in every kind of run, even without a connection', async () => {
    const app = await database.open();
    const [ada, ben, cleo] = [await addMember(app, 'Ada'), await addMember(app, 'Ben'), await addMember(app, 'Cleo')];
    const account = await addAccount(app, ada, { name: 'Joint' });
    const override = await addAccount(app, ada, { name: 'Own', override: ben });
    const lost = await addAccount(app, ada, { name: 'Lost', override: ben });
    const day = { date: '2026-04-01', amount_cents: 1 };
    const rows = await addTransactions(app, [
      { ...day, account, name: 'of Ada' },
      { ...day, account: override, name: 'of Ben' },
      { ...day, account, name: 'of Cleo', attributed: cleo },
      { ...day, account: lost, name: 'of Ben, lost', category: await categoryBySlug(app, COFFEE) },
    ]);
    await app.write('test.lose', async (tx) => {
      await tx.q.updateTable('accounts').set({ connection_id: null }).where('id', '=', lost.id).execute();
      journalOf('account').changed(tx, lost, { before: {}, after: {} }, { revertible: false });
    });
    const conditions: [object, number[]][] = [
      [{ field: 'user_id', op: 'eq', value: ada.short_id }, [0]],
      [{ field: 'user_id', op: 'eq', value: ben.short_id }, [1, 3]],
      [{ field: 'user_name', op: 'eq', value: 'cleo' }, [2]],
      [{ field: 'account_name', op: 'in', value: ['lost', 'OWN'] }, [1, 3]],
      [{ field: 'category', op: 'eq', value: COFFEE }, [3]],
      [{ field: 'category_kind', op: 'eq', value: 'expense' }, [3]],
      [{ field: 'account_id', op: 'eq', value: account.id }, [0, 2]],
      [{ field: 'merchant_name', op: 'neq', value: 'x' }, [0, 1, 2, 3]],
      [{ field: 'metadata.k', op: 'neq', value: 'x' }, []],
      [{ field: 'provider', op: 'eq', value: 'csv' }, [0, 1, 2, 3]],
    ];
    for (const [index, [condition, expected]] of conditions.entries()) {
      const actions = [tag('add_tag', `t${index}`)];
      const { id } = await rule(app, actions, { condition, triggers: ['manual'] });
      const preview = (await app.request('POST', '/api/v1/rules/preview', { body: { condition, actions } })).json;
      const explained: number[] = [];
      for (const [place, each] of rows.entries()) {
        const { json } = await app.request('GET', `/api/v1/transactions/${each.id}/explain`, {
          query: { rule_id: id },
        });
        if (json.rules[0].matches === true) explained.push(place);
      }
      const done = await apply(app, id);
      expect([condition, preview.match_count, explained, done.matched_count]).toEqual([
        condition,
        expected.length,
        expected,
        expected.length,
      ]);
      const query = { query: { tag: `t${index}` } };
      const tagged = (await app.request('GET', '/api/v1/transactions', query)).json.transactions as Made[];
      expect(tagged.map(({ id: one }) => rows.findIndex((each) => each.id === one)).toSorted((a, b) => a - b)).toEqual(
        expected,
      );
    }
  });

  test('records that rules refer to can be renamed, merged or archived', async () => {
    const app = await database.open();
    const [first] = (await household(app, [{ name: 'A' }])) as [Made];
    const category = async (slug: string): Promise<Made> =>
      (await app.request('POST', '/api/v1/categories', { body: { slug, name: slug, kind: 'expense' } })).json;
    const [old, target] = [await category('old_one'), await category('new_one')];
    const { id } = await rule(app, [to('old_one')], { condition: { field: 'category', op: 'neq', value: 'old_one' } });
    await patch(app, `categories/${old.id}`, { name: 'Renamed' });
    const merged = await app.request('POST', `/api/v1/categories/${target.id}/merge`, {
      body: { from_category_id: old.id },
    });
    expect(merged.status, merged.text).toBe(200);
    const stored = async (): Promise<Answer['json']> => (await app.request('GET', `/api/v1/rules/${id}`)).json;
    expect(await stored()).toMatchObject({ condition: { value: 'new_one' }, actions: [{ category_slug: 'new_one' }] });
    const undo = `/api/v1/change-sets/${String(merged.headers['x-change-set-id'])}/revert`;
    expect((await app.request('POST', undo, { body: {} })).status).toBe(200);
    expect(await stored()).toMatchObject({ condition: { value: 'old_one' }, actions: [{ category_slug: 'old_one' }] });
    await patch(app, `categories/${old.id}`, { archived: true });
    expect(await apply(app, id)).toMatchObject({ matched_count: 1, affected_count: 0, skipped_count: 1 });
    const explained = await app.request('GET', `/api/v1/transactions/${first.id}/explain`);
    expect(explained.json.rules[0].actions).toEqual([{ action: 0, type: 'set_category', result: 'archived' }]);
    const again = await app.request('POST', '/api/v1/rules', { body: { name: 'X', actions: [to('old_one')] } });
    expect([again.status, again.json.error.code]).toEqual([400, 'VALIDATION_ERROR']);
  });

  test('rules skip deleted rows, but not pending ones or those of excluded accounts', async () => {
    const app = await database.open();
    const account = await addAccount(app, await addMember(app, 'Ada'), { excluded: true });
    const [gone, pending] = (await addTransactions(app, [
      { account, date: '2026-04-01', amount_cents: 1, name: 'Gone' },
      { account, date: '2026-04-02', amount_cents: 1, name: 'Pending', columns: { pending: 1 } },
    ])) as [Made, Made];
    await app.request('DELETE', `/api/v1/transactions/${gone.id}`);
    const { id } = await rule(app, [{ type: 'flag' }]);
    expect(await apply(app, id)).toMatchObject({ matched_count: 1, total_scanned: 1 });
    expect((await row(app, pending)).flagged_at).not.toBeNull();
    expect((await app.request('POST', '/api/v1/rules/preview', { body: {} })).json.total_scanned).toBe(1);
    await app.request('POST', `/api/v1/transactions/${gone.id}/restore`);
    expect((await row(app, gone)).flagged_at).toBeNull();
  });

  test('an action that would exceed the limit of metadata is skipped', async () => {
    const app = await database.open();
    await household(app, [{ name: 'A' }]);
    const set = (key: string): object => ({
      type: 'set_metadata',
      metadata_key: key,
      metadata_value: 'x'.repeat(4_000),
    });
    const { id } = await rule(app, [set('a'), set('b')]);
    expect(await apply(app, id)).toMatchObject({ affected_count: 1, skipped_count: 0 });
    const third = await rule(app, [set('c'), { type: 'flag' }]);
    const preview = await app.request('POST', '/api/v1/rules/preview', { body: { actions: [set('c')] } });
    expect(preview.json.sample_matches[0].skipped).toEqual([{ action: 0, reason: 'limit' }]);
    expect(await apply(app, third.id)).toMatchObject({ affected_count: 1, skipped_count: 1 });
  });

  test('what a deleted rule did stays, with its name in the timeline', async () => {
    const app = await database.open();
    const [first] = (await household(app, [{ name: 'A' }])) as [Made];
    const { id } = await rule(app, [{ type: 'flag' }], { name: 'Flagger' });
    await apply(app, id);
    const gone = await app.request('DELETE', `/api/v1/rules/${id}`);
    expect((await timeline(app, first)).at(-1)).toMatchObject({ rule_id: id, rule_name: 'Flagger' });
    expect((await app.request('GET', `/api/v1/rules/${id}/sync-history`)).status).toBe(404);
    const undo = `/api/v1/change-sets/${String(gone.headers['x-change-set-id'])}/revert`;
    await app.request('POST', undo, { body: {} });
    expect((await app.request('GET', `/api/v1/rules/${id}`)).json).toMatchObject({ id, hit_count: 1 });
    expect((await app.request('GET', `/api/v1/rules/${id}/sync-history`)).json.history).toHaveLength(1);
  });

  test('a key that may only read cannot run, preview or suggest rules', async () => {
    const app = await database.open();
    const { id } = await rule(app, [{ type: 'flag' }]);
    for (const [method, path] of [
      ['POST', 'rules/preview'],
      ['POST', `rules/${id}/apply`],
      ['POST', 'rules/apply-all'],
      ['POST', 'rules/suggest'],
      ['POST', 'rules/batch'],
      ['POST', 'rules'],
      ['PUT', `rules/${id}`],
      ['PATCH', `rules/${id}`],
      ['DELETE', `rules/${id}`],
    ] as const) {
      const answer = await app.request(method, `/api/v1/${path}`, { body: {}, key: app.readOnlyKey });
      expect([path, answer.status]).toEqual([path, 403]);
    }
    for (const path of [`rules/${id}/conflicts`, `rules/${id}/sync-history`, 'rules']) {
      expect((await app.request('GET', `/api/v1/${path}`, { key: app.readOnlyKey })).status).toBe(200);
    }
  });
});
