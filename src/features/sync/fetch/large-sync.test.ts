import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { accountOf, itemOf, pageOf, rowOf } from '../../../../test/harness/banks/made-up-provider.ts';
import { runASync } from '../../../../test/harness/syncs/run-a-sync.ts';
import { openSyncedHousehold, storedTransactions } from '../../../../test/harness/syncs/synced-household.ts';
import { forEachDatabase } from '../../../../test/harness/test-app.ts';
import { LIMITS } from '../../../kernel/limits.ts';
import { finishLeftovers } from '../chores/keep-house.ts';
import { createSpool } from './spool.ts';

const MANY = LIMITS.syncRowsInPlace * 2;

forEachDatabase((database) => {
  it('spools what is too much for memory, commits it in a thread, and leaves no file', async () => {
    const { app, plaid, connect } = await openSyncedHousehold(database, { workers: 1 });
    const connection = await connect();
    const row = (index: number) =>
      rowOf(`r${index}`, {
        externalAccountId: `a${index % 2}`,
        amountCents: index + 1,
        name: `Ünïcode\u2028 ${index}`,
      });
    const pages = [0, 1, 2, 3].map((page) =>
      pageOf(
        Array.from({ length: MANY / 4 }, (_, index) => {
          const one = row(page * (MANY / 4) + index);
          return { ...one, raw: `{\n"raw": ${one.raw}}` };
        }),
        { removed: page === 3 ? ['r0'] : [] },
      ),
    );
    const state = itemOf([accountOf('a0'), accountOf('a1', { name: 'Savings', mask: '1111' })]);
    plaid.answers = [{ parts: pages, outcome: { state, position: 'p', isCompleteRead: true } }];
    const log = await runASync(app, connection.id);
    expect(log).toMatchObject({ status: 'success', added_count: MANY - 1, accounts_affected: 2 });
    expect(readdirSync(join(app.env['HOMELEDGER_DATA_DIR'] as string, 'temp'))).toEqual([]);
    const stored = await storedTransactions(app, connection);
    expect(stored).toHaveLength(MANY - 1);
    const { database: db } = app.app.instance;
    const feed = await db.read(async (tx) =>
      tx.q.selectFrom('transaction_feeds').selectAll().where('external_id', '=', 'r7').executeTakeFirstOrThrow(),
    );
    expect(JSON.parse(feed.raw)).toEqual({ raw: JSON.parse(row(7).raw) });
    expect(feed).toMatchObject({ namespace: 'plaid', external_account_id: 'a1', sync_log_id: log.id });
    // Everything again: nothing is doubled, and what is removed in the same batch is gone.
    plaid.answers = [{ parts: [...pages, pageOf([], { removed: ['r1'] })], outcome: { state } }];
    expect(await runASync(app, connection.id, { isFull: true })).toMatchObject({
      added_count: 0,
      unchanged_count: MANY - 2,
      removed_count: 1,
    });
  });

  it('removes the spools of dead processes and keeps those of syncs that run', async () => {
    const { app, plaid, connect } = await openSyncedHousehold(database);
    const connection = await connect();
    const dataDir = app.env['HOMELEDGER_DATA_DIR'] as string;
    const left = await createSpool(dataDir, 'dead');
    await left.close();
    plaid.answers = [
      {
        parts: [pageOf(Array.from({ length: LIMITS.syncRowsInPlace + 1 }, (_, index) => rowOf(`s${index}`)))],
        outcome: { state: itemOf([accountOf('account-1')]) },
      },
    ];
    const { instance } = app.app;
    instance.failpoint = (point) => {
      if (point !== 'sync:fetched') return;
      instance.failpoint = () => undefined;
      sweeping = finishLeftovers(instance);
    };
    let sweeping: Promise<void> | undefined;
    expect(await runASync(app, connection.id)).toMatchObject({ status: 'success' });
    await sweeping;
    expect(existsSync(left.path)).toBe(false);
  });
});
