import { expect, test } from 'vitest';

import {
  addAccount,
  addMember,
  addTransactions,
  type Made,
  type NewTransaction,
} from '../../../test/harness/ledger.ts';
import { allRows } from '../../../test/harness/table-rows.ts';
import { forEachDatabase, type Answer, type TestApp } from '../../../test/harness/test-app.ts';

const GROCERIES = 'food_and_drink_groceries';
const COFFEE = 'food_and_drink_coffee';
const PREVIEW = '/api/v1/rules/preview';
const market = { field: 'name', op: 'starts_with', value: 'corner market' };
const toGroceries = { type: 'set_category', category_slug: GROCERIES };

type Row = Omit<NewTransaction, 'account' | 'amount_cents'> & { amount_cents?: number };

async function household(app: TestApp, rows: readonly Row[]): Promise<Made[]> {
  const account = await addAccount(app, await addMember(app, 'Ada'));
  return addTransactions(
    app,
    rows.map((row) => ({ account, amount_cents: 1_000, ...row })),
  );
}

const MARKETS: readonly Row[] = ['CORNER MARKET 114', 'Corner Market 7', 'Café Crème', 'Rent'].map((name, index) => ({
  name,
  date: `2026-04-0${index + 1}`,
}));

async function create(app: TestApp, body: Record<string, unknown>): Promise<Record<string, string>> {
  const made = await app.request('POST', '/api/v1/rules', { body });
  expect(made.status, made.text).toBe(201);
  return made.json;
}

const choose = (app: TestApp, id: string, slug: string | null): Promise<Answer> =>
  app.request('PATCH', `/api/v1/transactions/${id}/category`, { body: { category_slug: slug } });

forEachDatabase((database) => {
  test('a preview shows what a rule would do and stores nothing', async () => {
    const app = await database.open();
    const [first, second] = (await household(app, MARKETS)) as [Made, Made];
    await choose(app, second.id, 'travel');
    const before = await allRows(app.app.instance.database, []);
    const body = {
      condition: market,
      actions: [
        toGroceries,
        { type: 'add_tag', tag_slug: 'not-there-yet' },
        { type: 'assign_series', series_name: 'New series', create_if_missing: true },
        { type: 'assign_counterparty', counterparty_name: 'New shop', create_if_missing: true },
        { type: 'set_metadata', metadata_key: 'a.b', metadata_value: null },
        { type: 'flag' },
        { type: 'add_comment', content: 'Seen' },
      ],
    };
    const { status, json } = await app.request('POST', PREVIEW, { body });
    expect(status).toBe(200);
    expect(json).toMatchObject({ match_count: 2, change_count: 2, skipped_count: 1, total_scanned: 4 });
    expect([json.truncated, json.conflicts]).toEqual([false, []]);
    const [newest, oldest] = json.sample_matches;
    expect([newest.transaction.id, oldest.transaction.id]).toEqual([second.id, first.id]);
    expect(newest.skipped).toEqual([{ action: 0, reason: 'locked' }]);
    expect(newest.transaction.category_source).toBe('person');
    expect(oldest.changes).toEqual([
      { field: 'category', before: null, after: GROCERIES },
      { field: 'category_source', before: null, after: 'rule' },
      { field: 'series', before: null, after: { id: null, name: 'New series' } },
      { field: 'counterparty', before: null, after: { id: null, name: 'New shop' } },
      { field: 'tag:not-there-yet', before: null, after: true },
      { field: 'metadata.a.b', before: null, after: { value: null } },
      { field: 'flagged', before: false, after: true },
      { field: 'comment', before: null, after: 'Seen' },
    ]);
    expect(await allRows(app.app.instance.database, [])).toEqual(before);
  });

  test('a preview of an empty body matches everything; a wrong body is refused', async () => {
    const app = await database.open();
    await household(app, MARKETS);
    const all = (await app.request('POST', PREVIEW, { body: {} })).json;
    expect(all).toMatchObject({ match_count: 4, change_count: 0, skipped_count: 0, total_scanned: 4 });
    expect(all.sample_matches.map((one: { changes: unknown }) => one.changes)).toEqual([[], [], [], []]);
    const one = (await app.request('POST', PREVIEW, { body: { sample_size: 1, enabled: false } })).json;
    expect(one.sample_matches.map((match: { transaction: Made }) => match.transaction)).toMatchObject([
      { name: 'Rent' },
    ]);
    for (const [body, code, path] of [
      [{ sample_size: 0 }, 'VALIDATION_ERROR', 'sample_size'],
      [{ sample_size: 51 }, 'VALIDATION_ERROR', 'sample_size'],
      [{ id: 'x' }, 'VALIDATION_ERROR', 'id'],
      [{ condition: { and: [market, { field: 'nothing', op: 'eq' }] } }, 'VALIDATION_ERROR', 'condition.and[1].field'],
      [{ actions: [{ type: 'remove_tag', tag_slug: 'gone' }] }, 'INVALID_PARAMETER', 'actions[0].tag_slug'],
      [{ actions: [{ type: 'nothing' }] }, 'VALIDATION_ERROR', 'actions[0].type'],
    ] as const) {
      const answer = await app.request('POST', PREVIEW, { body });
      expect([answer.status, answer.json.error.code]).toEqual([400, code]);
      expect(answer.json.error.details[0].path).toBe(path);
    }
  });

  test('rules that set different values on the same rows list each other, with opposite winners', async () => {
    const app = await database.open();
    const [first, second] = (await household(app, MARKETS)) as [Made, Made];
    const early = await create(app, { name: 'Groceries', condition: market, actions: [toGroceries], priority: 10 });
    const toCoffee = { type: 'set_category', category_slug: COFFEE };
    const late = await create(app, {
      name: 'Coffee',
      condition: { field: 'name', op: 'contains', value: 'market' },
      actions: [toCoffee, { type: 'add_tag', tag_slug: 'x' }],
    });
    await create(app, {
      name: 'Elsewhere',
      condition: { field: 'name', op: 'eq', value: 'rent' },
      actions: [toCoffee],
    });
    await create(app, { name: 'Same', condition: market, actions: [toGroceries], enabled: false });
    const conflictsOf = async ({ short_id: id }: Record<string, string>): Promise<Record<string, unknown>> =>
      (await app.request('GET', `/api/v1/rules/${id}/conflicts`)).json;
    const common = { facet: 'category', overlap_count: 2, sample_transaction_ids: [second.id, first.id] };
    expect(await conflictsOf(early)).toEqual({
      rule_id: early['id'],
      conflicts: [
        {
          rule_id: late['id'],
          short_id: late['short_id'],
          name: 'Coffee',
          priority: 100,
          this_value: GROCERIES,
          other_value: COFFEE,
          winner: 'other',
          ...common,
        },
      ],
      total_scanned: 4,
      truncated: false,
    });
    expect((await conflictsOf(late))['conflicts']).toMatchObject([
      { rule_id: early['id'], this_value: COFFEE, other_value: GROCERIES, winner: 'this', ...common },
    ]);
    await app.request('PATCH', `/api/v1/rules/${early['id']}`, { body: { stop: true } });
    expect((await conflictsOf(early))['conflicts']).toMatchObject([{ winner: 'this' }]);
    const body = { condition: market, actions: [{ type: 'remove_tag', tag_slug: 'x' }], include_conflicts: true };
    expect((await app.request('POST', PREVIEW, { body })).json.conflicts).toMatchObject([
      { rule_id: late['id'], facet: 'tag:x', this_value: null, other_value: true, winner: 'this', overlap_count: 2 },
    ]);
    await app.request('PATCH', `/api/v1/rules/${late['id']}`, { body: { enabled: false } });
    expect((await conflictsOf(early))['conflicts']).toEqual([]);
    expect((await conflictsOf(late))['conflicts']).toHaveLength(1);
  });

  test('what a person chose three times is suggested, until a rule does it', async () => {
    const app = await database.open();
    const merchants = [
      'Corner Cafe',
      'CORNER CAFÉ',
      'corner cafe',
      'Gym',
      'Gym',
      'Shop',
      'Shop',
      'Shop',
      'Corner Cafe',
    ];
    const made = await household(
      app,
      merchants.map((merchant, index) => ({ name: 'Card', merchant_name: merchant, date: `2026-03-0${index + 1}` })),
    );
    const chosen = [COFFEE, COFFEE, COFFEE, COFFEE, COFFEE, COFFEE, COFFEE, 'travel'];
    for (const [index, slug] of chosen.entries()) await choose(app, (made[index] as Made).id, slug);
    const before = await allRows(app.app.instance.database, []);
    const suggest = async (body: unknown = {}): Promise<Record<string, unknown>[]> =>
      (await app.request('POST', '/api/v1/rules/suggest', { body })).json.suggestions;
    const [found, ...more] = await suggest();
    expect(more).toEqual([]);
    expect(found).toMatchObject({
      text: 'corner cafe',
      basis: 'merchant_name',
      category_slug: COFFEE,
      transaction_count: 3,
      last_date: '2026-03-03',
      would_change_count: 1,
      rule: { condition: { field: 'merchant_name', op: 'eq', value: 'corner cafe' } },
    });
    expect(await suggest({ min_count: 2, limit: 1 })).toHaveLength(1);
    expect((await suggest({ min_count: 2 })).map(({ text }) => text)).toEqual(['corner cafe', 'Gym']);
    expect(await suggest({ since: '2026-03-02' })).toEqual([]);
    expect(await allRows(app.app.instance.database, [])).toEqual(before);
    const { id } = await create(app, found?.['rule'] as Record<string, unknown>);
    expect(await suggest()).toEqual([]);
    expect((await app.request('POST', `/api/v1/rules/${id}/apply`, { body: {} })).json.affected_count).toBe(1);
    for (const body of [{ min_count: 1 }, { min_count: 51 }, { limit: 0 }, { limit: 101 }, { since: '2026-02-30' }]) {
      const answer = await app.request('POST', '/api/v1/rules/suggest', { body });
      expect([answer.status, answer.json.error.code]).toEqual([400, 'VALIDATION_ERROR']);
    }
  });

  test("a rule's history has every run in which it matched, newest first", async () => {
    const app = await database.open();
    await household(app, MARKETS);
    const { id, short_id: shortId } = await create(app, {
      name: 'Groceries',
      condition: market,
      actions: [toGroceries],
    });
    await create(app, { name: 'No', condition: { field: 'name', op: 'eq', value: 'x' }, actions: [toGroceries] });
    const applied = (await app.request('POST', `/api/v1/rules/${id}/apply`, { body: {} })).json;
    app.clock.advance(1_000);
    await app.request('POST', `/api/v1/rules/${id}/apply`, { body: { dry_run: true } });
    await app.request('POST', '/api/v1/rules/apply-all', { body: {} });
    const path = `/api/v1/rules/${shortId}/sync-history`;
    const ids = { sync_id: null, import_id: null, institution: null };
    const { history } = (await app.request('GET', path)).json;
    expect(history).toEqual([
      expect.objectContaining({ ...ids, run_type: 'apply_all', change_set_id: null, hit_count: 2, changed_count: 0 }),
      {
        ...ids,
        run_type: 'apply',
        change_set_id: applied.change_set_id,
        started_at: '2026-04-26T06:00:00.000Z',
        status: 'success',
        hit_count: 2,
        changed_count: 2,
      },
    ]);
    expect((await app.request('GET', path, { query: { run_type: 'sync,apply' } })).json.history).toEqual([history[1]]);
    expect((await app.request('GET', path, { query: { limit: 1 } })).json.history).toEqual([history[0]]);
    for (const query of [{ limit: 0 }, { limit: 101 }, { run_type: 'x' }, { surprise: 1 }]) {
      const answer = await app.request('GET', path, { query });
      expect([answer.status, answer.json.error.code]).toEqual([400, 'INVALID_PARAMETER']);
    }
  });

  test('explain shows who decided each value, and what the rules would do now', async () => {
    const app = await database.open();
    const [first] = (await household(app, MARKETS)) as [Made];
    const tag = { type: 'add_tag', tag_slug: 'market' };
    const rule = await create(app, { name: 'Groceries', condition: market, actions: [toGroceries, tag], stop: true });
    const later = await create(app, { name: 'All', actions: [{ type: 'flag' }], triggers: ['retroactive'] });
    const path = `/api/v1/transactions/${first.short_id}/explain`;
    const explain = async (query: Record<string, string> = {}): Promise<Answer['json']> =>
      (await app.request('GET', path, { query })).json;
    const before = await explain();
    expect(before.fields.map((one: { field: string; source: string }) => [one.field, one.source])).toEqual([
      ['category', null],
      ['series', null],
      ['counterparty', null],
      ['flagged', null],
    ]);
    const would = [
      { field: 'category', before: null, after: GROCERIES },
      { field: 'category_source', before: null, after: 'rule' },
      { field: 'tag:market', before: null, after: true },
    ];
    expect([before.transaction_id, before.would_change]).toEqual([first.id, would]);
    expect(before.rules).toEqual([
      {
        id: rule['id'],
        short_id: rule['short_id'],
        name: 'Groceries',
        priority: 100,
        enabled: true,
        matches: true,
        effect: `set category ${GROCERIES}; add tag market`,
        actions: [
          { action: 0, type: 'set_category', result: 'changes' },
          { action: 1, type: 'add_tag', result: 'changes' },
        ],
        trace: {
          path: 'condition',
          kind: 'leaf',
          field: 'name',
          op: 'starts_with',
          expected: 'corner market',
          actual: 'CORNER MARKET 114',
          result: true,
        },
      },
    ]);
    const all = (await explain({ include: 'all' })).rules;
    expect(all[1]).toMatchObject({ id: later['id'], matches: null, trace: null, actions: [{ result: 'not_run' }] });

    const { change_set_id: runId } = (await app.request('POST', `/api/v1/rules/${rule['id']}/apply`, { body: {} }))
      .json;
    const applied = await explain();
    const byRule = {
      source: 'rule',
      locked: false,
      by: { type: 'system', id: rule['id'], name: 'Groceries' },
      rule_id: rule['id'],
      rule_name: 'Groceries',
      rule_exists: true,
      rule_changed_since: false,
      change_set_id: runId,
      at: '2026-04-26T06:00:00.000Z',
    };
    expect(applied.fields[0]).toEqual({ field: 'category', value: GROCERIES, ...byRule });
    expect(applied.fields[4]).toEqual({ field: 'tag:market', value: true, ...byRule });
    expect(applied.would_change).toEqual([]);

    app.clock.advance(1_000);
    const chosen = await choose(app, first.id, 'travel');
    await app.request('DELETE', `/api/v1/transactions/${first.id}/tags/market`);
    const byPerson = await explain({ rule_id: String(rule['short_id']) });
    expect(byPerson.fields[0]).toMatchObject({ value: 'travel', source: 'person', locked: true, rule_id: null });
    expect(byPerson.fields[4]).toMatchObject({ field: 'tag:market', value: null, source: 'person', locked: true });
    expect(byPerson.rules[0].actions.map((one: { result: string }) => one.result)).toEqual(['locked', 'locked']);

    const undo = `/api/v1/change-sets/${String(chosen.headers['x-change-set-id'])}/revert`;
    await app.request('POST', undo, { body: {} });
    await app.request('PATCH', `/api/v1/rules/${rule['id']}`, { body: { condition: {} } });
    const undone = { field: 'category', value: GROCERIES, ...byRule, rule_changed_since: true };
    expect((await explain()).fields[0]).toEqual(undone);
    await app.request('DELETE', `/api/v1/rules/${rule['id']}`);
    const gone = { rule_id: rule['id'], rule_name: 'Groceries', rule_exists: false, rule_changed_since: null };
    expect((await explain()).fields[0]).toMatchObject(gone);
    const unknown = await app.request('GET', path, { query: { rule_id: String(rule['id']) } });
    expect([unknown.status, unknown.json.error.code]).toEqual([400, 'INVALID_PARAMETER']);
    await app.request('DELETE', `/api/v1/transactions/${first.id}`);
    expect((await app.request('GET', path)).status).toBe(404);
  });
});
