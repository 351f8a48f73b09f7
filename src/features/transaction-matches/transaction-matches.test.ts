import { expect, test } from 'vitest';

import { addAccount, addMember } from '../../../test/harness/ledger.ts';
import {
  addLink,
  addRows,
  openLinkedAccounts,
  type LinkedAccounts,
} from '../../../test/harness/ledgers/linked-accounts.ts';
import { forEachDatabase, type Answer } from '../../../test/harness/test-app.ts';
import { write } from '../../journal/write.ts';
import { mergeTransactions } from '../facets/index.ts';
import { endingMatches } from '../touched-rows.ts';

const ORIGIN = {
  actor: { type: 'system', id: null, userId: null, name: 'test' },
  surface: 'system',
  source: 'edit',
  action: 'transaction.merge',
  reason: null,
  requestId: null,
} as const;

forEachDatabase((database) => {
  test('confirm, reject and confirm again; twice writes nothing', async () => {
    const world = await openLinkedAccounts(database);
    const [p] = await world.primary(['2026-03-04', 1_000, 'Bakery']);
    const [d] = await world.dependent(['2026-03-04', 1_000, 'Bakery']);
    await world.reconcile();
    const [match] = await world.matches();
    expect(match).toMatchObject({
      confidence: 'auto',
      primary_transaction_id: p,
      dependent_transaction_id: d,
      matched_on: '["date","amount","name"]',
    });
    expect(await world.attributed(p)).toBe(world.ben.short_id);

    const confirmed = await world.decide(match, 'confirm');
    expect(confirmed.json).toMatchObject({
      id: match?.id,
      confidence: 'confirmed',
      attributed_user_id: world.ben.short_id,
      matched_on: ['date', 'amount', 'name'],
      date_distance_days: 0,
      primary: { name: 'Bakery', merchant_name: null, amount: '10.00', iso_currency_code: 'USD', date: '2026-03-04' },
    });
    expect(confirmed.headers['x-change-set-id']).toBeDefined();
    const again = await world.decide(match, 'confirm');
    expect([again.json, again.headers['x-change-set-id']]).toEqual([confirmed.json, undefined]);

    const rejected = await world.decide(match, 'reject');
    expect(rejected.json).toMatchObject({ id: match?.id, confidence: 'rejected', attributed_user_id: null });
    expect(await world.attributed(p)).toBeNull();
    expect((await world.decide(match, 'reject')).headers['x-change-set-id']).toBeUndefined();
    await world.reconcile();
    expect(await world.matches()).toMatchObject([{ id: match?.id, confidence: 'rejected' }]);

    const back = await world.decide(match, 'confirm');
    expect(back.json).toMatchObject({ id: match?.id, confidence: 'confirmed' });
    expect(await world.attributed(p)).toBe(world.ben.short_id);
  });

  test('what a person attributed stays, and is not taken back', async () => {
    const world = await openLinkedAccounts(database);
    const rows = await world.primary(
      ['2026-03-04', 1_000, 'A'],
      ['2026-03-05', 1_100, 'B'],
      ['2026-03-06', 1_200, 'C'],
    );
    await world.dependent(['2026-03-04', 1_000, 'A'], ['2026-03-05', 1_100, 'B'], ['2026-03-06', 1_200, 'C']);
    const [byHand, cleared, free] = rows;
    const set = async (id: string | undefined, member: string | null) =>
      world.call('POST', '/transactions/update', { operations: [{ transaction_id: id, attributed_user_id: member }] });
    await set(byHand, world.ada.short_id);
    await world.reconcile();
    await set(cleared, null);
    expect(await Promise.all(rows.map((id) => world.attributed(id)))).toEqual([
      world.ada.short_id,
      null,
      world.ben.short_id,
    ]);
    const records = await Promise.all(
      (await world.matches()).map(async (match) => (await world.decide(match, 'confirm')).json),
    );
    expect(Object.fromEntries(records.map((one) => [one.primary_transaction_id, one.attributed_user_id]))).toEqual({
      [byHand as string]: null,
      [cleared as string]: null,
      [free as string]: world.ben.short_id,
    });
    for (const match of await world.matches()) await world.decide(match, 'reject');
    expect(await Promise.all(rows.map((id) => world.attributed(id)))).toEqual([world.ada.short_id, null, null]);
    const annotations = (await world.call('GET', `/transactions/${free}/annotations`)).json;
    const kinds = annotations.filter(({ kind }: { kind: string }) => kind.endsWith('attributed'));
    expect(kinds).toMatchObject([
      { kind: 'attributed', payload: { user_id: world.ben.short_id, account_link_id: world.link.id } },
      { kind: 'unattributed', payload: { account_link_id: world.link.id } },
    ]);
  });

  test('what a person cleared stays cleared, even if what a link had taken back is reverted', async () => {
    const world = await openLinkedAccounts(database);
    const [p] = await world.primary(['2026-03-04', 1_000, 'Bakery']);
    await world.dependent(['2026-03-04', 1_000, 'Bakery']);
    await world.reconcile();
    const [match] = await world.matches();
    const rejected = await world.decide(match, 'reject');
    for (const member of [world.ada.short_id, null]) {
      const operations = [{ transaction_id: p, attributed_user_id: member }];
      await world.call('POST', '/transactions/update', { operations });
    }
    await world.call('POST', `/change-sets/${String(rejected.headers['x-change-set-id'])}/revert`, {});
    expect(await world.matches()).toMatchObject([{ id: match?.id, confidence: 'auto' }]);
    expect(await world.attributed(p)).toBeNull();
  });

  test('a row set free from a match by hand finds its next partner, whatever the other row cost', async () => {
    const world = await openLinkedAccounts(database);
    const [p, q] = await world.primary(['2026-03-04', 1_000, 'Bakery'], ['2026-03-04', 2_000, 'Shoes']);
    const [d] = await world.dependent(['2026-03-04', 2_000, 'Shoes']);
    expect((await manual(world, { primary_transaction_id: p, dependent_transaction_id: d })).status).toBe(201);
    await world.call('DELETE', `/transactions/${p}`);
    expect(await world.pairs()).toEqual([[q, d]]);
  });

  test('a match by hand takes over what was found, and both forms of ids work', async () => {
    const world = await openLinkedAccounts(database);
    const [p, q] = await world.primary(['2026-03-04', 1_000, 'Bakery'], ['2026-03-04', 1_000, 'Bakery']);
    const [d, e] = await world.dependent(['2026-03-04', 1_000, 'Bakery'], ['2026-03-20', 900, 'Kiosk']);
    await world.reconcile();
    expect(await world.pairs()).toEqual([[p, d]]);
    const byHand = await manual(world, { primary_transaction_id: p, dependent_transaction_id: e });
    expect(byHand.status, byHand.text).toBe(201);
    expect(byHand.json).toMatchObject({
      confidence: 'confirmed',
      matched_on: ['manual'],
      date_distance_days: 16,
      attributed_user_id: world.ben.short_id,
      dependent: { amount: '9.00' },
    });
    // The row that was set free finds its next partner at once.
    expect(await world.pairs('auto')).toEqual([[q, d]]);
    const shortIds = await Promise.all(
      [p, e].map(async (id) => (await world.call('GET', `/transactions/${id}`)).json.short_id as string),
    );
    const again = await manual(world, {
      primary_transaction_id: shortIds[0],
      dependent_transaction_id: shortIds[1],
      account_link_id: world.link.short_id,
    });
    expect([again.status, again.json, again.headers['x-change-set-id']]).toEqual([201, byHand.json, undefined]);
    const taken = await manual(world, { primary_transaction_id: p, dependent_transaction_id: d });
    expect([taken.status, taken.json.error.code]).toEqual([409, 'CONFLICT']);

    await world.decide(byHand.json, 'reject');
    expect(await world.pairs('auto')).toHaveLength(1);
    const back = await manual(world, { primary_transaction_id: p, dependent_transaction_id: e });
    expect([back.status, back.json.id, back.json.confidence]).toEqual([201, byHand.json.id, 'confirmed']);
  });

  test('a match by hand is refused for rows that cannot be one purchase', async () => {
    const world = await openLinkedAccounts(database);
    const [p, euro, waiting] = await world.primary(
      ['2026-03-04', 1_000, 'Bakery'],
      ['2026-03-04', 1_000, 'Bakery', { iso_currency_code: 'EUR' }],
      ['2026-03-04', 1_000, 'Bakery', { pending: 1 }],
    );
    const [d, gone] = await world.dependent(['2026-03-04', 2_000, 'Bakery'], ['2026-03-04', 3_000, 'Bakery']);
    await world.call('DELETE', `/transactions/${gone}`);
    const unlinked = await addAccount(world.app, world.ada);
    const [elsewhere] = await addRows(world.app, unlinked, [['2026-03-04', 1_000, 'Bakery']]);
    const refused = async (body: object): Promise<unknown[]> => {
      const { status, json } = await manual(world, body);
      return [status, json.error.code, json.error.details[0].path];
    };
    const pair = (primary: unknown, dependent: unknown, more: object = {}) =>
      refused({ primary_transaction_id: primary, dependent_transaction_id: dependent, ...more });
    expect(await refused({ primary_transaction_id: p })).toEqual([400, 'VALIDATION_ERROR', 'dependent_transaction_id']);
    expect(await pair(p, d, { note: 'x' })).toEqual([400, 'VALIDATION_ERROR', expect.any(String)]);
    expect(await pair('nothing', d)).toEqual([400, 'INVALID_PARAMETER', 'primary_transaction_id']);
    expect(await pair(p, gone)).toEqual([400, 'INVALID_PARAMETER', 'dependent_transaction_id']);
    expect(await pair(p, d, { account_link_id: 'nOthing1' })).toEqual([400, 'INVALID_PARAMETER', 'account_link_id']);
    expect(await pair(d, p)).toEqual([400, 'VALIDATION_ERROR', expect.any(String)]);
    expect(await pair(d, p, { account_link_id: world.link.id })).toEqual([400, 'VALIDATION_ERROR', expect.any(String)]);
    expect(await pair(elsewhere, d)).toEqual([400, 'VALIDATION_ERROR', expect.any(String)]);
    expect(await pair(waiting, d)).toEqual([400, 'VALIDATION_ERROR', 'primary_transaction_id']);
    expect(await pair(euro, d)).toEqual([400, 'VALIDATION_ERROR', expect.any(String)]);
    expect(await world.matches()).toEqual([]);
    expect((await manual(world, { primary_transaction_id: p, dependent_transaction_id: d })).status).toBe(201);
  });

  test('a rejected pair can be confirmed only while its rows are free', async () => {
    const world = await openLinkedAccounts(database);
    const [p, q] = await world.primary(['2026-03-04', 1_000, 'Bakery'], ['2026-03-04', 1_000, 'Bakery']);
    await world.dependent(['2026-03-04', 1_000, 'Bakery']);
    await world.reconcile();
    const [rejected] = await world.matches();
    await world.decide(rejected, 'reject');
    const found = (await world.matches()).find(({ confidence }) => confidence === 'auto');
    expect(found?.primary_transaction_id).toBe(q);
    await world.decide(found, 'confirm');
    const refused = await world.decide(rejected, 'confirm');
    expect([refused.status, refused.json.error.code]).toEqual([409, 'CONFLICT']);
    await world.decide(found, 'reject');
    await world.call('DELETE', `/transactions/${p}`);
    expect((await world.decide(rejected, 'confirm')).status).toBe(409);
    await world.call('POST', `/transactions/${p}/restore`);
    expect((await world.decide(rejected, 'confirm')).json).toMatchObject({ id: rejected?.id, confidence: 'confirmed' });
    expect((await world.app.request('POST', '/api/v1/transaction-matches/nOthing1/reject')).status).toBe(404);
  });

  test('an older link keeps its rows, and what it lets go of goes to the newer one', async () => {
    const world = await openLinkedAccounts(database);
    const carla = await addMember(world.app, 'Carla');
    const other = await addAccount(world.app, carla, { name: 'Third' });
    world.app.clock.advance(1_000);
    const newer = await addLink(world.app, world.card, other);
    const [p] = await world.primary(['2026-03-04', 1_000, 'Bakery']);
    const [x] = await addRows(world.app, other, [['2026-03-04', 1_000, 'Bakery']]);
    await world.reconcile(newer);
    expect(await world.pairs()).toEqual([[p, x]]);
    expect(await world.attributed(p)).toBe(carla.short_id);
    const [d] = await world.dependent(['2026-03-04', 1_000, 'Kiosk']);
    await world.reconcile();
    expect(await world.pairs()).toEqual([[p, d]]);
    expect(await world.attributed(p)).toBe(world.ben.short_id);
    const [match] = await world.matches();
    await world.decide(match, 'reject');
    expect(await world.pairs()).toEqual([[p, x]]);
    expect(await world.attributed(p)).toBe(carla.short_id);
    await world.decide(match, 'confirm');
    expect(await world.pairs()).toEqual([[p, d]]);
    expect(await world.attributed(p)).toBe(world.ben.short_id);
  });

  test('a row that becomes another one takes what people decided along; taken apart, it gets it back', async () => {
    const world = await openLinkedAccounts(database);
    const [p, newer, survivor] = await world.primary(
      ['2026-03-01', 700, 'Kiosk'],
      ['2026-03-04', 1_000, 'Bakery'],
      ['2026-03-03', 1_000, 'BAKERY PENDING'],
    );
    const [, d] = await world.dependent(['2026-03-01', 700, 'Kiosk'], ['2026-03-04', 1_000, 'Bakery']);
    await world.reconcile();
    const match = (await world.matches()).find((one) => one.primary_transaction_id === newer);
    await world.decide(match, 'confirm');
    const { changeSetId } = await write(
      world.app.app.instance.database,
      ORIGIN,
      endingMatches((tx) => mergeTransactions(tx, [{ newer: newer as string, survivor: survivor as string }])),
    );
    expect(await world.pairs('confirmed')).toEqual([[survivor, d]]);
    expect(await world.attributed(survivor)).toBe(world.ben.short_id);
    expect(await world.attributed(p)).toBe(world.ben.short_id);
    await world.call('POST', `/change-sets/${changeSetId}/revert`, {});
    expect(await world.pairs('confirmed')).toEqual([[newer, d]]);
    expect([await world.attributed(newer), await world.attributed(survivor)]).toEqual([world.ben.short_id, null]);
  });

  test('the change sets of a transaction include those of its matches, on either side, also of one that is gone', async () => {
    const world = await openLinkedAccounts(database);
    const [p, other] = await world.primary(['2026-03-04', 1_000, 'Bakery'], ['2026-03-05', 7_000, 'Rent']);
    const [d] = await world.dependent(['2026-03-04', 1_000, 'Bakery']);
    await world.reconcile();
    const [match] = await world.matches();
    await world.decide(match, 'confirm');
    await world.call('DELETE', `/account-links/${world.link.id}`);
    const actions = async (id: string | undefined): Promise<string[]> => {
      const { json } = await world.app.request('GET', '/api/v1/change-sets', { query: { transaction_id: String(id) } });
      return json.change_sets.map((set: { action: string }) => set.action);
    };
    const decided = ['account_link.delete', 'transaction_match.confirm', 'account_link.reconcile'];
    for (const id of [p, d]) expect((await actions(id)).slice(0, 3)).toEqual(decided);
    expect(await actions(other)).toEqual(['test.transactions']);
  });

  test('reverting a decision brings back what was there before it', async () => {
    const world = await openLinkedAccounts(database);
    const [p, q] = await world.primary(['2026-03-04', 1_000, 'Bakery'], ['2026-03-04', 1_000, 'Bakery']);
    const [d, e] = await world.dependent(['2026-03-04', 1_000, 'Bakery'], ['2026-03-20', 900, 'Kiosk']);
    await world.reconcile();
    const before = await world.matches();
    const revert = async ({ headers }: Answer) =>
      world.call('POST', `/change-sets/${String(headers['x-change-set-id'])}/revert`, {});
    const confirmed = await world.decide(before[0], 'confirm');
    await revert(confirmed);
    expect(await world.matches()).toMatchObject([{ id: before[0]?.id, confidence: 'auto' }]);
    const rejected = await world.decide(before[0], 'reject');
    expect(await world.pairs('auto')).toEqual([[q, d]]);
    await revert(rejected);
    expect(await world.pairs()).toEqual([[p, d]]);
    expect([await world.attributed(p), await world.attributed(q)]).toEqual([world.ben.short_id, null]);
    const byHand = await manual(world, { primary_transaction_id: p, dependent_transaction_id: e });
    await revert(byHand);
    expect(await world.pairs()).toEqual([[p, d]]);
    expect(await world.matches()).toMatchObject([{ id: before[0]?.id }]);
  });
});

async function manual({ app }: LinkedAccounts, body: object): Promise<Answer> {
  return app.request('POST', '/api/v1/transaction-matches/manual', { body });
}
