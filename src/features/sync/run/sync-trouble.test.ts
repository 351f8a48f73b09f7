import { beforeAll, describe, expect, it } from 'vitest';

import { accountOf, itemOf, pageOf, rowOf, type Answer } from '../../../../test/harness/banks/made-up-provider.ts';
import { runASync } from '../../../../test/harness/syncs/run-a-sync.ts';
import {
  openSyncedHousehold,
  storedTransactions,
  type SyncedHousehold,
} from '../../../../test/harness/syncs/synced-household.ts';
import { forEachDatabase } from '../../../../test/harness/test-app.ts';
import { AppError } from '../../../kernel/errors.ts';
import { ProviderFailure, type FailureClass } from '../../../providers/provider-failure.ts';
import type { DeliveredAccount, DeliveredTransaction, FetchedPart } from '../../../providers/provider.ts';
import { finishLeftovers } from '../chores/keep-house.ts';

const LOGIN = { failureClass: 'login', code: 'ITEM_LOGIN_REQUIRED' } as const;

forEachDatabase((database) => {
  describe('what goes wrong in a sync', () => {
    let home: SyncedHousehold;
    let serial = 0;
    beforeAll(async () => {
      home = await openSyncedHousehold(database);
    });

    async function bank() {
      const connection = await home.connect();
      const id = `t${(serial += 1)}`;
      const account = accountOf(id);
      const row = (name: string, values: Partial<DeliveredTransaction> = {}) =>
        rowOf(`${id}-${name}`, { externalAccountId: id, ...values });
      const sync = async (answer: Answer, options: Parameters<typeof runASync>[2] = {}) => {
        home.plaid.answers = [answer];
        return runASync(home.app, connection.id, options);
      };
      const state = (accounts: readonly DeliveredAccount[] = [account]) => itemOf(accounts);
      const shown = async () => (await home.app.request('GET', `/api/v1/connections/${connection.id}`)).json;
      return { connection, account, row, sync, state, shown, stored: () => storedTransactions(home.app, connection) };
    }

    const failing = (failureClass: FailureClass, code: string): Answer => ({
      failure: new ProviderFailure({ failureClass, code }),
    });
    const warningsOf = (log: { warnings: string }) => JSON.parse(log.warnings) as Record<string, unknown>[];

    it('stores nothing of a fetch that fails, and says why', async () => {
      const { row, sync, state, shown, stored } = await bank();
      await sync({ parts: [pageOf([row('1')])], outcome: { state: state(), position: 'p1' } });
      const providerError = {
        code: 'BANK_DOWN',
        type: 'INSTITUTION',
        message: 'Down',
        requestId: 'r1',
        httpStatus: 500,
      };
      const failure = new ProviderFailure({ failureClass: 'transient', code: 'INSTITUTION_DOWN', providerError });
      const log = await sync({ parts: [pageOf([row('2')])], failure });
      expect(log).toMatchObject({
        status: 'error',
        error_code: 'INSTITUTION_DOWN',
        error_message:
          'First Platypus Bank or Plaid cannot be reached. It is tried again by itself; there is nothing to do.',
        added_count: 0,
        change_set_id: null,
      });
      expect(JSON.parse(log.provider_error ?? '')).toEqual({
        code: 'BANK_DOWN',
        type: 'INSTITUTION',
        message: 'Down',
        request_id: 'r1',
        http_status: 500,
      });
      expect(await shown()).toMatchObject({
        status: 'active',
        error_code: 'INSTITUTION_DOWN',
        consecutive_failures: 1,
      });
      expect(await stored()).toHaveLength(1);
      await sync({ parts: [pageOf([row('2')])], outcome: { state: state() } });
      expect(home.plaid.requests.at(-1)).toMatchObject({ position: 'p1', isFull: false });
      expect(await shown()).toMatchObject({ status: 'active', error_code: null, consecutive_failures: 0 });
    });

    it('knows a broken login, a lost item and a third failure', async () => {
      const login = await bank();
      await login.sync(failing('login', 'ITEM_LOGIN_REQUIRED'));
      expect(await login.shown()).toMatchObject({ status: 'pending_reauth', next_sync_at: null });
      const item = await bank();
      await item.sync(failing('item', 'ITEM_NOT_FOUND'));
      expect(await item.shown()).toMatchObject({ status: 'error' });
      const slow = await bank();
      for (const status of ['active', 'active', 'error']) {
        await slow.sync(failing('transient', 'TIMEOUT'));
        expect(await slow.shown()).toMatchObject({ status, error_code: 'TIMEOUT' });
      }
      await slow.sync({ outcome: { state: slow.state() } });
      expect(await slow.shown()).toMatchObject({ status: 'active', error_code: null });
    });

    it('does not blame the bank for trouble of our own database, and retries soon', async () => {
      const { sync, state, shown } = await bank();
      const unstored: Answer = {
        before: async () => {
          throw new AppError('UNAVAILABLE', 'The database cannot be reached right now.');
        },
      };
      for (let tried = 0; tried < 4; tried += 1) {
        expect(await sync(unstored)).toMatchObject({
          status: 'error',
          error_code: 'INTERNAL_ERROR',
          error_message: expect.stringContaining('the bank is not to blame'),
        });
        const { next_sync_at: next, ...after } = await shown();
        expect(after).toMatchObject({ status: 'active', error_code: 'INTERNAL_ERROR', consecutive_failures: 0 });
        expect(Date.parse(next) - home.app.clock.now()).toBe(5 * 60_000);
      }
      await sync({ outcome: { state: state() } });
      expect(await shown()).toMatchObject({ status: 'active', error_code: null });
    });

    it('reads a login without transactions, and says so', async () => {
      const { connection, account, sync, shown } = await bank();
      const balance = (currentCents: number) => ({
        currentCents,
        availableCents: null,
        limitCents: null,
        currency: 'USD',
        asOf: null,
      });
      for (const cents of [100, 200]) {
        const state = itemOf([{ ...account, balance: balance(cents) }]);
        const log = await sync({ outcome: { state, position: null, hasNoTransactions: true } });
        expect([log.status, warningsOf(log)]).toMatchObject(['success', [{ code: 'transactions_not_supported' }]]);
        const query = { connection_id: connection.id };
        const [shownAccount] = (await home.app.request('GET', '/api/v1/accounts', { query })).json;
        expect(shownAccount.balance_current).toBe(`${cents / 100}.00`);
      }
      expect(await shown()).toMatchObject({ status: 'active', error_code: null });
    });

    it('keeps a live row that one page both adds and removes; with an unknown id it does not live', async () => {
      const { row, sync, state, stored } = await bank();
      const [old, strange] = [row('old'), row('strange')];
      await sync({ parts: [pageOf([old])], outcome: { state: state() } });
      const ids = [old, strange].map(({ externalId }) => externalId as string);
      const both = { ...pageOf([old, strange], { removed: ids }), returned: ids } as FetchedPart;
      await sync({ parts: [both], outcome: { state: state() } });
      expect((await stored()).map(({ name, deleted_at }) => [name, deleted_at])).toEqual([[old.name, null]]);
    });

    it('stores the data of a sync whose item wants a new login', async () => {
      const { account, row, sync, shown } = await bank();
      const problem = { scope: 'item', externalAccountId: null, providerError: null, ...LOGIN } as const;
      const state = { ...itemOf([account]), problems: [problem] };
      expect(await sync({ parts: [pageOf([row('1')])], outcome: { state } })).toMatchObject({ added_count: 1 });
      expect(await shown()).toMatchObject({ status: 'pending_reauth', error_code: 'ITEM_LOGIN_REQUIRED' });
    });

    it('ends with the reason of a signal', async () => {
      const { row, sync, shown, stored } = await bank();
      const abort = new AbortController();
      const answer = {
        before: () => abort.abort(new ProviderFailure({ failureClass: 'transient', code: 'TIMEOUT' })),
        parts: [pageOf([row('1')])],
      };
      expect(await sync(answer, { signal: abort.signal })).toMatchObject({ status: 'error', error_code: 'TIMEOUT' });
      expect(await shown()).toMatchObject({ consecutive_failures: 1 });
      expect(await stored()).toEqual([]);
    });

    it('writes nothing once its turn is gone', async () => {
      const { connection, row, sync, stored } = await bank();
      const { database: db } = home.app.app.instance;
      const answer = {
        before: async () => {
          await db.writeBare(
            async (tx) =>
              tx.q
                .updateTable('sync_turns')
                .set({ fencing_token: 'another' })
                .where('connection_id', '=', connection.id)
                .execute(),
            async () => undefined,
          );
        },
        parts: [pageOf([row('1')])],
      };
      expect(await sync(answer)).toMatchObject({ status: 'in_progress' });
      expect(await stored()).toEqual([]);
    });

    it('stores nothing of a connection that was disconnected meanwhile', async () => {
      const { connection, row, sync, stored } = await bank();
      const answer = {
        before: async () => {
          await home.app.write('test.disconnect', async (tx) => {
            tx.journal.allowUnjournaled('connection');
            const connections = tx.q.updateTable('connections').set({ status: 'disconnected' });
            await connections.where('id', '=', connection.id).execute();
          });
        },
        parts: [pageOf([row('1')])],
      };
      expect(await sync(answer)).toMatchObject({ status: 'error', error_code: 'CONNECTION_DISCONNECTED' });
      expect(await stored()).toEqual([]);
    });

    it('brings the same rows once, wherever it stops', async () => {
      const { row, sync, state, stored } = await bank();
      const { instance } = home.app.app;
      const failpoint = instance.failpoint;
      const noted = () =>
        instance.database.read(async (tx) => tx.q.selectFrom('after_sync_notes').selectAll().execute());
      const answer = { parts: [pageOf([row('1')])], outcome: { state: state(), position: 'p1' } };
      const stops = ['begun', 'fetched', 'collapsed', 'planned', 'rows-written', 'before-commit', 'committed'];
      for (const stop of stops) {
        instance.failpoint = (point) => {
          if (point === `sync:${stop}`) throw new ProviderFailure({ failureClass: 'transient', code: 'TIMEOUT' });
        };
        const isStored = stop === 'committed';
        const log = await sync(answer);
        expect([stop, log.status, log.added_count]).toEqual([stop, isStored ? 'success' : 'error', isStored ? 1 : 0]);
        if (stop !== 'begun') expect(home.plaid.requests.at(-1)).toMatchObject({ position: null });
        expect(await stored()).toHaveLength(isStored ? 1 : 0);
      }
      instance.failpoint = failpoint;
      // What was left after the commit is done when somebody looks.
      expect(await noted()).toHaveLength(1);
      await finishLeftovers(instance);
      expect(await noted()).toEqual([]);
      expect(await sync(answer)).toMatchObject({ status: 'success', added_count: 0, unchanged_count: 1 });
      expect(home.plaid.requests.at(-1)).toMatchObject({ position: 'p1' });
      expect(await stored()).toHaveLength(1);
    });

    it('says that stored access cannot be read', async () => {
      const { connection, sync, shown } = await bank();
      await home.app.write('test.garble', async (tx) => {
        tx.journal.allowUnjournaled('connection');
        const credentials = new Uint8Array(40);
        await tx.q.updateTable('connections').set({ credentials }).where('id', '=', connection.id).execute();
      });
      expect(await sync({})).toMatchObject({ status: 'error', error_code: 'CREDENTIALS_UNREADABLE' });
      expect(await shown()).toMatchObject({ status: 'pending_reauth', error_code: 'CREDENTIALS_UNREADABLE' });
    });

    it('skips rows that cannot be read and rounds amounts, with warnings', async () => {
      const { account, row, sync, state } = await bank();
      const unreadable = {
        externalId: 'odd',
        externalAccountId: account.externalId,
        problem: 'its amount is not a number',
      };
      const page = { ...pageOf([row('1'), row('2', { isRounded: true })]), unreadable: [unreadable] };
      const log = await sync({ parts: [page], outcome: { state: state() } });
      expect(log).toMatchObject({ status: 'success', added_count: 2, skipped_count: 1, warning_count: 2 });
      expect(warningsOf(log)).toMatchObject([
        {
          code: 'row_skipped',
          message:
            'A transaction was skipped: its amount is not a number. Once it can be read, a full sync will add it.',
          external_id: 'odd',
        },
        { code: 'amount_rounded', count: 1 },
      ]);
      expect(JSON.parse(log.accounts)).toMatchObject([{ added_count: 2, skipped_count: 1 }]);
    });

    it('keeps what a complete read lists in a row that cannot be read', async () => {
      const { account, row, sync, state, stored } = await bank();
      const [one, two, three] = ['1', '2', '3'].map((name) => row(name, { name, pending: name === '3' })) as [
        DeliveredTransaction,
        DeliveredTransaction,
        DeliveredTransaction,
      ];
      await sync({ parts: [pageOf([one, two, three])], outcome: { state: state(), position: 'p1' } });
      const unreadable = [two, three].map(({ externalId }) => ({
        externalId,
        externalAccountId: account.externalId,
        problem: 'its amount is not a number',
      }));
      const parts = [{ ...pageOf([one]), unreadable }] as const;
      const log = await sync({ parts, outcome: { state: state(), isCompleteRead: true } }, { isFull: true });
      expect(log).toMatchObject({ unchanged_count: 1, skipped_count: 2, removed_count: 0 });
      expect((await stored()).map(({ deleted_at: at }) => at)).toEqual([null, null, null]);
    });

    it('has one last word about a transaction that two accounts report, each under another of its ids', async () => {
      const { connection, account, row, sync, state, stored } = await bank();
      const other = accountOf(`${account.externalId}-other`, { name: 'Savings', mask: '9999' });
      const both = { state: state([account, other]) };
      const [first, restated] = [row('first'), row('restated')];
      await sync({ parts: [pageOf([first])], outcome: both });
      await sync({ parts: [pageOf([restated], { removed: [first.externalId as string] })], outcome: both });
      const moved = { ...restated, externalAccountId: other.externalId };
      const answer = { parts: [pageOf([{ ...first, name: 'OLD' }, moved])], outcome: both };
      expect(await sync(answer)).toMatchObject({ status: 'success', modified_count: 1, unchanged_count: 1 });
      expect(await sync(answer)).toMatchObject({ status: 'success', modified_count: 0, unchanged_count: 2 });
      const query = { connection_id: connection.id };
      const { json } = await home.app.request('GET', '/api/v1/accounts', { query });
      const savings = json.find(({ name }: { name: string }) => name === 'Savings');
      expect(await stored()).toMatchObject([{ account_id: savings.id, name: restated.name }]);
    });

    it('takes an account that is listed twice for one', async () => {
      const { connection, account, row, sync, state } = await bank();
      const twice = { state: state([account, { ...account }]) };
      for (const name of ['1', '2']) {
        expect(await sync({ parts: [pageOf([row('1'), row(name)])], outcome: twice })).toMatchObject({
          status: 'success',
          added_count: 1,
          modified_count: 0,
        });
      }
      const { json } = await home.app.request('GET', '/api/v1/accounts', { query: { connection_id: connection.id } });
      expect(json).toHaveLength(1);
    });

    it('makes an account for rows of one that was never reported, and completes it later', async () => {
      const { connection, account, row, sync, state } = await bank();
      await sync({ parts: [pageOf([row('1')])], outcome: { state: state([]) } });
      const list = async () =>
        (await home.app.request('GET', '/api/v1/accounts', { query: { connection_id: connection.id } })).json;
      const [{ id }] = await list();
      expect(await list()).toMatchObject([{ name: 'Account', type: 'other' }]);
      await sync({ outcome: { state: state([account]) } });
      expect(await list()).toMatchObject([{ id, name: 'Checking', type: 'depository', mask: '0000' }]);
    });

    it('keeps an account that vanished, and warns of closed and failed ones', async () => {
      const { account, row, sync, state } = await bank();
      await sync({ parts: [pageOf([row('1')])], outcome: { state: state() } });
      const gone = await sync({
        parts: [pageOf([], { removed: [row('1').externalId as string] })],
        outcome: { state: state([]) },
      });
      expect(warningsOf(gone)).toMatchObject([
        { code: 'account_missing', message: 'The bank no longer reports Checking. Its transactions are kept.' },
      ]);
      // An account that left takes no history with it.
      expect(gone.removed_count).toBe(0);
      const closed = await sync({ outcome: { state: state([{ ...account, isClosed: true }]) } });
      expect(warningsOf(closed)).toMatchObject([{ code: 'account_closed' }]);
      const problem = {
        scope: 'account',
        externalAccountId: account.externalId,
        failureClass: 'transient',
        code: 'TIMEOUT',
        providerError: null,
      } as const;
      const failed = await sync({ outcome: { state: state(), problems: [problem] } });
      expect(warningsOf(failed)).toMatchObject([{ code: 'account_failed', external_id: account.externalId }]);
    });

    it('stores rows without an account list, and says that the position was lost', async () => {
      const { row, sync, state } = await bank();
      await sync({ parts: [pageOf([row('1')])], outcome: { state: state() } });
      const log = await sync({ parts: [pageOf([row('2')])], outcome: { state: null, isPositionReset: true } });
      expect(log).toMatchObject({ status: 'success', added_count: 1, warning_count: 2 });
      expect(warningsOf(log).map(({ code }) => code)).toEqual(['cursor_reset', 'balances_failed']);
    });

    it('asks for a sign-in when only the account list says that it is needed', async () => {
      const { row, sync, state, shown, stored } = await bank();
      await sync({ outcome: { state: state() } });
      const problem = { scope: 'item', externalAccountId: null, failureClass: 'login', code: LOGIN.code } as const;
      const problems = [{ ...problem, providerError: null }];
      const log = await sync({ parts: [pageOf([row('1')])], outcome: { state: null, problems } });
      expect([log.status, (await stored()).length]).toEqual(['success', 1]);
      expect(await shown()).toMatchObject({ status: 'pending_reauth', error_code: LOGIN.code });
    });

    it('gives a row without a currency that of its account, unless its own has no ISO code', async () => {
      const { row, sync, state, stored } = await bank();
      const rows = [
        row('usd', { currency: null }),
        row('btc', { currency: null, hasUnofficialCurrency: true, name: 'B' }),
      ];
      await sync({ parts: [pageOf(rows)], outcome: { state: state() } });
      const codes = (await stored()).map(({ iso_currency_code: code }) => code);
      expect([codes.length, new Set(codes)]).toEqual([2, new Set(['USD', null])]);
    });

    it('warns when the address for webhooks cannot be changed', async () => {
      const { sync, state } = await bank();
      home.plaid.webhookFailure = new ProviderFailure({ failureClass: 'transient', code: 'TIMEOUT' });
      const log = await sync({ outcome: { state: state() } });
      home.plaid.webhookFailure = null;
      expect(log).toMatchObject({ status: 'success', warning_count: 1 });
      expect(warningsOf(log)).toMatchObject([{ code: 'webhook_update_failed' }]);
    });
  });
});
