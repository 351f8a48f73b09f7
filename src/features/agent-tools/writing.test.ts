import { beforeAll, expect, test } from 'vitest';

import { askTool, refusalOf } from '../../../test/harness/agents/agents.ts';
import { addAccount, addMember, addTransactions, type Made } from '../../../test/harness/ledger.ts';
import { forEachDatabase, type TestApp } from '../../../test/harness/test-app.ts';

const GROCERIES = 'food_and_drink_groceries';
const COFFEE = 'food_and_drink_coffee';

forEachDatabase((database) => {
  let app: TestApp;
  let rows: Made[];

  const ask = (name: string, input: Readonly<Record<string, unknown>>) => askTool(app, name, input);
  const get = async (path: string) => (await app.request('GET', `/api/v1${path}`)).json;
  const newestSet = async () => (await get('/change-sets?limit=1')).change_sets[0];
  const countSets = async (): Promise<number> => (await get('/change-sets?limit=500')).change_sets.length;

  beforeAll(async () => {
    app = await database.open();
    const owner = await addMember(app, 'Ana');
    const account = await addAccount(app, owner);
    const names = ['CORNER CAFE', 'CORNER CAFE 2', 'MARKET', 'MARKET', 'CINEMA'];
    rows = await addTransactions(
      app,
      names.map((name, index) => ({ account, date: `2026-01-0${index + 1}`, amount_cents: 1_000 + index, name })),
    );
  });

  test('update_transactions writes all of a call in one change set, or nothing', async () => {
    const [one, two] = rows as [Made, Made];
    const before = await countSets();
    const tooMany = Array.from({ length: 501 }, () => ({ transaction_id: one.id, flagged: true }));
    expect(await refusalOf(ask('update_transactions', { operations: tooMany }))).toMatchObject({
      code: 'VALIDATION_ERROR',
    });
    const unknown = { operations: [{ transaction_id: one.id, category_slug: COFFEE, color: 'red' }] };
    expect((await refusalOf(ask('update_transactions', unknown))).message).toMatch(
      /^operations\[0\]\.color: unknown field/,
    );
    const bad = [one, two, { id: 'zzzzzzzz' }].map(({ id }) => ({ transaction_id: id, category_slug: COFFEE }));
    expect(await refusalOf(ask('update_transactions', { operations: bad }))).toMatchObject({
      code: 'BATCH_ABORTED',
      members: { failed: 1, results: [{ status: 'rolled_back' }, { status: 'rolled_back' }, { status: 'error' }] },
    });
    expect(await countSets()).toBe(before);
    const done = await ask('update_transactions', { operations: bad.slice(0, 2), reason: 'weekly review' });
    expect(done).toMatchObject({ succeeded: 2, failed: 0, dry_run: false });
    expect(await newestSet()).toMatchObject({
      short_id: done.change_set_id,
      action: 'transactions.update',
      surface: 'mcp',
    });
    expect(await countSets()).toBe(before + 1);
  });

  test('a comment that an agent sends again is there once; what is new beside it is written', async () => {
    const [, , row] = rows as [Made, Made, Made];
    const comment = { transaction_id: row.short_id, comment: ' Looks right. ' };
    const lost = { operations: [comment, { transaction_id: 'zzzzzzzz', flagged: true }], on_error: 'continue' };
    expect(await ask('update_transactions', lost)).toMatchObject({ results: [{ changed: true }, { status: 'error' }] });
    const again = await ask('update_transactions', { operations: [{ ...comment, flagged: true }, comment] });
    expect(again.results).toMatchObject([{ changed: true }, { status: 'ok', changed: false }]);
    expect(await ask('update_transactions', lost)).toMatchObject({ results: [{ changed: false }, {}] });
    const comments = await get(`/transactions/${row.id}/comments`);
    expect(comments.map(({ body }: { body: string }) => body)).toEqual(['Looks right.']);
    app.clock.advance(25 * 3_600_000);
    expect(await ask('update_transactions', { operations: [comment] })).toMatchObject({ results: [{ changed: true }] });
  });

  test('bulk_recategorize writes only what its caller has counted', async () => {
    const target = { target_category_id: COFFEE, filter: { search: 'market' } };
    const before = await countSets();
    for (const filter of [{}, { search_mode: 'words' }, { search: '' }]) {
      const refused = await refusalOf(ask('bulk_recategorize', { ...target, filter }));
      expect(refused).toMatchObject({ code: 'VALIDATION_ERROR' });
      expect(refused.message).not.toContain('all: true');
    }
    const dry = await ask('bulk_recategorize', target);
    expect(dry).toMatchObject({ matched: 2, updated: 2, dry_run: true });
    expect(dry.message).toContain('dry_run false and expected_count 2');
    expect((await refusalOf(ask('bulk_recategorize', { ...target, dry_run: false }))).message).toMatch(
      /^expected_count: /,
    );
    const wrong = { ...target, dry_run: false, expected_count: 3 };
    expect(await refusalOf(ask('bulk_recategorize', wrong))).toMatchObject({ code: 'CONFLICT' });
    const unknown = { ...target, filter: { account_id: 'zzzzzzzz' } };
    expect(await refusalOf(ask('bulk_recategorize', unknown))).toMatchObject({
      code: 'INVALID_PARAMETER',
      message: expect.stringMatching(/^filter\.account_id: /) as string,
    });
    expect(await countSets()).toBe(before);
    const done = await ask('bulk_recategorize', { ...wrong, expected_count: 2 });
    expect(done).toMatchObject({ matched: 2, updated: 2, dry_run: false, change_set_id: (await newestSet()).short_id });
    expect(done).not.toHaveProperty('message');
  });

  test('save_tag and save_category create once and change what is there', async () => {
    expect(await ask('save_tag', { slug: 'trip-2026' })).toMatchObject({
      created: true,
      tag: { slug: 'trip-2026', name: 'Trip 2026' },
    });
    expect(await newestSet()).toMatchObject({ action: 'tag.create' });
    const renamed = { slug: 'trip-2026', name: 'The trip' };
    expect(await ask('save_tag', renamed)).toMatchObject({ created: false, tag: { name: 'The trip' } });
    const before = await countSets();
    expect(await ask('save_tag', renamed)).toMatchObject({ created: false });
    expect(await refusalOf(ask('save_tag', { slug: 'No Slug' }))).toMatchObject({ code: 'VALIDATION_ERROR' });
    expect(await countSets()).toBe(before);

    const parents = ['food_and_drink', 'transportation'];
    const [food, travel] = await Promise.all(
      parents.map((parent_id) => ask('save_category', { name: 'Snacks', parent_id })),
    );
    expect([food.created, travel.created]).toEqual([true, true]);
    expect(food.category.id).not.toBe(travel.category.id);
    const again = await ask('save_category', { name: ' snacks ', parent_id: 'food_and_drink', kind: 'expense' });
    expect(again).toEqual({ ...food, created: false });
    const other = await refusalOf(
      ask('save_category', { name: 'Snacks', parent_id: 'food_and_drink', color: '#112233' }),
    );
    expect(other).toMatchObject({ code: 'CONFLICT' });
    expect(other.message).toContain(`category_id ${food.category.id}`);
    const changed = await ask('save_category', { category_id: food.category.id, color: '#112233' });
    expect(changed).toMatchObject({ created: false, category: { color: '#112233' } });
    expect(await refusalOf(ask('save_category', { name: 'X', parent_id: 'nowhere' }))).toMatchObject({
      code: 'INVALID_PARAMETER',
    });
    expect(await refusalOf(ask('save_category', { kind: 'income' }))).toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  test('create_rules stores what REST would have stored, and stores it once', async () => {
    const rule = (merchant: string) => ({
      name: `${merchant} is groceries`,
      condition: { field: 'merchant_name', op: 'eq', value: 'Corner Market' },
      actions: [
        { type: 'set_category', category_slug: GROCERIES },
        { type: 'assign_counterparty', counterparty_name: merchant, create_if_missing: true },
      ],
      triggers: ['manual'],
    });
    const { json: byRest } = await app.request('POST', '/api/v1/rules', { body: rule('Rest Market') });
    const dry = await ask('create_rules', { rules: [rule('Tool Market')], dry_run: true });
    expect(dry).toMatchObject({ dry_run: true });
    expect(dry.rules[0]).not.toHaveProperty('id');
    const dryTwice = await ask('create_rules', { rules: [rule('Tool Market'), rule('Tool Market')], dry_run: true });
    expect(dryTwice.rules[1]).toEqual({ ...dryTwice.rules[0], existing: true });
    const expired = { ...rule('Tool Market'), expires_at: '2020-01-01T00:00:00Z' };
    for (const dry_run of [true, false]) {
      const refused = await refusalOf(ask('create_rules', { rules: [rule('Tool Market'), expired], dry_run }));
      expect(refused.message).toBe('rules[1].expires_at: must be in the future');
    }
    const made = await ask('create_rules', { rules: [rule('Tool Market'), rule('Tool Market')], reason: 'asked for' });
    expect(made.rules[1]).toEqual({ ...made.rules[0], existing: true });
    expect(await newestSet()).toMatchObject({ short_id: made.change_set_id, action: 'rules.batch_create' });
    const byTool = await get(`/rules/${made.rules[0].id}`);
    const own = ['id', 'short_id', 'created_at', 'updated_at', 'name', 'actions'];
    const shared = (record: object) =>
      Object.fromEntries(Object.entries(record).filter(([name]) => !own.includes(name)));
    expect(shared(byTool)).toEqual(shared(byRest));
    expect(byTool.actions).toEqual([
      byRest.actions[0],
      { type: 'assign_counterparty', counterparty_id: expect.any(String) as string, counterparty_name: 'Tool Market' },
    ]);
    const before = await countSets();
    const again = await ask('create_rules', { rules: [rule('Tool Market')] });
    expect(again.rules).toMatchObject([{ id: made.rules[0].id, existing: true }]);
    expect(again).not.toHaveProperty('change_set_id');
    const wrong = { rules: [rule('Other'), { ...rule('Other'), condition: { field: 'nothing', op: 'eq', value: 1 } }] };
    expect((await refusalOf(ask('create_rules', wrong))).message).toMatch(/^rules\[1\]\.condition/);
    expect(await countSets()).toBe(before);
    await ask('update_rule', { rule_id: made.rules[0].id, enabled: false });
    const anew = await ask('create_rules', { rules: [rule('Tool Market')] });
    expect(anew.rules[0].id).not.toBe(made.rules[0].id);
    const gone = await ask('delete_rule', { rule_id: anew.rules[0].id });
    expect(gone).toEqual({ status: 'deleted', rule_id: anew.rules[0].id });
    expect(await refusalOf(ask('delete_rule', { rule_id: anew.rules[0].id }))).toMatchObject({ code: 'NOT_FOUND' });
  });
});
