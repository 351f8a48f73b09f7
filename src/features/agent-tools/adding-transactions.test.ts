import { beforeEach, expect, test } from 'vitest';

import { askTool, refusalOf } from '../../../test/harness/agents/agents.ts';
import { csvOf, takeFile } from '../../../test/harness/bank-files/bank-files.ts';
import { addMember, type Made } from '../../../test/harness/ledger.ts';
import { timeline } from '../../../test/harness/ledgers/timeline.ts';
import { forEachDatabase, type Answer, type TestApp } from '../../../test/harness/test-app.ts';

const API = '/api/v1';
const CAFE = { date: '2026-04-25', amount: '4.50', name: 'Corner Cafe' };

forEachDatabase((database) => {
  let app: TestApp;
  let giro: Made;
  let agent: string;
  let writer: string;

  beforeEach(async () => {
    app = await database.open();
    await addMember(app, 'Ana');
    giro = (await post('/accounts', { name: 'Giro', iso_currency_code: 'EUR' })).json;
    agent = (await app.newKey({ name: 'Desk', scope: 'propose', actor_type: 'agent' })).key;
    writer = (await app.newKey({ name: 'Clerk', actor_type: 'agent' })).key;
    for (const { id } of (await get('/rules')).rules as Made[]) {
      await app.request('PATCH', `${API}/rules/${id}`, { body: { enabled: false } });
    }
  });

  const post = (path: string, body: object = {}): Promise<Answer> => app.request('POST', `${API}${path}`, { body });
  const get = async (path: string): Promise<Answer['json']> => (await app.request('GET', `${API}${path}`)).json;
  const rows = async (): Promise<Answer['json'][]> => (await get('/transactions?limit=500')).transactions;
  const add = (key: string, items: readonly object[], more: object = {}) =>
    askTool(
      app,
      'add_transactions',
      { transactions: items.map((item) => ({ account_id: giro.short_id, ...CAFE, ...item })), ...more },
      { key },
    );
  const approve = (id: string, body: object = {}): Promise<Answer> => post(`/proposals/${id}/approve`, body);
  const importCafe = () => takeFile(app, csvOf('2026-04-25 Corner Cafe -4.50'));

  test('adds rows as POST /transactions does, all or none, and says what it has added already', async () => {
    const done = await add(writer, [{}, {}, { name: 'Kiosk', amount: '2.00', tags: ['cash'], comment: 'Paper' }], {
      reason: 'a walk',
    });
    expect(done.transactions).toMatchObject([
      { date: '2026-04-25', amount: '4.50', name: 'Corner Cafe', account_id: giro.short_id },
      { name: 'Corner Cafe' },
      { name: 'Kiosk', tags: ['cash'] },
    ]);
    expect(await get(`/change-sets/${done.change_set_id}`)).toMatchObject({
      action: 'transactions.create',
      surface: 'mcp',
      reason: 'a walk',
      summary: 'Created 3 transactions by hand',
    });
    app.clock.advance(23 * 3_600_000);
    const again = await add(writer, [{}, {}, {}, { name: 'KIOSK', amount: '2' }]);
    expect(again.transactions.map((one: { existing?: boolean }) => one.existing ?? false)).toEqual([
      true,
      true,
      false,
      true,
    ]);
    expect(await rows()).toHaveLength(4);
    const other = (await app.newKey({ name: 'Other', actor_type: 'agent' })).key;
    expect((await add(other, [{}])).transactions[0].existing).toBeUndefined();
    app.clock.advance(25 * 3_600_000);
    expect((await add(writer, [{}])).transactions[0].existing).toBeUndefined();
    expect(await rows()).toHaveLength(6);
    const bad = await refusalOf(add(writer, [{ name: 'Fresh' }, { amount: '1,5' }]));
    expect([bad.code, bad.message]).toEqual([
      'VALIDATION_ERROR',
      expect.stringContaining('transactions[1].amount: must be'),
    ]);
    const unknown = await refusalOf(add(writer, [{ name: 'Fresh' }, { name: 'Other', category_slug: 'nothing' }]));
    expect([unknown.code, unknown.message]).toEqual([
      'INVALID_PARAMETER',
      expect.stringContaining('transactions[1].category_slug'),
    ]);
    expect(await rows()).toHaveLength(6);
  });

  test('an account that a bank feeds takes none, also if that came after the proposal', async () => {
    const feed = (provider: string): Promise<unknown> =>
      app.write('test.account', async (tx) => {
        tx.journal.allowUnjournaled('account');
        await tx.q.updateTable('accounts').set({ provider }).execute();
      });
    await feed('teller');
    expect((await refusalOf(add(writer, [{}]))).code).toBe('CONFLICT');
    await feed('csv');
    const { proposal_id: id } = await add(agent, [{}]);
    await feed('teller');
    const refused = await approve(id);
    expect([refused.status, refused.json.error.details[0]]).toMatchObject([
      409,
      { reason: 'changed_since', fields: ['account_id'] },
    ]);
    await feed('csv');
    await app.request('DELETE', `${API}/accounts/${giro.id}`);
    expect((await approve(id)).json.error.details[0]).toMatchObject({ reason: 'reference_missing' });
  });

  test('a proposal of rows adds none before it is approved, shows them in its totals, and is reverted', async () => {
    await post('/rules', {
      name: 'Mornings',
      condition: { field: 'name', op: 'contains', value: 'cafe' },
      triggers: ['create'],
      actions: [
        { type: 'add_tag', tag_slug: 'by-rule' },
        { type: 'set_category', category_slug: 'food_and_drink_coffee' },
      ],
    });
    const said = { category_slug: 'travel', tags: ['cash'], comment: 'With Tom', merchant_name: 'Cafe Ltd' };
    const first = await add(agent, [said, { amount: '-3.00', name: 'Cafe refund' }]);
    expect(first).toMatchObject({ proposed: true, change_set_id: null });
    expect(first.transactions).toMatchObject([{ category_slug: 'travel', tags: ['by-rule', 'cash'] }, {}]);
    expect(await rows()).toEqual([]);
    const more = await askTool(
      app,
      'update_transactions',
      {
        operations: [{ transaction_id: first.transactions[0].id, flagged: true, tags_to_remove: ['by-rule'] }],
        proposal_id: first.proposal_id,
      },
      { key: agent },
    );
    expect(more.results).toMatchObject([{ status: 'ok' }]);
    const shown = await get(`/proposals/${first.proposal_id}`);
    expect(shown).toMatchObject({
      totals: [
        { iso_currency_code: 'EUR', transaction_count: 2, total_amount: '1.50', money_out: '4.50', money_in: '3.00' },
      ],
      conflict_count: 0,
    });
    const created = shown.changes.filter((one: { entity_type: string }) => one.entity_type === 'transaction');
    expect(created).toMatchObject([
      { operation: 'create', before: null, label: 'Corner Cafe', amount: '4.50', date: '2026-04-25' },
      { operation: 'create', label: 'Cafe refund', amount: '-3.00', iso_currency_code: 'EUR' },
    ]);
    const comment = shown.changes.find((one: { entity_type: string }) => one.entity_type === 'comment');
    expect(comment).toMatchObject({ label: 'Corner Cafe', after: { body: 'With Tom' } });
    const done = await approve(first.proposal_id);
    expect(done.status, done.text).toBe(200);
    const [one, two] = [
      await get(`/transactions/${created[0].entity_id}`),
      await get(`/transactions/${created[1].entity_id}`),
    ];
    expect(one).toMatchObject({
      category: { slug: 'travel' },
      tags: ['cash'],
      merchant_name: 'Cafe Ltd',
      provider: 'csv',
    });
    expect([one.flagged_at !== null, ['person', 'agent'].includes(one.category_source)]).toEqual([true, true]);
    expect(two).toMatchObject({
      category: { slug: 'food_and_drink_coffee' },
      category_source: 'rule',
      tags: ['by-rule'],
    });
    const entries = await timeline(app, two as Made);
    expect(entries.map(({ kind, applied_by: by }) => [kind, by])).toEqual([
      ['transaction_created', null],
      ['category_set', 'create'],
      ['tag_added', 'create'],
    ]);
    const undone = await post(`/change-sets/${done.json.change_set_id}/revert`);
    expect([undone.status, undone.json.skipped], undone.text).toEqual([200, []]);
    expect(await rows()).toEqual([]);
    expect((await get('/tags')).map((tag: { slug: string }) => tag.slug)).not.toContain('cash');
  });

  test('a row that a file brought in between is not added twice, and its comment goes to it', async () => {
    const { proposal_id: id } = await add(agent, [{ comment: 'With Tom' }]);
    await importCafe();
    expect((await get(`/proposals/${id}`)).conflict_count).toBe(0);
    const done = await approve(id);
    expect(done.json).toMatchObject({ status: 'applied', applied_count: 2, skipped_count: 0 });
    const [only, ...others] = await rows();
    expect(others).toEqual([]);
    expect(
      (await get(`/transactions/${only.id}/comments`)).comments ?? (await get(`/transactions/${only.id}/comments`)),
    ).toMatchObject([{ body: 'With Tom', author_name: 'Desk' }]);
    expect((await get(`/proposals/${id}`)).changes[0].outcome).toBe('existing');
  });

  test('a row that came back in between, from an import undone before, is not added twice either', async () => {
    const imported = await importCafe();
    await post(`/imports/${imported.id}/revert`);
    expect(await rows()).toEqual([]);
    const { proposal_id: id } = await add(agent, [{}]);
    await importCafe();
    expect(await rows()).toHaveLength(1);
    expect((await approve(id)).status).toBe(200);
    expect(await rows()).toHaveLength(1);
  });

  test('two equal coffees stay two, beside one in the ledger, and of two one may have come meanwhile', async () => {
    await importCafe();
    const { proposal_id: id } = await add(agent, [{}, {}]);
    expect((await get(`/proposals/${id}`)).changes).toHaveLength(2);
    expect((await approve(id)).json).toMatchObject({ applied_count: 2 });
    expect(await rows()).toHaveLength(3);
    app.clock.advance(25 * 3_600_000);
    const kiosk = { name: 'Kiosk' };
    const next = await add(agent, [kiosk, kiosk]);
    await takeFile(app, csvOf('2026-04-25 Kiosk -4.50'));
    expect((await approve(next.proposal_id)).json).toMatchObject({ applied_count: 2 });
    expect((await rows()).filter(({ name }) => name === 'Kiosk')).toHaveLength(2);
  });

  test('the same is proposed once, as often as it occurs; what was approved is not added again the same day', async () => {
    const first = await add(agent, [{}, {}]);
    expect(await add(agent, [{}, {}])).toMatchObject({ proposal_id: null, already_proposed: 2 });
    const other = (await app.newKey({ name: 'Other', scope: 'propose', actor_type: 'agent' })).key;
    const third = await add(other, [{}, {}, {}]);
    expect(third).toMatchObject({ already_proposed: 2, plan: { change_count: 1 } });
    const same = await add(agent, [{}, {}], { proposal_id: first.proposal_id });
    expect(same.transactions).toMatchObject([{ existing: true }, { existing: true }]);
    expect((await approve(first.proposal_id)).status).toBe(200);
    expect((await add(agent, [{}, {}])).transactions).toMatchObject([{ existing: true }, { existing: true }]);
    expect((await approve(third.proposal_id)).status).toBe(200);
    expect((await rows()).length).toBe(2);
  });
});
