import { beforeAll, describe, expect, it } from 'vitest';

import { accountOf, itemOf, pageOf, rowOf } from '../../../../test/harness/banks/made-up-provider.ts';
import { runASync } from '../../../../test/harness/syncs/run-a-sync.ts';
import { openSyncedHousehold, type SyncedHousehold } from '../../../../test/harness/syncs/synced-household.ts';
import { forEachDatabase } from '../../../../test/harness/test-app.ts';
import { addDays } from '../../../kernel/dates.ts';
import type { DeliveredTransaction, FetchOutcome } from '../../../providers/provider.ts';

interface Delivered {
  removed?: readonly string[];
  isFull?: boolean;
  outcome?: Partial<FetchOutcome>;
}

interface Shown {
  id: string;
  name: string;
  amount: string;
  pending: boolean;
  tags: string[];
  metadata: Record<string, unknown>;
}

forEachDatabase((database) => {
  describe('which transaction a delivered row is', () => {
    let home: SyncedHousehold;
    let serial = 0;
    beforeAll(async () => {
      home = await openSyncedHousehold(database);
    });

    const { request } = {
      request: async (method: string, path: string, options = {}) =>
        home.app.request(method, `/api/v1${path}`, options),
    };

    /** A connection with one account at a bank, whose name and mask no other test uses. */
    async function bank(
      provider: 'plaid' | 'teller' = 'plaid',
      { bankName = `Bank ${(serial += 1)}`, mask = String(1_000 + serial), mark = `${provider}${serial}` } = {},
    ) {
      const connection = await home.connect(provider, bankName);
      const account = accountOf(`${mark}-account`, { mask });
      const row = (id: string, values: Partial<DeliveredTransaction> = {}) =>
        rowOf(`${mark}-${id}`, { externalAccountId: account.externalId, ...values });
      const sync = async (
        rows: readonly DeliveredTransaction[],
        { removed = [], isFull = false, outcome = {} }: Delivered = {},
      ) => {
        const page = pageOf(rows, { removed: removed.map((id) => `${mark}-${id}`) });
        home[provider].answers = [{ parts: [page], outcome: { state: itemOf([account]), ...outcome } }];
        const log = await runASync(home.app, connection.id, { isFull });
        expect(log.status).toBe('success');
        return log;
      };
      const read = {
        externalAccountId: account.externalId,
        from: '2026-03-01',
        to: '2026-05-01',
        position: 'p',
        isWideRead: false,
      };
      const accountIds = async () =>
        ((await request('GET', '/accounts', { query: { connection_id: connection.id } })).json as { id: string }[]).map(
          ({ id }) => id,
        );
      const shown = async (): Promise<Shown[]> => {
        const [id] = await accountIds();
        return (
          await request('GET', '/transactions', { query: { account_id: id, sort: 'date', order: 'asc', limit: 500 } })
        ).json.transactions;
      };
      return { connection, bankName, mask, account, row, sync, reads: [read], shown, accountIds };
    }

    const disconnect = async ({ id }: { id: string }, query = {}) => {
      expect((await request('DELETE', `/connections/${id}`, { query })).status).toBe(204);
      home.app.clock.advance(1_000);
    };
    const ids = (rows: readonly Shown[]) => rows.map(({ id }) => id);
    const importFile = async (lines: readonly string[], target: object = {}, header = 'Date,Description,Amount') => {
      const csv = [header, ...lines].join('\n');
      const answer = await request('POST', '/connections/csv/import', {
        body: { csv_base64: Buffer.from(csv).toString('base64'), user_id: home.ana.id, ...target },
      });
      expect([answer.status, answer.json.error]).toEqual([201, undefined]);
      return answer.json;
    };

    it('finds accounts and transactions again after a new link with new ids', async () => {
      const first = await bank();
      const coffees = ['1', '2', '3'].map((id) => first.row(id, { date: '2026-04-02' }));
      await first.sync([...coffees, first.row('4', { name: 'Rent', amountCents: 90_000, date: '2026-04-01' })]);
      const before = await first.shown();
      await request('POST', '/transactions/update', {
        body: { operations: [{ transaction_id: before[0]?.id, tags_to_add: ['home'] }] },
      });
      await disconnect(first.connection);
      const again = await bank('plaid', { bankName: first.bankName, mask: first.mask, mark: `again${serial}` });
      const log = await again.sync([
        ...['a', 'b', 'c'].map((id) => again.row(id, { date: '2026-04-02' })),
        again.row('d', { name: 'Rent', amountCents: 90_000, date: '2026-04-01' }),
        again.row('e', { name: 'New', date: '2026-04-20' }),
      ]);
      expect(log).toMatchObject({ added_count: 1, unchanged_count: 4 });
      const after = await again.shown();
      expect(ids(after).slice(0, 4)).toEqual(ids(before));
      expect(after[0]).toMatchObject({ name: 'Rent', tags: ['home'] });
      // The new ids are theirs now.
      expect(await again.sync([], { removed: ['a'] })).toMatchObject({ removed_count: 1 });
    });

    it('brings back what was deleted with the connection, but not what a person deleted', async () => {
      const first = await bank();
      await first.sync([first.row('1'), first.row('2', { name: 'Books' })]);
      const before = await first.shown();
      const books = before.find(({ name }) => name === 'Books');
      await request('DELETE', `/transactions/${books?.id}`);
      await disconnect(first.connection, { delete_transactions: true });
      const again = await bank('plaid', { bankName: first.bankName, mask: first.mask, mark: `back${serial}` });
      expect(await again.sync([again.row('1'), again.row('2', { name: 'Books' })])).toMatchObject({
        added_count: 0,
        modified_count: 1,
        unchanged_count: 1,
      });
      expect(ids(await again.shown())).toEqual(ids(before).filter((id) => id !== books?.id));
    });

    it('keeps transactions whose ids the bank restates in one batch', async () => {
      const { row, sync, shown } = await bank();
      await sync([row('1'), row('2', { name: 'Rent', amountCents: 90_000 })]);
      const before = await shown();
      expect(
        await sync([row('n1'), row('n2', { name: 'Rent', amountCents: 90_000 })], { removed: ['1', '2'] }),
      ).toMatchObject({ added_count: 0, removed_count: 0, unchanged_count: 2 });
      expect(ids(await shown())).toEqual(ids(before));
    });

    it('removes what a complete read no longer has, unless that is too much to be believed', async () => {
      const { row, sync, shown } = await bank();
      const many = Array.from({ length: 12 }, (_, index) =>
        row(`${index}`, { amountCents: 100 + index, date: '2026-04-10' }),
      );
      await sync([...many, row('p', { pending: true, name: 'Hold', date: '2026-04-12' })]);
      const outcome = { isCompleteRead: true, isPositionReset: true };
      const end = row('end', { date: '2026-04-20', name: 'Last' });
      expect(await sync([...many, end], { outcome })).toMatchObject({ removed_count: 1, unchanged_count: 12 });
      const start = row('0', { amountCents: 100, date: '2026-04-10' });
      const log = await sync([start, end], { outcome });
      expect(log.removed_count).toBe(0);
      expect(JSON.parse(log.warnings)).toMatchObject([
        { code: 'cursor_reset' },
        { code: 'removals_held_back', count: 11 },
      ]);
      expect(await shown()).toHaveLength(13);
    });

    it('moves a transaction that is reported in another account', async () => {
      const { account, row, sync } = await bank();
      const other = { ...account, externalId: `${account.externalId}-2`, name: 'Savings', mask: '9999' };
      const both = { state: itemOf([account, other]) };
      await sync([row('1')], { outcome: both });
      const log = await sync([row('1', { externalAccountId: other.externalId })], { outcome: both });
      expect(log).toMatchObject({ added_count: 0, modified_count: 1, removed_count: 0 });
    });

    it('reads windows: a pending row under a new id continues, one that is gone is removed', async () => {
      const { row, sync, reads, shown } = await bank('teller');
      const outcome = { reads };
      await sync([row('p1', { pending: true }), row('p2', { pending: true, name: 'Hold', amountCents: 5_000 })], {
        outcome,
      });
      const before = await shown();
      const log = await sync([row('1', { date: '2026-04-21' })], { outcome });
      expect(log).toMatchObject({ added_count: 0, modified_count: 1, removed_count: 1 });
      const [coffee] = await shown();
      expect(coffee).toMatchObject({ id: before.find(({ name }) => name === 'COFFEE SHOP')?.id, pending: false });
      expect(home.teller.requests.at(-1)?.accounts).toMatchObject([{ position: 'p', oldestPendingDate: '2026-04-20' }]);
      // An account that could not be read is not in the answer, and loses nothing.
      await sync([row('p3', { pending: true, name: 'Books' })], { outcome });
      expect(await sync([], { outcome: { reads: [] } })).toMatchObject({ removed_count: 0 });
    });

    it('asks what it does not know, and asks nothing twice', async () => {
      const { row, sync, connection } = await bank();
      await sync([row('p', { pending: true, name: 'SHELL OIL', amountCents: 8_400 })]);
      const posted = row('1', { pendingExternalId: row('p').externalId, name: 'KIOSK', amountCents: 199 });
      expect(await sync([posted], { removed: ['p'] })).toMatchObject({ added_count: 1, removed_count: 1 });
      const open = async () =>
        (await request('GET', '/sync/suggestions', { query: { connection_id: connection.id } })).json.suggestions;
      expect(await open()).toMatchObject([
        { kind: 'pending_posted', candidates: [{ is_deleted: true, name: 'SHELL OIL' }] },
      ]);
      await sync([posted], { isFull: true });
      expect(await open()).toHaveLength(1);
    });

    it('knows rows of files: they keep id and tags, and a file into the bank account doubles nothing', async () => {
      const { row, sync, shown, accountIds } = await bank();
      await sync([row('0', { name: 'START', amountCents: 1, date: '2026-03-30' })]);
      const [accountId] = await accountIds();
      await importFile(['2026-04-03,Grocer Müller,-23.45', '2026-04-04,Bookshop,-9.00'], { account_id: accountId });
      const before = await shown();
      await request('POST', '/transactions/update', {
        body: { operations: [{ transaction_id: before[1]?.id, tags_to_add: ['food'] }] },
      });
      const log = await sync([
        row('1', { name: 'GROCER MULLER 0042', amountCents: 2_345, date: '2026-04-03' }),
        row('2', { name: 'BOOKSHOP', amountCents: 900, date: '2026-04-04' }),
      ]);
      expect(log).toMatchObject({ added_count: 0, modified_count: 2 });
      const after = await shown();
      expect(ids(after)).toEqual(ids(before));
      expect(after[1]).toMatchObject({ name: 'GROCER MULLER 0042', tags: ['food'] });
      await importFile(['2026-04-03,Grocer Müller,-23.45', '2026-04-04,Bookshop,-9.00'], { account_id: accountId });
      expect(await shown()).toEqual(after);
    });

    it('keeps what is on a pending row that gets another id before it is posted', async () => {
      const { row, sync, shown } = await bank();
      const pending = { pending: true, date: '2026-04-20', amountCents: 1_500, name: 'Corner Cafe' };
      await sync([row('p1', pending)]);
      const [before] = await shown();
      await request('POST', `/transactions/${before?.id}/tags`, { body: { slug: 'team' } });
      await sync([row('p2', pending)], { removed: ['p1'] });
      await sync([row('q', { ...pending, pending: false, pendingExternalId: null, date: '2026-04-21' })], {
        removed: ['p2'],
      });
      const after = await shown();
      expect(after.map(({ id, tags, pending: isPending }) => [id, tags, isPending])).toEqual([
        [before?.id, ['team'], false],
      ]);
    });

    it('finds the bank account for a file without a target', async () => {
      const { connection, row, sync, shown, accountIds } = await bank();
      const days = Array.from({ length: 14 }, (_, index) => addDays('2026-02-01', index * 3));
      await sync(
        days.map((date, index) => row(`${index}`, { date, amountCents: 1_111 + index * 13, name: `Shop ${index}` })),
      );
      await sync([row('alone', { date: '2026-04-20', amountCents: 9_900, name: 'After the file' })]);
      const before = await shown();
      const lines = days.map((date, index) => `${date},Shop ${index},-${((1_111 + index * 13) / 100).toFixed(2)}`);
      const made = await importFile(lines, {}, 'Booking date,Text,Value');
      expect(made.import.counts).toMatchObject({ added: 0, duplicate: 14 });
      expect(await shown()).toEqual(before);
      // What the file delivered too stays when the bank goes with its transactions.
      const [account_id] = await accountIds();
      await disconnect(connection, { delete_transactions: true });
      const left = (await request('GET', '/transactions', { query: { account_id } })).json.transactions as Shown[];
      expect([left.length, left.some(({ name }) => name === 'After the file')]).toEqual([14, false]);
    });

    it('keeps the typed name of a row that was entered by hand', async () => {
      const made = (
        await request('POST', '/accounts', {
          body: { name: `By hand ${serial}`, type: 'depository', iso_currency_code: 'USD', user_id: home.ana.id },
        })
      ).json;
      const entered = (
        await request('POST', '/transactions', {
          body: { account_id: made.id, date: '2026-04-05', amount: '12.00', name: 'Lunch with Ben' },
        })
      ).json;
      const { account, row, sync } = await bank();
      await home.app.write('test.join', async (tx) => {
        // As linking a bank attaches an account that was kept by hand.
        await tx.insertMany(
          'account_aliases',
          ['namespace', 'external_id', 'account_id', 'first_seen_at', 'last_seen_at'],
          [['plaid', account.externalId, made.id, tx.now, tx.now]],
        );
      });
      await sync([row('1', { name: 'BISTRO 17', amountCents: 1_200, date: '2026-04-06' })]);
      expect((await request('GET', `/transactions/${entered.id}`)).json).toMatchObject({
        name: 'BISTRO 17',
        date: '2026-04-06',
        metadata: { entered_name: 'Lunch with Ben' },
      });
      expect((await request('GET', `/accounts/${made.id}`)).json).toMatchObject({
        name: 'Checking',
        provider: 'plaid',
      });
    });

    it('keeps what the bank says of rows when their file is taken back', async () => {
      const days = Array.from({ length: 14 }, (_, index) => addDays('2025-05-01', index * 6));
      const lines = days.map((date, index) => `${date},CARD SHOP ${index},-${((2_000 + index * 17) / 100).toFixed(2)}`);
      const made = await importFile(lines, { account_name: `Filed ${serial}` });
      const { row, sync, shown } = await bank();
      await sync(
        days.map((date, index) =>
          row(`${index}`, { date: addDays(date, index % 3), amountCents: 2_000 + index * 17, name: `Shop ${index}` }),
        ),
      );
      const before = await shown();
      expect(before.map(({ name }) => name)).toEqual(days.map((_, index) => `Shop ${index}`));
      const reverted = await request('POST', `/imports/${made.import.id}/revert`, { body: {} });
      expect([reverted.status, reverted.json.kept_count]).toEqual([200, 14]);
      const values = (rows: readonly Shown[]) => rows.map(({ id, name, amount }) => [id, name, amount]);
      expect(values(await shown())).toEqual(values(before));
      const set = String(reverted.headers['x-change-set-id']);
      expect((await request('POST', `/change-sets/${set}/revert`, { body: {} })).status).toBe(200);
      expect(await shown()).toEqual(before);
    });

    it('recognises the account that files have fed for years, before the first rows come in', async () => {
      const days = Array.from({ length: 40 }, (_, index) => addDays('2025-05-01', index * 6));
      const lines = days.map((date, index) => `${date},CARD SHOP ${index},-${((2_000 + index * 17) / 100).toFixed(2)}`);
      const made = await importFile(lines, { account_name: 'Household' });
      const { row, sync, accountIds, shown } = await bank();
      const log = await sync(
        days.map((date, index) =>
          row(`${index}`, { date: addDays(date, index % 3), amountCents: 2_000 + index * 17, name: `Shop ${index}` }),
        ),
      );
      expect(log.added_count).toBe(0);
      expect(await accountIds()).toEqual([made.account_id]);
      expect(await shown()).toHaveLength(40);
    });
  });
});
