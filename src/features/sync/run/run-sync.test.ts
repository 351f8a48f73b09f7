import { beforeAll, describe, expect, it } from 'vitest';

import { accountOf, itemOf, pageOf, rowOf } from '../../../../test/harness/banks/made-up-provider.ts';
import { runASync } from '../../../../test/harness/syncs/run-a-sync.ts';
import {
  openSyncedHousehold,
  storedTransactions,
  type SyncedHousehold,
} from '../../../../test/harness/syncs/synced-household.ts';
import { forEachDatabase } from '../../../../test/harness/test-app.ts';

const GROCERIES = { categoryPrimary: 'FOOD_AND_DRINK', categoryDetailed: 'FOOD_AND_DRINK_GROCERIES' };

forEachDatabase((database) => {
  describe('a sync', () => {
    let home: SyncedHousehold;
    let serial = 0;
    beforeAll(async () => {
      home = await openSyncedHousehold(database);
    });

    /** A connection with one account, whose ids no other test uses, and a way to sync it. */
    async function bank() {
      const { app, plaid, connect } = home;
      const connection = await connect();
      const mark = `b${(serial += 1)}`;
      const account = accountOf(`${mark}-account`);
      const row = (id: string, values: Parameters<typeof rowOf>[1] = {}) =>
        rowOf(`${mark}-${id}`, { externalAccountId: account.externalId, ...values });
      const sync = async (
        rows: readonly ReturnType<typeof rowOf>[],
        { removed = [] as string[], isFull = false, outcome = {} } = {},
      ) => {
        const page = pageOf(rows, { removed: removed.map((id) => `${mark}-${id}`) });
        plaid.answers = [{ parts: [page], outcome: { state: itemOf([account]), position: `${mark}-p`, ...outcome } }];
        return runASync(app, connection.id, { isFull });
      };
      return { connection, account, row, sync, stored: () => storedTransactions(app, connection) };
    }

    const timeline = async (id: string) =>
      (await home.app.request('GET', `/api/v1/transactions/${id}/annotations`)).json as {
        kind: string;
        body: string;
        payload: Record<string, unknown>;
      }[];

    it('stores rows, account, position, log and change set together', async () => {
      const { app } = home;
      const { connection, row, sync, stored } = await bank();
      const log = await sync([
        row('1', GROCERIES),
        row('2', { amountCents: -250_000, name: 'Salary', date: '2026-04-01' }),
      ]);
      expect(log).toMatchObject({
        status: 'success',
        trigger: 'manual',
        added_count: 2,
        modified_count: 0,
        unchanged_count: 0,
        accounts_affected: 1,
        warning_count: 0,
        error_code: null,
      });
      const [salary, groceries] = await stored();
      expect(salary).toMatchObject({ name: 'Salary', amount_cents: -250_000, category_id: null, pending: 0 });
      expect(groceries).toMatchObject({ category_source: 'provider', created_change_set_id: log.change_set_id });
      const seen = (await app.request('GET', `/api/v1/connections/${connection.id}`)).json;
      expect(seen).toMatchObject({
        status: 'active',
        account_count: 1,
        last_sync_at: log.finished_at,
        error_code: null,
      });
      const set = (await app.request('GET', `/api/v1/change-sets/${log.change_set_id}`)).json;
      expect(set).toMatchObject({
        source: 'sync',
        surface: 'system',
        actor_type: 'system',
        actor_id: connection.id,
        actor_name: 'Plaid sync',
        sync_log_id: log.id,
        revertible: false,
      });
      expect(await timeline(groceries.id)).toMatchObject([
        {
          kind: 'sync_started',
          body: 'Plaid sync added this transaction',
          payload: { provider: 'plaid', connection_id: connection.id, sync_log_id: log.id },
        },
      ]);
    });

    it('leaves rows that differ in nothing alone, also when everything is read again', async () => {
      const { row, sync, stored } = await bank();
      await sync([row('1'), row('2', { name: 'Rent' })]);
      const before = await stored();
      home.app.clock.advance(60_000);
      const log = await sync([row('1'), row('2', { name: 'Rent' })], {
        isFull: true,
        outcome: { isCompleteRead: true },
      });
      expect(log).toMatchObject({ status: 'success', added_count: 0, modified_count: 0, unchanged_count: 2 });
      expect(log.change_set_id).toBeNull();
      expect(await stored()).toEqual(before);
    });

    it('counts the last word about an id, whatever came before it', async () => {
      const { app, plaid } = home;
      const { connection, account, row, stored } = await bank();
      plaid.answers = [
        {
          parts: [
            pageOf([row('1'), row('1', { amountCents: 2_000 }), row('2')]),
            pageOf([row('1', { amountCents: 3_000 })], { removed: [row('2').externalId as string] }),
          ],
          outcome: { state: itemOf([account]) },
        },
      ];
      expect(await runASync(app, connection.id)).toMatchObject({ status: 'success', added_count: 1 });
      expect(await stored()).toMatchObject([{ amount_cents: 3_000 }]);
    });

    it('begins again when the provider says that its data changed meanwhile', async () => {
      const { app, plaid } = home;
      const { connection, account, row, stored } = await bank();
      const parts = [pageOf([row('1'), row('2')]), { kind: 'restart' as const }, pageOf([row('2')])];
      plaid.answers = [{ parts, outcome: { state: itemOf([account]) } }];
      expect(await runASync(app, connection.id)).toMatchObject({ added_count: 1 });
      expect(await stored()).toHaveLength(1);
    });

    it('overwrites what the provider owns and nothing else', async () => {
      const { app } = home;
      const { row, sync, stored } = await bank();
      await sync([row('1', { pending: true, ...GROCERIES })]);
      const [{ id }] = await stored();
      await app.request('POST', '/api/v1/transactions/update', {
        body: { operations: [{ transaction_id: id, category_slug: 'travel_flights', tags_to_add: ['trip'] }] },
      });
      const log = await sync([row('1', { amountCents: 1_250, name: 'COFFEE SHOP #12', merchantName: 'Coffee Shop' })]);
      expect(log).toMatchObject({ added_count: 0, modified_count: 1, unchanged_count: 0, accounts_affected: 1 });
      const after = (await app.request('GET', `/api/v1/transactions/${id}`)).json;
      expect(after).toMatchObject({
        amount: '12.50',
        name: 'COFFEE SHOP #12',
        merchant_name: 'Coffee Shop',
        pending: false,
        provider_category_primary: null,
        category_source: 'person',
        tags: ['trip'],
      });
      const entries = await timeline(id);
      expect(entries.filter(({ kind }) => kind === 'sync_updated')).toMatchObject([
        {
          payload: {
            provider: 'plaid',
            changes: { amount: { from: '10.00', to: '12.50' }, pending: { from: true, to: false } },
          },
        },
      ]);
      const revert = await app.request('POST', `/api/v1/change-sets/${log.change_set_id}/revert`);
      expect([revert.status, revert.json.error.code]).toEqual([409, 'NOT_REVERTIBLE']);
    });

    it('lets a category that nobody decided follow the provider', async () => {
      const { row, sync, stored } = await bank();
      await sync([row('1', GROCERIES)]);
      const [before] = await stored();
      const travel = { categoryPrimary: 'TRAVEL', categoryDetailed: 'TRAVEL_FLIGHTS' };
      await sync([row('1', travel)]);
      const [after] = await stored();
      expect(after.category_source).toBe('provider');
      expect(after.category_id).not.toBe(before.category_id);
      expect((await timeline(after.id)).map(({ kind }) => kind)).toEqual([
        'sync_started',
        'sync_updated',
        'category_set',
      ]);
    });

    it('moves what the provider now reports in another account', async () => {
      const { app, plaid } = home;
      const { connection, account, row, sync, stored } = await bank();
      await sync([row('1'), row('2', { name: 'Rent' })]);
      const other = accountOf(`${account.externalId}-savings`, { name: 'Savings', subtype: 'savings', mask: '0001' });
      const outcome = { state: itemOf([account, other]), isCompleteRead: true };
      const rows = [row('1', { externalAccountId: other.externalId }), row('2', { name: 'Rent' })];
      plaid.answers = [{ parts: [pageOf(rows)], outcome }];
      const before = await stored();
      const log = await runASync(app, connection.id, { isFull: true });
      expect(log).toMatchObject({ status: 'success', added_count: 0, modified_count: 1, removed_count: 0 });
      const after = await stored();
      expect(after.map(({ id, deleted_at: at }) => [id, at])).toEqual(before.map(({ id }) => [id, null]));
      expect(after[0].account_id).not.toBe(after[1].account_id);
    });

    it('deletes what the provider removes and brings it back when it returns', async () => {
      const { row, sync, stored } = await bank();
      await sync([row('1'), row('2')]);
      const [{ id }] = await stored();
      expect(await sync([], { removed: ['1'] })).toMatchObject({ removed_count: 1, accounts_affected: 1 });
      expect(await stored()).toMatchObject([{ id, deleted_cause: 'provider' }, { deleted_at: null }]);
      expect(await sync([row('1')])).toMatchObject({ added_count: 0, modified_count: 1 });
      expect(await stored()).toMatchObject([{ id, deleted_at: null, deleted_cause: null }, {}]);
      expect((await timeline(id)).map(({ kind, body }) => [kind, body])).toEqual([
        ['sync_started', 'Plaid sync added this transaction'],
        ['transaction_deleted', 'Plaid sync withdrew this transaction'],
        ['transaction_restored', 'Plaid sync restored this transaction'],
      ]);
    });

    it('leaves deleted what a person deleted', async () => {
      const { app } = home;
      const { row, sync, stored } = await bank();
      await sync([row('1')]);
      const [{ id }] = await stored();
      await app.request('DELETE', `/api/v1/transactions/${id}`);
      const log = await sync([row('1', { amountCents: 7_777 })], { isFull: true });
      expect(log).toMatchObject({ added_count: 0, modified_count: 0, unchanged_count: 1, change_set_id: null });
      expect(await stored()).toMatchObject([{ id, deleted_cause: 'person', amount_cents: 7_777 }]);
    });

    it('keeps a transaction through its posting under another id', async () => {
      const { app } = home;
      const { row, sync, stored } = await bank();
      await sync([row('p', { pending: true })]);
      const [{ id }] = await stored();
      await app.request('POST', `/api/v1/transactions/${id}/comments`, { body: { content: 'With Ben' } });
      const posted = row('1', { pendingExternalId: row('p').externalId, amountCents: 1_150, date: '2026-04-22' });
      expect(await sync([posted], { removed: ['p'] })).toMatchObject({
        added_count: 0,
        modified_count: 1,
        removed_count: 0,
      });
      expect(await stored()).toMatchObject([
        { id, pending: 0, amount_cents: 1_150, date: '2026-04-22', deleted_at: null },
      ]);
      expect((await timeline(id)).filter(({ kind }) => kind === 'sync_updated')).toHaveLength(1);
      // The old id is an alias now, and its removal means nothing any more.
      expect(await sync([], { removed: ['p'] })).toMatchObject({ removed_count: 0 });
      // Nor does a late word about the pending version.
      expect(await sync([row('p', { pending: true })])).toMatchObject({ modified_count: 0, unchanged_count: 1 });
      expect(await stored()).toMatchObject([{ id, pending: 0, amount_cents: 1_150 }]);
      expect(await sync([], { removed: ['1'] })).toMatchObject({ removed_count: 1 });
    });

    it('runs the rules on new and on changed rows', async () => {
      const { app } = home;
      const { row, sync, stored } = await bank();
      const made = await app.request('POST', '/api/v1/rules', {
        body: {
          name: 'Zebra',
          condition: { field: 'name', op: 'contains', value: 'zebra' },
          actions: [{ type: 'add_tag', tag_slug: 'zebra' }],
        },
      });
      expect(made.status).toBe(201);
      const first = await sync([row('1', { name: 'ZEBRA CAFE' }), row('2')]);
      expect(JSON.parse(first.rule_hits)).toEqual([{ rule_id: made.json.id, rule_name: 'Zebra', count: 1 }]);
      expect(first.total_rule_hits).toBe(1);
      const log = await sync([row('2', { name: 'Zebra shop' }), row('3', { name: 'Baker' })]);
      expect(log).toMatchObject({ modified_count: 1, total_rule_hits: 1 });
      const renamed = (await stored()).find(({ name }) => name === 'Zebra shop');
      expect((await timeline(renamed.id)).map(({ kind, body }) => [kind, body])).toEqual([
        ['sync_started', 'Plaid sync added this transaction'],
        ['sync_updated', 'Plaid sync changed name from COFFEE SHOP to Zebra shop'],
        ['tag_added', 'Rule "Zebra" added the tag Zebra during sync'],
      ]);
      // Only what a rule did to an older row can be taken back.
      const set = `/api/v1/change-sets/${log.change_set_id}`;
      const revert = await app.request('POST', `${set}/revert`);
      expect(revert.json).toMatchObject({ reverted_count: 1, skipped: [{ reason: 'not_revertible' }] });
      expect((await app.request('GET', set)).json).toMatchObject({ status: 'reverted', revertible: false });
      expect((await app.request('POST', `${set}/revert`)).json.error.code).toBe('ALREADY_REVERTED');
      expect((await app.request('GET', `/api/v1/transactions/${renamed.id}`)).json).toMatchObject({
        name: 'Zebra shop',
        tags: [],
      });
      const brought = (await stored()).find(({ name }) => name === 'Baker');
      expect(await timeline(brought.id)).toMatchObject([{ kind: 'sync_started', is_reverted: false }]);
    });
  });
});
