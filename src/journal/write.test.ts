import { expect, test } from 'vitest';

import { addAccount, addMember } from '../../test/harness/ledger.ts';
import { rowsOf } from '../../test/harness/table-rows.ts';
import { forEachDatabase } from '../../test/harness/test-app.ts';

forEachDatabase((database) => {
  const sets = 'select id from change_sets';

  test('an unjournaled write needs and makes no change set, but only for the entity that was allowed', async () => {
    const app = await database.open();
    const { database: db } = app.app.instance;
    await addAccount(app, await addMember(app, 'Ana'));
    const before = await rowsOf(db, sets);
    const balance = { balance_current_cents: 1_200 };
    await app.write('test.balance', async (tx) => {
      tx.journal.allowUnjournaled('account');
      await tx.q.updateTable('accounts').set(balance).execute();
      expect(tx.journal.isEmpty()).toBe(true);
    });
    expect(await rowsOf(db, sets)).toEqual(before);
    expect(await rowsOf(db, 'select balance_current_cents from accounts')).toEqual([balance]);

    const other = app.write('test.balance', async (tx) => {
      tx.journal.allowUnjournaled('connection');
      await tx.q.updateTable('accounts').set({ balance_current_cents: 0 }).execute();
    });
    await expect(other).rejects.toThrow('accounts was written without a change of type account');
    expect(await rowsOf(db, 'select balance_current_cents from accounts')).toEqual([balance]);
  });
});
