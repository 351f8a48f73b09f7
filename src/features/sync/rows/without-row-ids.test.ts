import { describe, expect, it } from 'vitest';

import { accountOf, itemOf, pageOf, rowOf } from '../../../../test/harness/banks/made-up-provider.ts';
import { runASync } from '../../../../test/harness/syncs/run-a-sync.ts';
import { openSyncedHousehold, storedTransactions } from '../../../../test/harness/syncs/synced-household.ts';
import { forEachDatabase } from '../../../../test/harness/test-app.ts';

forEachDatabase((database) => {
  describe('a provider whose rows have no ids, or ids that do not last', () => {
    it('delivers the same transactions again, and ids may change hands', async () => {
      const { app, moneta, connect } = await openSyncedHousehold(database);
      const connection = await connect('moneta');
      const banks = ['Bank One', 'Bank Two'].map((name, at) =>
        accountOf(`account-${at}`, { institution: { id: null, name }, mask: null, name: `Account at ${name}` }),
      );
      const reads = banks.map(({ externalId: externalAccountId }) => ({
        externalAccountId,
        from: '2026-03-20',
        to: '2026-04-30',
        position: 'p',
        isWideRead: false,
      }));
      const sync = async (rows: readonly ReturnType<typeof rowOf>[]) => {
        moneta.answers = [{ parts: [pageOf(rows)], outcome: { state: itemOf(banks), reads } }];
        return runASync(app, connection.id);
      };
      const at = (account: number, id: string | null, values: Parameters<typeof rowOf>[1] = {}) =>
        rowOf(id, { externalAccountId: `account-${account}`, ...values });
      const first = await sync([
        at(0, 'h1'),
        at(0, 'h2', { name: 'BAKERY' }),
        at(0, null),
        at(1, 'h1'),
        at(1, null, { pending: true, name: 'BOOKS', amountCents: 2_000 }),
      ]);
      expect(first).toMatchObject({ status: 'success', added_count: 5 });
      const before = await storedTransactions(app, connection);
      const log = await sync([
        at(0, 'h2'),
        at(0, null),
        at(0, 'h1', { name: 'BAKERY' }),
        at(1, 'h9'),
        at(1, 'h1', { name: 'BOOKS', amountCents: 2_000, date: '2026-04-22' }),
      ]);
      expect(log).toMatchObject({ status: 'success', added_count: 0, modified_count: 1, removed_count: 0 });
      const after = await storedTransactions(app, connection);
      expect(after.map(({ id, name, pending }) => [id, name, pending])).toEqual(
        before.map(({ id, name }) => [id, name, 0]),
      );
    });
  });
});
