import { beforeAll, describe, expect, it } from 'vitest';

import { importFile } from '../../../../test/harness/bank-files/bank-files.ts';
import { accountOf, itemOf, pageOf, rowOf } from '../../../../test/harness/banks/made-up-provider.ts';
import { runASync } from '../../../../test/harness/syncs/run-a-sync.ts';
import {
  openSyncedHousehold,
  storedTransactions,
  type SyncedHousehold,
} from '../../../../test/harness/syncs/synced-household.ts';
import { forEachDatabase } from '../../../../test/harness/test-app.ts';

const FILE =
  'Date,Description,Amount\n2026-04-03,GROCER,-23.45\n2026-04-04,BOOKSHOP,-9.00\n2026-04-04,BOOKSHOP,-9.00\n';

forEachDatabase((database) => {
  describe('what others write while a sync runs', () => {
    let home: SyncedHousehold;
    let serial = 0;
    beforeAll(async () => {
      home = await openSyncedHousehold(database);
    });

    async function bank() {
      const connection = await home.connect();
      const externalAccountId = `m${(serial += 1)}`;
      const state = itemOf([accountOf(externalAccountId, { mask: externalAccountId })]);
      const row = (id: string, date: string, name: string, amountCents: number) =>
        rowOf(`${externalAccountId}-${id}`, { externalAccountId, date, name, amountCents });
      const rows = [
        row('1', '2026-04-03', 'GROCER', 2_345),
        row('2', '2026-04-04', 'BOOKSHOP', 900),
        row('3', '2026-04-04', 'BOOKSHOP', 900),
      ];
      home.plaid.answers = [{ outcome: { state } }];
      await runASync(home.app, connection.id);
      const [account] = (await home.app.request('GET', '/api/v1/accounts', { query: { connection_id: connection.id } }))
        .json;
      const sync = async (before: () => Promise<unknown> = async () => undefined) => {
        home.plaid.answers = [{ before: async () => void (await before()), parts: [pageOf(rows)], outcome: { state } }];
        return runASync(home.app, connection.id);
      };
      const read = async () => {
        const done = await importFile(home.app, FILE, { account_id: account.id });
        expect(done.status).toBe(201);
        return done.json;
      };
      return { sync, read, stored: () => storedTransactions(home.app, connection) };
    }

    it('a file with the same rows, before the commit, after it and at the same time: each row once', async () => {
      const during = await bank();
      await during.sync(during.read);
      expect(await during.stored()).toHaveLength(3);
      const together = await bank();
      await Promise.all([together.sync(), together.read()]);
      expect(await together.stored()).toHaveLength(3);
      const other = await bank();
      await Promise.all([other.read(), other.sync()]);
      expect(await other.stored()).toHaveLength(3);
      await other.read();
      await other.sync();
      expect(await other.stored()).toHaveLength(3);
    });

    it('a deletion between fetch and commit is respected, and so is a revert', async () => {
      const deleted = await bank();
      await deleted.sync();
      const [first] = await deleted.stored();
      const log = await deleted.sync(async () => home.app.request('DELETE', `/api/v1/transactions/${first.id}`));
      expect(log).toMatchObject({ status: 'success', modified_count: 0, unchanged_count: 3 });
      expect(await deleted.stored()).toMatchObject([{ id: first.id, deleted_cause: 'person' }, {}, {}]);
      const reverted = await bank();
      const { change_set_id: set } = (await reverted.read()).import;
      const after = await reverted.sync(async () => home.app.request('POST', `/api/v1/change-sets/${set}/revert`));
      // The bank has the rows, so they are back under their ids.
      expect(after).toMatchObject({ status: 'success', added_count: 0, modified_count: 3 });
      expect(await reverted.stored()).toMatchObject([{ deleted_at: null }, { deleted_at: null }, { deleted_at: null }]);
    });
  });
});
