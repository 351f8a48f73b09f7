import { describe, expect, test } from 'vitest';

import { addCounterparty, addMember, addTag, type Made } from '../../../test/harness/ledger.ts';
import { signIn } from '../../../test/harness/people/sessions.ts';
import { forEachDatabase, type Answer, type TestApp } from '../../../test/harness/test-app.ts';
import { ledger, timeline, type Entry } from '../../../test/harness/ledgers/timeline.ts';

const COFFEE = 'food_and_drink_coffee';

const told = (entries: readonly Entry[]): unknown[][] => entries.map(({ kind, body }) => [kind, body]);
const marks = async (app: TestApp, id: string): Promise<unknown[][]> =>
  (await timeline(app, id, { include_deleted: 'true' })).map((entry) => [entry['kind'], entry['is_reverted']]);
const revert = (answer: Answer): string => `/api/v1/change-sets/${String(answer.headers['x-change-set-id'])}/revert`;

forEachDatabase((database) => {
  describe('the timeline', () => {
    test('describes every edit of a transaction in a sentence', async () => {
      const { app, row, edit } = await ledger(database);
      await edit('PATCH', '/category', { category_slug: COFFEE });
      await edit('PATCH', '/category', { category_slug: null });
      await edit('DELETE', '/category');
      await edit('POST', '/flag', { reason: '  two cups?\nSecond line ' });
      await edit('DELETE', '/flag');
      await edit('POST', '/tags', { slug: 'vacation-2026' });
      await edit('DELETE', '/tags/vacation-2026');
      await edit('PUT', '/metadata', { metadata: { b: 1, a: [2] } });
      await edit('PATCH', '/metadata', { set: { c: null }, unset: ['b'] });
      await edit('DELETE', '/metadata/a');
      await edit('DELETE', '');
      await edit('POST', '/restore');
      const entries = await timeline(app, row);
      expect(told(entries)).toEqual([
        ['category_set', 'Test set the category to Food & Drink › Coffee Shops'],
        ['category_set', 'Test set no category'],
        ['category_set', 'Test reset the category to automatic (none)'],
        ['flagged', 'Test flagged it'],
        ['comment', 'Test commented: two cups?'],
        ['unflagged', 'Test removed the flag'],
        ['tag_added', 'Test added the tag Vacation 2026'],
        ['tag_removed', 'Test removed the tag Vacation 2026'],
        ['metadata_changed', 'Test changed metadata: a, b'],
        ['metadata_changed', 'Test changed metadata: b, c'],
        ['metadata_changed', 'Test changed metadata: a'],
        ['transaction_deleted', 'Test deleted this transaction'],
        ['transaction_restored', 'Test restored this transaction'],
      ]);
      const payloads = entries.map(({ payload }) => payload);
      const coffee = (await app.request('GET', `/api/v1/categories/${COFFEE}`)).json;
      const named = { id: coffee.id, slug: COFFEE, name: 'Coffee Shops' };
      expect(payloads).toMatchObject([
        { action: 'set', from: null, to: named, category_source: 'person' },
        { action: 'clear', from: named, to: null, category_source: 'person' },
        { action: 'reset', from: null, to: null, category_source: null },
        { flagged_at: '2026-04-26T06:00:04.000Z' },
        { comment: 'two cups?\nSecond line', edited: false },
        {},
        { slug: 'vacation-2026', name: 'Vacation 2026' },
        { slug: 'vacation-2026', name: 'Vacation 2026' },
        { set: { a: [2], b: 1 }, removed: [] },
        { set: { c: null }, removed: ['b'] },
        { set: {}, removed: ['a'] },
        { cause: 'person' },
        {},
      ]);
      expect(entries[0]).toMatchObject({
        transaction_id: row.id,
        actor_type: 'user',
        actor_name: 'Test',
        surface: 'rest',
        source: 'edit',
        is_reverted: false,
        reverts_change_set_id: null,
        rule_id: null,
        applied_by: null,
        created_at: '2026-04-26T06:00:01.000Z',
      });
    });

    test('describes several facets of one write in their order, each once', async () => {
      const { app, row, call } = await ledger(database);
      await addTag(app, 'work');
      const cafe = await addCounterparty(app, 'Corner Cafe');
      const { json: series } = await call('POST', '/api/v1/series', { name: 'Coffee' });
      const ben = await addMember(app, 'Ben');
      const all = {
        transaction_id: row.id,
        category_slug: 'income',
        counterparty_id: cafe.id,
        series_id: series.id,
        attributed_user_id: ben.id,
        tags_to_add: ['work', 'fun'],
        metadata_set: { a: 1 },
        flagged: true,
        comment: 'all at once',
      };
      const none = {
        transaction_id: row.short_id,
        reset_category: true,
        counterparty_id: null,
        series_id: null,
        attributed_user_id: null,
        tags_to_remove: ['work'],
        flagged: false,
      };
      for (const operation of [all, none])
        await call('POST', '/api/v1/transactions/update', { operations: [operation] });
      const entries = await timeline(app, row);
      expect(told(entries)).toEqual([
        ['category_set', 'Test set the category to Income'],
        ['counterparty_assigned', 'Test set the counterparty to Corner Cafe'],
        ['series_assigned', 'Test linked it to Coffee'],
        ['attributed', 'Test attributed it to Ben'],
        ['tag_added', 'Test added the tag Fun'],
        ['tag_added', 'Test added the tag work'],
        ['metadata_changed', 'Test changed metadata: a'],
        ['flagged', 'Test flagged it'],
        ['comment', 'Test commented: all at once'],
        ['category_set', 'Test reset the category to automatic (none)'],
        ['counterparty_unlinked', 'Test removed the counterparty Corner Cafe'],
        ['series_unlinked', 'Test unlinked it from Coffee'],
        ['unattributed', 'Test removed the attribution to Ben'],
        ['tag_removed', 'Test removed the tag work'],
        ['unflagged', 'Test removed the flag'],
      ]);
      expect(new Set(entries.slice(0, 9).map((entry) => entry['change_set_id'])).size).toBe(1);
      expect(new Set(entries.map(({ id }) => id)).size).toBe(15);
      expect(new Set(entries.map((entry) => entry['short_id'])).size).toBe(15);
      const payloads = entries.slice(1, 4).map(({ payload }) => payload);
      expect(payloads).toMatchObject([
        { counterparty_name: 'Corner Cafe', from: null },
        { series_name: 'Coffee', from: null },
        { user_id: ben.short_id, user_name: 'Ben', account_link_id: null },
      ]);
    });

    test('describes what bulk writes, and writes to referenced entities, did to each row', async () => {
      const { app, row, call } = await ledger(database);
      const make = async (path: string, body: object): Promise<Made> => (await call('POST', path, body)).json as Made;
      const [tea, drinks] = [
        await make('/api/v1/categories', { name: 'Tea' }),
        await make('/api/v1/categories', { name: 'Hot drinks' }),
      ];
      const ids = { transaction_ids: [row.id] };
      await call('POST', '/api/v1/transactions/batch-categorize', { ...ids, category_id: tea.id });
      await call('POST', `/api/v1/categories/${drinks.id}/merge`, { from_category_id: tea.id });
      await call('DELETE', `/api/v1/categories/${drinks.id}?reassign_to=food_and_drink`);
      await call('POST', '/api/v1/transactions/bulk-recategorize', { all: true, overwrite_manual: true });
      await call('POST', '/api/v1/transactions/bulk-recategorize', { all: true, target_category_id: 'income' });
      const [cafe, bakery] = [
        await make('/api/v1/counterparties', { name: 'Cafe', ...ids }),
        await make('/api/v1/counterparties', { name: 'Bakery' }),
      ];
      await call('POST', `/api/v1/counterparties/${bakery.id}/merge`, { from_counterparty_id: cafe.id });
      await call('DELETE', `/api/v1/counterparties/${bakery.id}/transactions/${row.id}`);
      const series = await make('/api/v1/series', { name: 'Bread', ...ids });
      await call('DELETE', `/api/v1/series/${series.id}?unlink=true`);
      await make('/api/v1/tags', { name: 'Work', slug: 'work' });
      await call('POST', `/api/v1/transactions/${row.id}/tags`, { slug: 'work' });
      await call('DELETE', '/api/v1/tags/work');
      const entries = await timeline(app, row);
      expect(told(entries)).toEqual([
        ['category_set', 'Test set the category to Tea'],
        ['category_set', 'Test moved the category from Tea to Hot drinks'],
        ['category_set', 'Test moved the category from Hot drinks to Food & Drink'],
        ['category_set', 'Test reset the category to automatic (none)'],
        ['category_set', 'Test set the category to Income'],
        ['counterparty_assigned', 'Test set the counterparty to Cafe'],
        ['counterparty_assigned', 'Test set the counterparty to Bakery'],
        ['counterparty_unlinked', 'Test removed the counterparty Bakery'],
        ['series_assigned', 'Test linked it to Bread'],
        ['series_unlinked', 'Test unlinked it from Bread'],
        ['tag_added', 'Test added the tag Work'],
        ['tag_removed', 'Test removed the tag Work'],
      ]);
      const actions = entries.slice(0, 5).map((entry) => (entry['payload'] as Entry)['action']);
      expect(actions).toEqual(['set', 'reassign', 'reassign', 'reset', 'set']);
      expect(entries[6]?.['payload']).toMatchObject({
        counterparty_name: 'Bakery',
        from: { id: cafe.id, name: 'Cafe' },
      });
    });

    test('describes what each rule did, apart from what people did', async () => {
      const { app, row, call } = await ledger(database);
      const { json: rule } = await call('POST', '/api/v1/rules', {
        name: 'Rows',
        condition: { field: 'name', op: 'starts_with', value: 'row' },
        actions: [
          { type: 'set_category', category_slug: COFFEE },
          { type: 'add_tag', tag_slug: 'by-rule' },
        ],
      });
      await call('POST', `/api/v1/transactions/${row.id}/tags`, { slug: 'by-hand' });
      await call('POST', `/api/v1/rules/${rule.id}/apply`, {});
      const entries = await timeline(app, row);
      expect(told(entries)).toEqual([
        ['tag_added', 'Test added the tag By Hand'],
        ['category_set', 'Rule "Rows" set the category to Food & Drink › Coffee Shops retroactively'],
        ['tag_added', 'Rule "Rows" added the tag By Rule retroactively'],
      ]);
      expect(entries[1]).toMatchObject({
        source: 'rule',
        actor_type: 'system',
        actor_id: rule.id,
        actor_name: 'Rows',
        rule_id: rule.id,
        rule_name: 'Rows',
        applied_by: 'apply',
      });
      const kinds = async (query: Record<string, string>) => (await timeline(app, row, query)).map(({ body }) => body);
      expect(await kinds({ kind: 'tag_added' })).toHaveLength(2);
      expect(await kinds({ kind: 'tag_added', source: 'rule' })).toEqual([entries[2]?.['body']]);
      expect(await kinds({ actor_type: 'user' })).toEqual([entries[0]?.['body']]);
      expect(await kinds({ actor_type: 'system,user' })).toHaveLength(3);
      const edited = await call('POST', '/api/v1/transactions/bulk-recategorize', { all: true });
      expect(edited.headers['x-change-set-id']).toBeUndefined();
      await call('PATCH', `/api/v1/transactions/${row.id}/category`, { category_slug: 'income' });
      await call('POST', '/api/v1/transactions/bulk-recategorize', { all: true, overwrite_manual: true });
      expect((await timeline(app, row)).at(-1)).toMatchObject({
        body: 'Rule "Rows" set the category to Food & Drink › Coffee Shops on recategorization',
        applied_by: 'recategorize',
      });
    });

    test('begins with the import that created the row', async () => {
      const app = await database.open();
      await addMember(app, 'Ana');
      const csv = 'Date,Description,Amount,Currency\n2026-04-20,Baker,-4.50,EUR\n2026-04-21,Salary,10.00,EUR\n';
      const body = {
        csv_base64: Buffer.from(csv).toString('base64'),
        account_name: 'Checking',
        sign: 'positive_is_in',
        file_name: 'april.csv',
      };
      const done = await app.request('POST', '/api/v1/connections/csv/import', { body });
      expect(done.status, done.text).toBe(201);
      const { json } = await app.request('GET', '/api/v1/transactions', { query: { search: 'baker' } });
      const [row] = json.transactions as [Made];
      const entries = await timeline(app, row);
      expect(told(entries)).toEqual([
        ['imported', 'Test imported this transaction from april.csv'],
        ['tag_added', 'Rule "Mark new transactions for review" added the tag Needs review during import'],
      ]);
      expect(entries[0]).toMatchObject({
        source: 'import',
        payload: { provider: 'csv', import_id: done.json.import.id, file_name: 'april.csv', line: 2 },
        change_set_id: done.json.import.change_set_id,
      });
    });
  });

  describe('undo', () => {
    test('shows on the reverted entry and as an entry of its own, whatever was reverted', async () => {
      const { app, row, edit, call } = await ledger(database);
      const set = await edit('PATCH', '/category', { category_slug: COFFEE });
      const undone = await call('POST', revert(set), {});
      const entries = await timeline(app, row);
      expect(entries).toMatchObject([
        {
          body: 'Test set the category to Food & Drink › Coffee Shops',
          is_reverted: true,
          reverts_change_set_id: null,
        },
        {
          body: 'Test set no category (undo)',
          is_reverted: false,
          source: 'revert',
          reverts_change_set_id: set.headers['x-change-set-id'],
        },
      ]);
      await call('POST', revert(undone), {});
      expect((await timeline(app, row)).map((entry) => entry['is_reverted'])).toEqual([false, true, false]);
    });

    test('of a creation shows on its entry and on what rules did in it', async () => {
      const { app, account, call } = await ledger(database);
      const entered = { account_id: account.id, date: '2026-04-21', amount: '1.00', name: 'Entered' };
      const made = await call('POST', '/api/v1/transactions', entered);
      const undone = await call('POST', revert(made), {});
      expect((await marks(app, made.json.id)).slice(0, 2)).toEqual([
        ['transaction_created', true],
        ['tag_added', true],
      ]);
      await call('POST', revert(undone), {});
      expect((await marks(app, made.json.id)).slice(0, 2)).toEqual([
        ['transaction_created', false],
        ['tag_added', false],
      ]);
    });

    test('of a part of an import shows on the rows that it took back', async () => {
      const { app, account, call } = await ledger(database);
      const csv = 'Date,Description,Amount\n2026-04-20,Baker,-7.25\n2026-04-21,Salary,10.00\n';
      const file = { csv_base64: Buffer.from(csv).toString('base64'), account_id: account.id, sign: 'positive_is_in' };
      const imported = await call('POST', '/api/v1/connections/csv/import', file);
      const find = async (search: string): Promise<Made> =>
        (await app.request('GET', '/api/v1/transactions', { query: { search } })).json.transactions[0] as Made;
      const [baker, salary] = [await find('baker'), await find('salary')];
      await call('PATCH', `/api/v1/transactions/${salary.id}/category`, { category_slug: COFFEE });
      await call('POST', revert(imported), { on_conflict: 'skip' });
      expect((await marks(app, baker.id)).slice(0, 2)).toEqual([
        ['imported', true],
        ['tag_added', true],
      ]);
      expect((await marks(app, salary.id)).slice(0, 2)).toEqual([
        ['imported', false],
        ['tag_added', false],
      ]);
    });

    test('uses the names of the time', async () => {
      const { app, row, edit, call } = await ledger(database);
      const { json: category } = await call('POST', '/api/v1/categories', { name: 'Tea', parent_id: 'food_and_drink' });
      const { json: series } = await call('POST', '/api/v1/series', { name: 'Old', transaction_ids: [row.id] });
      await edit('POST', '/tags', { slug: 'work' });
      await edit('PATCH', '/category', { category_id: category.id });
      await call('PATCH', `/api/v1/categories/${category.id}`, { name: 'Infusions', parent_id: null });
      await call('PATCH', `/api/v1/series/${series.id}`, { name: 'New' });
      await call('PATCH', '/api/v1/tags/work', { name: 'Office' });
      await edit('DELETE', '/tags/work');
      await edit('PATCH', '/category', { category_slug: null });
      await edit('PATCH', '/category', { category_id: category.id });
      await call('DELETE', `/api/v1/series/${series.id}?unlink=true`);
      await call('DELETE', '/api/v1/tags/work');
      await call('POST', '/api/v1/tags', { name: 'Another', slug: 'work' });
      await edit('POST', '/tags', { slug: 'work' });
      expect((await timeline(app, row)).map(({ body }) => body)).toEqual([
        'Test linked it to Old',
        'Test added the tag Work',
        'Test set the category to Food & Drink › Tea',
        'Test removed the tag Office',
        'Test set no category',
        'Test set the category to Infusions',
        'Test unlinked it from New',
        'Test added the tag Another',
      ]);
    });
  });

  describe('who did it', () => {
    test('is a member by the present name, or an agent or key of theirs by its own', async () => {
      const { app, row, path } = await ledger(database);
      const ben = await signIn(app, { name: 'Ben' });
      const keys = await Promise.all([
        app.newKey({ memberId: ben.member.id, actor_type: 'agent', actor_name: 'Reviewer' }),
        app.newKey({ memberId: ben.member.id, actor_name: 'Tablet' }),
        app.newKey({ memberId: ben.member.id, name: 'Script' }),
      ]);
      for (const who of [{ key: null, headers: ben.headers }, ...keys.map(({ key }) => ({ key }))]) {
        const answer = await app.request('POST', `${path}/comments`, { body: { body: 'hello' }, ...who });
        expect(answer.status, answer.text).toBe(201);
      }
      await app.request('PATCH', `/api/v1/users/${ben.member.id}`, { body: { name: 'Benedict' } });
      const entries = await timeline(app, row);
      expect(entries.map((entry) => [entry['actor_user_id'], entry['actor_name'], entry['body']])).toEqual(
        ['Benedict', 'Reviewer', 'Tablet', 'Benedict'].map((name) => [
          ben.member.short_id,
          name,
          `${name} commented: hello`,
        ]),
      );
    });
  });

  describe('comments', () => {
    test('have their own ids; a deleted one keeps its place, not its text', async () => {
      const { app, row, edit } = await ledger(database);
      const long = `${'é'.repeat(130)}\nsecond line`;
      const [first, second] = [
        await edit('POST', '/comments', { body: 'secret' }),
        await edit('POST', '/comments', { body: long }),
      ];
      await edit('PUT', `/comments/${second.json.id}`, { body: `${long}!` });
      const last = (await timeline(app, row)).at(-1) as Entry;
      await edit('DELETE', `/comments/${first.json.id}`);
      const entries = await timeline(app, row);
      expect(entries).toMatchObject([
        { id: first.json.id, short_id: first.json.short_id, kind: 'comment', body: 'Comment deleted' },
        {
          id: second.json.id,
          kind: 'comment',
          body: `Test commented: ${'é'.repeat(120)}…`,
          payload: { comment_id: second.json.id, comment: `${long}!`, edited: true },
        },
        { kind: 'comment_edited', body: 'Test edited a comment', payload: { comment_id: second.json.id } },
        { kind: 'comment_deleted', body: 'Test deleted a comment', payload: { comment_id: first.json.id } },
      ]);
      expect(entries[0]?.['payload']).toEqual({ comment_id: first.json.id, deleted: true });
      expect(JSON.stringify(entries)).not.toContain('secret');
      const news = await timeline(app, row, { after: String(last['id']) });
      expect(news.map(({ kind }) => kind)).toEqual(['comment_deleted']);
    });
  });
});
