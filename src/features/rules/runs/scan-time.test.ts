import { expect, test } from 'vitest';

import { setLimit } from '../../../../test/harness/limits.ts';
import { addAccount, addMember, addTransactions, type Made } from '../../../../test/harness/ledger.ts';
import { forEachDatabase, type TestApp } from '../../../../test/harness/test-app.ts';
import { NO_CALLER } from '../../handler.ts';
import { loadHandler } from '../../load-handler.ts';
import { runOperation } from '../../run-operation.ts';
import { previewRule } from '../rule-insights.contract.ts';

const PREVIEW = '/api/v1/rules/preview';
const market = { field: 'name', op: 'starts_with', value: 'market' };
const toGroceries = { type: 'set_category', category_slug: 'food_and_drink_groceries' };
const toCoffee = { type: 'set_category', category_slug: 'food_and_drink_coffee' };

/** Every second row is from the market; the newest is Market 5. */
const NAMES = ['Market 1', 'Rent 2', 'Market 3', 'Rent 4', 'Market 5'];

forEachDatabase((database) => {
  async function household(): Promise<{ app: TestApp; made: Made[] }> {
    const app = await database.open();
    const account = await addAccount(app, await addMember(app, 'Ada'));
    const rows = NAMES.map((name, i) => ({ account, name, amount_cents: 100, date: `2026-04-0${i + 1}` }));
    return { app, made: await addTransactions(app, rows) };
  }

  async function create(app: TestApp, name: string, action: Record<string, string>) {
    const body = { name, condition: market, actions: [action] };
    const made = await app.request('POST', '/api/v1/rules', { body });
    expect(made.status, made.text).toBe(201);
    return made.json;
  }

  const namesOf = (json: { sample_matches: { transaction: { name: string } }[] }): string[] =>
    json.sample_matches.map(({ transaction }) => transaction.name);

  test('a preview that runs out of time shows the newest rows that it read', async () => {
    const { app } = await household();
    await create(app, 'Coffee', toCoffee);
    const body = { condition: market, actions: [toGroceries], include_conflicts: true };
    const whole = (await app.request('POST', PREVIEW, { body })).json;
    expect(whole).toMatchObject({ match_count: 3, change_count: 3, total_scanned: 5, truncated: false });
    expect(whole.conflicts).toMatchObject([{ overlap_count: 3 }]);

    setLimit('rulePreviewMs', 0);
    setLimit('ruleChunkRows', 3);
    const cut = (await app.request('POST', PREVIEW, { body })).json;
    expect(cut).toMatchObject({ match_count: 2, change_count: 2, skipped_count: 0, total_scanned: 3, truncated: true });
    expect(namesOf(cut)).toEqual(['Market 5', 'Market 3']);
    expect(cut.conflicts).toMatchObject([{ overlap_count: 2 }]);
    expect(cut.conflicts[0].sample_transaction_ids).toHaveLength(2);
  });

  test.for([5, 6, 1_000])(
    'a scan that has seen every row, in chunks of %d, is not cut whatever the time',
    async (size) => {
      const { app } = await household();
      await create(app, 'Coffee', toCoffee);
      const own = await create(app, 'Groceries', toGroceries);
      setLimit('rulePreviewMs', 0);
      setLimit('ruleChunkRows', size);
      const preview = (await app.request('POST', PREVIEW, { body: { condition: market } })).json;
      expect(preview).toMatchObject({ match_count: 3, total_scanned: 5, truncated: false });
      const conflicts = (await app.request('GET', `/api/v1/rules/${own.id}/conflicts`)).json;
      expect(conflicts).toMatchObject({ total_scanned: 5, truncated: false, conflicts: [{ overlap_count: 3 }] });
    },
  );

  test('the caller may ask for a first answer sooner, within bounds', async () => {
    const { app } = await household();
    const ask = (ms: unknown) => app.request('POST', PREVIEW, { body: { condition: market, time_limit_ms: ms } });
    expect((await ask(100)).json).toMatchObject({ match_count: 3, truncated: false });
    for (const wrong of [99, 10_001, 300.5, '300', null])
      expect([wrong, (await ask(wrong)).status]).toEqual([wrong, 400]);
  });

  test('a preview ends when nobody waits for it any longer', async () => {
    const { app } = await household();
    setLimit('ruleChunkRows', 2);
    const abandoned = new Int32Array(new SharedArrayBuffer(4));
    Atomics.store(abandoned, 0, 1);
    const body = { condition: market, sample_size: 1, include_conflicts: false, time_limit_ms: 10_000 };
    const handler = await loadHandler(previewRule);
    const call = { input: { params: {}, query: {}, body }, ...NO_CALLER, file: null, unread: null, abandoned };
    const outcome = await runOperation(app.app.instance, handler, call);
    expect(JSON.parse(outcome.body as string)).toMatchObject({ total_scanned: 2, truncated: true });
  });

  test('conflicts count the newest rows if time runs out', async () => {
    const { app, made } = await household();
    await create(app, 'Coffee', toCoffee);
    const own = await create(app, 'Groceries', toGroceries);
    setLimit('rulePreviewMs', 0);
    setLimit('ruleChunkRows', 2);
    const { json } = await app.request('GET', `/api/v1/rules/${own.id}/conflicts`);
    expect(json).toMatchObject({ total_scanned: 2, truncated: true });
    expect(json.conflicts).toMatchObject([{ overlap_count: 1, sample_transaction_ids: [made[4]?.id] }]);
  });

  test('runs, dry runs and suggestions read every row, however long it takes', async () => {
    const { app, made } = await household();
    const own = await create(app, 'Groceries', toGroceries);
    setLimit('rulePreviewMs', 0);
    setLimit('ruleChunkRows', 2);
    const run = { total_scanned: 5, matched_count: 3, affected_count: 3 };
    const dry = await app.request('POST', `/api/v1/rules/${own.id}/apply`, { body: { dry_run: true } });
    expect(dry.json).toMatchObject(run);
    expect((await app.request('POST', `/api/v1/rules/${own.id}/apply`)).json).toMatchObject(run);
    expect((await app.request('DELETE', `/api/v1/rules/${own.id}`)).status).toBe(204);
    for (const { id } of [made[0], made[2], made[4]] as Made[]) {
      const body = { category_slug: 'food_and_drink_coffee' };
      expect((await app.request('PATCH', `/api/v1/transactions/${id}/category`, { body })).status).toBe(200);
    }
    const { suggestions } = (await app.request('POST', '/api/v1/rules/suggest', { body: {} })).json;
    expect(suggestions).toMatchObject([{ transaction_count: 3, category_slug: 'food_and_drink_coffee' }]);
  });
});
