import { expect, test } from 'vitest';

import { csvOf, importFile, previewFile } from '../../../../test/harness/bank-files/bank-files.ts';
import { addMember, type Made } from '../../../../test/harness/ledger.ts';
import { rowsOf } from '../../../../test/harness/table-rows.ts';
import { forEachDatabase, type Answer, type TestApp } from '../../../../test/harness/test-app.ts';
import { journalOf } from '../../../journal/journal-of.ts';

const CAFE = 'food_and_drink_coffee';
const GROCERIES = 'food_and_drink_groceries';
const COFFEE = '2026-02-02 COFFEE BAR -3.50';
const FUEL = '2026-02-05 FUEL -40.00';
const ALL = ['sync', 'create', 'retroactive', 'manual'];
const isCoffee = { field: 'name', op: 'contains', value: 'coffee' };

type Fields = Readonly<Record<string, unknown>>;
interface Transaction extends Made {
  name: string;
  tags: string[];
  category: { slug: string } | null;
  category_source: string | null;
}

const category = (slug: string): Fields => ({ type: 'set_category', category_slug: slug });
const tag = (slug: string, type = 'add_tag'): Fields => ({ type, tag_slug: slug });
/** Rows whose ids stay: they prove those of the others. */
const ENDS = ['2026-02-01,START,-1.50,r3,Posted', '2026-02-09,END,-1.00,r2,Posted'];
const pendingFile = (...rows: readonly string[]): string =>
  `Date,Description,Amount,Transaction ID,Status\n${rows.join('\n')}\n`;

forEachDatabase((database) => {
  async function household(): Promise<TestApp> {
    const app = await database.open();
    await addMember(app, 'Ana');
    const { rules } = (await app.request('GET', '/api/v1/rules')).json;
    for (const { id } of rules) await app.request('PATCH', `/api/v1/rules/${id}`, { body: { enabled: false } });
    return app;
  }

  const load = (app: TestApp, text: string, fields: Fields = {}): Promise<Answer> => {
    app.clock.advance(1_000);
    return importFile(app, text, { account_name: 'Checking', ...fields });
  };
  async function rule(app: TestApp, name: string, fields: Fields): Promise<string> {
    app.clock.advance(1_000);
    const body = { name, condition: isCoffee, triggers: ALL, ...fields };
    const made = await app.request('POST', '/api/v1/rules', { body });
    expect([made.status, made.json.error]).toEqual([201, undefined]);
    return made.json.id;
  }
  const named = async (app: TestApp, name: string): Promise<Transaction> =>
    (await app.request('GET', '/api/v1/transactions', { query: { limit: 500 } })).json.transactions.find(
      (one: Transaction) => one.name === name,
    );
  const hits = async (app: TestApp, id: string): Promise<number> =>
    (await app.request('GET', `/api/v1/rules/${id}`)).json.hit_count;
  const timeline = async (app: TestApp, { id }: Made): Promise<Record<string, unknown>[]> =>
    (await app.request('GET', `/api/v1/transactions/${id}/annotations`)).json;
  const comments = async (app: TestApp, { id }: Made): Promise<string[]> =>
    (await app.request('GET', `/api/v1/transactions/${id}/comments`)).json.map((one: { body: string }) => one.body);

  test('every action of a rule works on a new row and shows in its timeline', async () => {
    const app = await household();
    const series = (await app.request('POST', '/api/v1/series', { body: { name: 'Mornings', type: 'other' } })).json;
    const id = await rule(app, 'Coffee', {
      actions: [
        category(CAFE),
        tag('treat'),
        { type: 'assign_series', series_id: series.id },
        { type: 'assign_counterparty', counterparty_name: 'The Bar', create_if_missing: true },
        { type: 'set_metadata', metadata_key: 'cups', metadata_value: 2 },
        { type: 'flag' },
        { type: 'add_comment', content: 'Again' },
      ],
    });
    const done = await load(app, csvOf(COFFEE, FUEL));
    const row = await named(app, 'COFFEE BAR');
    expect(row).toMatchObject({
      category: { slug: CAFE },
      category_source: 'rule',
      tags: ['treat'],
      series_id: series.id,
      counterparty_name: 'The Bar',
      metadata: { cups: 2 },
      flagged_at: new Date(app.clock.now()).toISOString(),
    });
    expect(await comments(app, row)).toEqual(['Again']);
    expect(await named(app, 'FUEL')).toMatchObject({ category: null, tags: [], flagged_at: null });
    const [locks] = await rowsOf(app.app.instance.database, `select locks from transactions where id = '${row.id}'`);
    expect(locks).toEqual({ locks: '[]' });

    const [first, ...effects] = await timeline(app, row);
    expect(first?.['kind']).toBe('imported');
    expect(effects.map(({ kind }) => String(kind)).sort()).toEqual([
      'category_set',
      'comment',
      'counterparty_assigned',
      'flagged',
      'metadata_changed',
      'series_assigned',
      'tag_added',
    ]);
    for (const entry of effects) {
      expect(entry).toMatchObject({
        source: 'rule',
        actor_type: 'system',
        actor_id: id,
        actor_name: 'Coffee',
        rule_id: id,
        rule_name: 'Coffee',
        applied_by: 'import',
        change_set_id: done.headers['x-change-set-id'],
      });
    }
    expect(effects.find(({ kind }) => kind === 'category_set')?.['body']).toBe(
      'Rule "Coffee" set the category to Food & Drink › Coffee Shops during import',
    );
    const set = (await app.request('GET', `/api/v1/change-sets/${String(done.headers['x-change-set-id'])}`)).json;
    expect(set).toMatchObject({ source: 'import', action: 'import.create' });
    const ofRow = set.changes.filter((one: Fields) => one['transaction_id'] === row.id);
    expect(ofRow.map((one: Fields) => [one['entity_type'], one['operation'], one['source'], one['rule_id']])).toEqual([
      ['comment', 'create', 'rule', id],
      ['transaction', 'create', 'import', null],
    ]);
    const [run] = (await app.request('GET', `/api/v1/rules/${id}/sync-history`)).json.history;
    expect(run).toMatchObject({
      run_type: 'import',
      import_id: done.json.import.id,
      change_set_id: done.json.import.change_set_id,
      status: 'success',
      hit_count: 1,
      changed_count: 1,
      institution: done.json.institution_name,
    });
    expect((await app.request('GET', `/api/v1/rules/${id}`)).json).toMatchObject({
      hit_count: 1,
      last_hit_at: run.started_at,
    });
  });

  test('rules run in order, each on the result of the earlier ones, until one stops the rest', async () => {
    const app = await household();
    await rule(app, 'Later', { priority: 20, actions: [category(CAFE)] });
    await rule(app, 'Early', { priority: 10, actions: [category('travel'), tag('x'), tag('gone')] });
    const tagged = { field: 'tags', op: 'contains', value: 'x' };
    await rule(app, 'On the tag', { priority: 15, condition: tagged, actions: [tag('y'), tag('gone', 'remove_tag')] });
    await rule(app, 'Too early', { priority: 5, condition: tagged, actions: [tag('z')] });
    const stop = await rule(app, 'Stop', {
      priority: 12,
      condition: { field: 'amount', op: 'gt', value: 100 },
      actions: [tag('big')],
      stop: true,
    });
    await load(app, csvOf(COFFEE, '2026-02-06 COFFEE MACHINE -400.00'));
    const row = await named(app, 'COFFEE BAR');
    expect([row.category?.slug, row.tags]).toEqual([CAFE, ['x', 'y']]);
    const entries = await timeline(app, row);
    expect(entries.map(({ kind, rule_name: name }) => [kind, name])).toEqual([
      ['imported', null],
      ['tag_added', 'Early'],
      ['tag_added', 'On the tag'],
      ['category_set', 'Later'],
    ]);
    const machine = await named(app, 'COFFEE MACHINE');
    expect([machine.category?.slug, machine.tags]).toEqual(['travel', ['big', 'gone', 'x']]);
    expect(await hits(app, stop)).toBe(1);
  });

  test('rules see what the file gives: category, tags, notes', async () => {
    const app = await household();
    await app.request('POST', '/api/v1/tags', { body: { name: 'Holiday' } });
    await rule(app, 'By category', {
      condition: { field: 'category', op: 'eq', value: GROCERIES },
      actions: [tag('food')],
    });
    await rule(app, 'By tag', {
      condition: { field: 'tags', op: 'contains', value: 'holiday' },
      actions: [{ type: 'flag' }, tag('holiday', 'remove_tag')],
    });
    await rule(app, 'By note', {
      condition: { field: 'metadata.note', op: 'contains', value: 'gift' },
      actions: [{ type: 'set_metadata', metadata_key: 'for', metadata_value: 'Ben' }],
    });
    await rule(app, 'Confirms', {
      condition: { field: 'category', op: 'eq', value: GROCERIES },
      actions: [category(GROCERIES)],
    });
    const file = 'Date,Description,Amount,Category,Tags,Notes\n2026-02-02,SHOP,-3.50,Groceries,"Holiday,Kids",A gift\n';
    await load(app, file, { import_tags: true, import_notes: true });
    const row = await named(app, 'SHOP');
    expect(row).toMatchObject({
      category: { slug: GROCERIES },
      category_source: 'rule',
      flagged_at: expect.any(String),
      metadata: { note: 'A gift', for: 'Ben' },
    });
    expect(row.tags).toEqual(['food', 'kids']);
    const confirmed = (await timeline(app, row)).find(({ kind }) => kind === 'category_set');
    expect(confirmed).toMatchObject({ rule_name: 'Confirms', payload: { to: { slug: GROCERIES } } });
  });

  test('create runs on new rows, sync also on changed rows, and neither on unchanged ones', async () => {
    const app = await household();
    const create = await rule(app, 'Create', { triggers: ['create'], actions: [tag('created')] });
    const sync = await rule(app, 'Sync', { triggers: ['sync'], actions: [tag('synced')] });
    const others = [
      await rule(app, 'Retroactive', { triggers: ['retroactive', 'manual'], actions: [tag('never')] }),
      await rule(app, 'Disabled', { enabled: false, actions: [tag('never')] }),
    ];
    const options = { pending: 'import' };
    const first = await load(
      app,
      pendingFile('2026-02-02,COFFEE,-3.50,r1,Pending', '2026-02-05,END,-1.00,r2,Posted'),
      options,
    );
    expect(first.json.import.counts).toMatchObject({ added: 2, pending: 1 });
    const row = await named(app, 'COFFEE');
    expect(row.tags).toEqual(['created', 'synced']);
    for (const slug of row.tags) await app.request('DELETE', `/api/v1/tags/${slug}`, { query: { detach: true } });
    expect([await hits(app, create), await hits(app, sync)]).toEqual([1, 1]);

    const last = pendingFile('2026-02-04,COFFEE,-3.50,r1,Posted', '2026-02-05,END,-1.00,r2,Posted');
    const posted = await load(app, last, options);
    expect(posted.json.import.counts).toMatchObject({ updated: 1, duplicate: 1 });
    expect([await hits(app, create), await hits(app, sync)]).toEqual([1, 2]);
    const same = await load(app, last, options);
    expect(same.json.import.change_set_id).toBeNull();
    expect([await hits(app, create), await hits(app, sync)]).toEqual([1, 2]);
    for (const id of others) expect(await hits(app, id)).toBe(0);

    await app.request('POST', `/api/v1/imports/${first.json.import.id}/revert`, { body: { on_conflict: 'skip' } });
    await app.request('POST', `/api/v1/imports/${posted.json.import.id}/revert`, { body: {} });
    await app.request('POST', `/api/v1/imports/${first.json.import.id}/revert`, { body: {} });
    const again = await load(app, last, options);
    expect(again.json.import.counts).toMatchObject({ added: 2 });
    expect([await hits(app, create), await hits(app, sync)]).toEqual([1, 3]);
  });

  test('a rule acts until the last millisecond before it expires', async () => {
    const app = await household();
    const expires = app.clock.now() + 60_000;
    const actions = [tag('x')];
    const id = await rule(app, 'Short-lived', { expires_at: new Date(expires).toISOString(), actions });
    const loadAt = async (at: number, text: string): Promise<void> => {
      app.clock.advance(at - app.clock.now());
      expect((await importFile(app, text)).json.import.counts).toMatchObject({ added: 1 });
    };
    await loadAt(expires - 1, csvOf(COFFEE));
    expect(await hits(app, id)).toBe(1);
    await loadAt(expires, csvOf('2026-02-03 COFFEE -1.00'));
    expect(await hits(app, id)).toBe(1);
  });

  test('a decision of a person or agent stays, unless the rule may overwrite it', async () => {
    const app = await household();
    await rule(app, 'Coffee', { actions: [category(CAFE), tag('treat')] });
    const strong = await rule(app, 'Strong', { enabled: false, overwrite_manual: true, actions: [category('travel')] });
    const options = { pending: 'import' };
    const file = (status: string, day: string): string =>
      pendingFile(`2026-02-${day},COFFEE,-3.50,r1,${status}`, ...ENDS);
    await load(app, file('Pending', '02'), options);
    const row = await named(app, 'COFFEE');
    expect([row.category?.slug, row.tags]).toEqual([CAFE, ['treat']]);
    await app.request('PATCH', `/api/v1/transactions/${row.id}/category`, { body: { category_slug: GROCERIES } });
    await app.request('DELETE', `/api/v1/transactions/${row.id}/tags/treat`);
    const posted = await load(app, file('Posted', '03'), options);
    expect(posted.json.import.counts).toMatchObject({ updated: 1 });
    const kept = await named(app, 'COFFEE');
    expect([kept.id, kept.category?.slug, kept.category_source, kept.tags]).toEqual([row.id, GROCERIES, 'person', []]);

    await app.request('PATCH', `/api/v1/rules/${strong}`, { body: { enabled: true } });
    const changed = await load(app, file('Posted', '04'), options);
    expect(changed.json.import.counts).toMatchObject({ updated: 1 });
    expect(await named(app, 'COFFEE')).toMatchObject({ category: { slug: 'travel' }, category_source: 'rule' });
    const undone = await app.request('POST', `/api/v1/imports/${changed.json.import.id}/revert`, { body: {} });
    expect(undone.json).toMatchObject({ reverted_count: 1, restored_count: 1 });
    expect(await named(app, 'COFFEE')).toMatchObject({ category: { slug: GROCERIES }, category_source: 'person' });
    expect(await named(app, 'COFFEE')).toMatchObject({ date: '2026-02-03' });
    const [locks] = await rowsOf(app.app.instance.database, `select locks from transactions where id = '${row.id}'`);
    expect(locks).toEqual({ locks: '["category","tag:treat"]' });
  });

  test('a rule adds each comment once, even when its row comes back', async () => {
    const app = await household();
    const comment = { type: 'add_comment', content: 'Look' };
    const id = await rule(app, 'Says', { actions: [comment] });
    await load(app, csvOf(COFFEE, FUEL));
    const row = await named(app, 'COFFEE BAR');
    const [{ id: said }] = (await app.request('GET', `/api/v1/transactions/${row.id}/comments`)).json;
    await app.request('DELETE', `/api/v1/transactions/${row.id}/comments/${said}`);
    await app.write('test.withdraw', async (tx) => {
      const gone = { deleted_at: tx.now, deleted_cause: 'provider' };
      await tx.q.updateTable('transactions').set(gone).where('id', '=', row.id).execute();
      journalOf('transaction').changed(tx, row, { before: {}, after: {} }, { revertible: false });
    });
    const back = await load(app, csvOf(COFFEE, FUEL));
    expect(back.json.import.counts).toMatchObject({ added: 1, duplicate: 1 });
    expect([await hits(app, id), await comments(app, row)]).toEqual([2, []]);
    const changes = { actions: [comment, { type: 'add_comment', content: 'Look again' }] };
    await app.request('PATCH', `/api/v1/rules/${id}`, { body: changes });
    await app.request('POST', `/api/v1/rules/${id}/apply`, { body: {} });
    expect(await comments(app, row)).toEqual(['Look again']);
  });

  test('previews and imports without rules do not count as runs, and the rules can be run later', async () => {
    const app = await household();
    const id = await rule(app, 'Coffee', { actions: [category(CAFE), tag('treat')] });
    await previewFile(app, csvOf(COFFEE));
    await load(app, csvOf(COFFEE), { dry_run: true });
    const done = await load(app, csvOf(COFFEE), { run_rules: false });
    expect(done.json.import.options.run_rules).toBe(false);
    const row = await named(app, 'COFFEE BAR');
    expect([row.category, row.tags, await hits(app, id)]).toEqual([null, [], 0]);
    expect((await timeline(app, row)).map(({ kind }) => kind)).toEqual(['imported']);
    await app.request('POST', '/api/v1/rules/apply-all', { body: {} });
    expect([(await named(app, 'COFFEE BAR')).tags, await hits(app, id)]).toEqual([['treat'], 1]);
  });

  test('reverting an import undoes everything its rules did, but not their counters', async () => {
    const app = await household();
    await load(app, pendingFile('2026-02-02,COFFEE,-3.50,r1,Posted'), { run_rules: false });
    const before = await named(app, 'COFFEE');
    const id = await rule(app, 'Coffee', {
      actions: [category(CAFE), tag('treat'), { type: 'add_comment', content: 'Rule' }, { type: 'flag' }],
    });
    const file = pendingFile('2026-02-02,COFFEE HOUSE,-3.60,r1,Posted', '2026-02-03,COFFEE,-2.00,r2,Posted');
    const done = await load(app, file);
    expect(done.json.import.counts).toMatchObject({ added: 1, updated: 1 });
    const changed = await named(app, 'COFFEE HOUSE');
    expect(changed).toMatchObject({
      id: before.id,
      category: { slug: CAFE },
      tags: ['treat'],
      flagged_at: expect.any(String),
    });
    const entries = await timeline(app, changed);
    expect(entries.map(({ kind }) => kind)).toContain('import_updated');
    expect(entries.filter((entry) => entry['rule_id'] === id)).toHaveLength(4);
    const page = (await app.request('GET', `/api/v1/change-sets/${String(done.headers['x-change-set-id'])}`)).json;
    expect(page).toMatchObject({ created_count: 3, updated_count: 2 });

    await app.request('POST', '/api/v1/rules/apply-all', { body: {} });
    const undone = await app.request('POST', `/api/v1/imports/${done.json.import.id}/revert`, { body: {} });
    expect(undone.json).toMatchObject({ deleted_count: 1, restored_count: 1, import: { status: 'reverted' } });
    const restored = await named(app, 'COFFEE');
    expect({ ...restored, updated_at: null }).toEqual({ ...before, updated_at: null });
    expect(await comments(app, before)).toEqual([]);
    expect(await hits(app, id)).toBe(4);

    const set = String(undone.headers['x-change-set-id']);
    expect((await app.request('POST', `/api/v1/change-sets/${set}/revert`, { body: {} })).status).toBe(200);
    expect(await named(app, 'COFFEE HOUSE')).toMatchObject({
      category: { slug: CAFE },
      tags: ['treat'],
      flagged_at: expect.any(String),
    });
    expect(await comments(app, before)).toEqual(['Rule']);
  });
});
