import { expect, test } from 'vitest';

import { addAccount, addMember, addTransactions, type Made } from '../../../test/harness/ledger.ts';
import { addRule } from '../../../test/harness/rules/add-rule.ts';
import { allRows, rowsOf } from '../../../test/harness/table-rows.ts';
import { forEachDatabase, type Answer, type TestApp } from '../../../test/harness/test-app.ts';

const PARTIES = '/api/v1/counterparties';
const UNKNOWN = '01981f6e-7c1a-7b3e-9a44-2f6d0c5e8b10';
/** Tables in which a write and its revert leave their own traces. */
const TRACES = ['api_key_uses', 'change_sets', 'changes'];

const make = async (app: TestApp, name: string, fields: object = {}): Promise<Made> =>
  (await app.request('POST', PARTIES, { body: { name, ...fields } })).json;
const get = async (app: TestApp, { id }: Made) => (await app.request('GET', `${PARTIES}/${id}`)).json;
const merge = (app: TestApp, into: Made, from: Made, more: object = {}) =>
  app.request('POST', `${PARTIES}/${into.id}/merge`, { body: { from_counterparty_id: from.id, ...more } });
const setOf = (answer: Answer) => answer.headers['x-change-set-id'];
const errorOf = ({ status, json }: Answer) => [status, json.error.code];
const revert = (app: TestApp, done: Answer | string) => {
  const id = typeof done === 'string' ? done : String(setOf(done));
  return app.request('POST', `/api/v1/change-sets/${id}/revert`, { body: {} });
};

/** Everything that a revert must restore. `updated_at` moves on. */
async function state(app: TestApp): Promise<unknown> {
  const all = await allRows(app.app.instance.database, TRACES);
  return JSON.parse(JSON.stringify(all).replaceAll(/\\"updated_at\\":\\"[^"]*\\"/g, ''));
}

/** `old` had been merged into the source; the source has a live row linked by hand, and a deleted one. */
async function duplicates(app: TestApp) {
  const account = await addAccount(app, await addMember(app, 'Ana'));
  const row = { account, date: '2026-04-01', amount_cents: 1_000, name: 'SQ *0423' };
  const [byHand, ofTarget] = (await addTransactions(app, [row, { ...row, date: '2026-04-03' }])) as [Made, Made];
  const old = await make(app, 'Kiosk');
  const website = 'https://cafe.example';
  const source = await make(app, 'Corner Café Ltd', {
    website_url: website,
    mcc: '5812',
    transaction_ids: [byHand.id],
  });
  const target = await make(app, 'Corner Cafe', { mcc: '5814', transaction_ids: [ofTarget.id] });
  await merge(app, source, old);
  const deletion = { deleted_at: '2026-04-02T00:00:00.000Z', deleted_cause: 'person' };
  const [deleted] = (await addTransactions(app, [{ ...row, counterparty: source, columns: deletion }])) as [Made];
  return { old, source, target, byHand, ofTarget, deleted, website };
}

async function addRules(app: TestApp, source: Made, target: Made): Promise<void> {
  const condition = { field: 'counterparty', op: 'in', value: [source.id, target.id] };
  await addRule(app, { condition, enabled: false });
  await addRule(app, { actions: [{ type: 'assign_counterparty', counterparty_id: source.id }] });
}

forEachDatabase((database) => {
  test('everything moves to the target: live and deleted transactions, rules, earlier merges, fields it lacks', async () => {
    const app = await database.open();
    const { old, source, target, byHand, ofTarget, deleted, website } = await duplicates(app);
    const db = app.app.instance.database;
    await addRules(app, source, target);
    const before = await state(app);
    const dry = await merge(app, target, source, { dry_run: true });
    expect([dry.status, setOf(dry), dry.json.change_set_id]).toEqual([200, undefined, null]);
    expect(await state(app)).toEqual(before);

    app.clock.advance(1_000);
    const done = await merge(app, target, source);
    expect(done.json).toEqual({
      counterparty: await get(app, target),
      moved: { transactions: 2, rules: 2, counterparties: 1 },
      dry_run: false,
      change_set_id: setOf(done),
    });
    expect(dry.json.moved).toEqual(done.json.moved);
    expect(done.json.counterparty).toMatchObject({ website_url: website, mcc: '5814', transaction_count: 2 });
    expect(await get(app, source)).toMatchObject({
      canonical_counterparty_id: target.id,
      is_merged: true,
      transaction_count: 0,
      totals: [],
    });
    expect((await get(app, old)).canonical_counterparty_id).toBe(target.id);
    const bound = await rowsOf(db, `select id, counterparty_id, locks from transactions order by id`);
    const wanted = [byHand, ofTarget, deleted].map(({ id }) => ({
      id,
      counterparty_id: target.id,
      locks: id === deleted.id ? '[]' : '["counterparty"]',
    }));
    expect(bound).toEqual(wanted.sort((a, b) => (a.id < b.id ? -1 : 1)));
    const rules = JSON.stringify(await rowsOf(db, 'select condition, actions from rules'));
    expect([rules.includes(source.id), rules.split(target.id).length - 1]).toEqual([false, 2]);

    for (const { id } of [old, source, target]) {
      const found = await app.request('GET', '/api/v1/transactions', { query: { counterparty_id: id } });
      expect(found.json.transactions.map((one: Made) => one.id).sort()).toEqual([byHand.id, ofTarget.id].sort());
    }
    const list = async (query: Record<string, string>) =>
      (await app.request('GET', PARTIES, { query })).json.counterparties.map(({ name }: { name: string }) => name);
    expect(await list({})).toEqual(['Corner Cafe']);
    expect(await list({ include_merged: '1' })).toEqual(['Corner Cafe', 'Corner Café Ltd', 'Kiosk']);
  });

  test('a revert restores everything, and reverting the revert merges again', async () => {
    const app = await database.open();
    const { source, target } = await duplicates(app);
    await addRules(app, source, target);
    const before = await state(app);
    const done = await merge(app, target, source);
    const merged = await state(app);
    const back = await revert(app, done);
    expect([back.status, back.json.skipped]).toEqual([200, []]);
    expect(await state(app)).toEqual(before);
    expect((await revert(app, back)).status).toBe(200);
    expect(await state(app)).toEqual(merged);
  });

  test('the same merge again moves nothing and leaves no change set', async () => {
    const app = await database.open();
    const [cafe, kiosk] = [await make(app, 'Cafe'), await make(app, 'Kiosk')];
    await merge(app, cafe, kiosk);
    for (const more of [{}, { dry_run: true }]) {
      const again = await merge(app, cafe, kiosk, more);
      expect([again.status, setOf(again)]).toEqual([200, undefined]);
      expect(again.json).toEqual({
        counterparty: await get(app, cafe),
        moved: { transactions: 0, rules: 0, counterparties: 0 },
        dry_run: 'dry_run' in more,
        change_set_id: null,
      });
    }
  });

  test('a merged counterparty cannot be merged again; the message names the one to use', async () => {
    const app = await database.open();
    const [cafe, kiosk, bakery] = [await make(app, 'Cafe'), await make(app, 'Kiosk'), await make(app, 'Bakery')];
    await merge(app, cafe, kiosk);
    for (const [into, from] of [
      [cafe, cafe],
      [kiosk, cafe],
      [kiosk, bakery],
      [bakery, kiosk],
    ] as const) {
      const refused = await merge(app, into, from);
      expect(errorOf(refused)).toEqual([400, 'VALIDATION_ERROR']);
      if (into !== from) expect(refused.json.error.message).toContain(cafe.short_id);
    }
    for (const id of [UNKNOWN, 'nothing', '']) {
      const refused = await merge(app, cafe, { id, short_id: '' });
      expect([...errorOf(refused), refused.json.error.details[0].path]).toEqual([
        400,
        'INVALID_PARAMETER',
        'from_counterparty_id',
      ]);
    }
    expect((await merge(app, { id: UNKNOWN, short_id: '' }, cafe)).status).toBe(404);
    expect(errorOf(await app.request('POST', `${PARTIES}/${cafe.id}/merge`, { body: {} }))[1]).toBe('VALIDATION_ERROR');
  });

  test('a merged counterparty takes no transactions, and its name points to the target', async () => {
    const app = await database.open();
    const [cafe, kiosk] = [await make(app, 'Cafe'), await make(app, 'Kiosk')];
    const account = await addAccount(app, await addMember(app, 'Ana'));
    const row = { account, date: '2026-04-01', amount_cents: 1_000, name: 'A' };
    const [movement] = (await addTransactions(app, [row])) as [Made];
    await merge(app, cafe, kiosk);
    const body = { transaction_ids: [movement.id] };
    const refused = await app.request('POST', `${PARTIES}/${kiosk.id}/transactions`, { body });
    const taken = await app.request('POST', PARTIES, { body: { name: 'KIOSK' } });
    for (const answer of [refused, taken]) {
      expect(errorOf(answer)).toEqual([409, 'CONFLICT']);
      expect(answer.json.error.message).toContain(cafe.short_id);
    }
  });

  test('merges stay one step deep, whatever is reverted later', async () => {
    const app = await database.open();
    const [a, b, c] = [await make(app, 'A'), await make(app, 'B'), await make(app, 'C')];
    const canonicals = async () =>
      Promise.all([a, b, c].map(async (one) => (await get(app, one)).canonical_counterparty_id));
    const ab = await merge(app, b, a);
    const apart = await revert(app, ab);
    const bc = await merge(app, c, b);
    const intoMerged = await revert(app, apart);
    expect(errorOf(intoMerged)).toEqual([409, 'REVERT_CONFLICT']);
    expect(await canonicals()).toEqual([null, c.id, null]);
    await revert(app, bc);
    const ca = await merge(app, a, c);
    const withOthers = await revert(app, apart);
    expect(errorOf(withOthers)).toEqual([409, 'REVERT_CONFLICT']);
    expect(await canonicals()).toEqual([null, null, a.id]);
    await revert(app, ca);
    expect((await revert(app, apart)).status).toBe(200);
    expect(await canonicals()).toEqual([b.id, null, null]);
  });

  test('a merge whose target has since been merged cannot be reverted alone', async () => {
    const app = await database.open();
    const [a, b, c] = [await make(app, 'A'), await make(app, 'B'), await make(app, 'C')];
    const ab = await merge(app, b, a);
    const bc = await merge(app, c, b);
    expect(errorOf(await revert(app, ab))).toEqual([409, 'REVERT_CONFLICT']);
    expect((await revert(app, bc)).status).toBe(200);
    expect((await revert(app, ab)).status).toBe(200);
    expect((await get(app, a)).is_merged).toBe(false);
  });
});
