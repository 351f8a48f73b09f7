import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';

import type { DeliveredTransaction, FetchedPart } from '../../src/providers/provider.ts';
import { addBankConnection } from '../harness/banks/bank-connection.ts';
import type { Made } from '../harness/ledger.ts';
import { accountOf, itemOf, pageOf, rowOf } from '../harness/banks/made-up-provider.ts';
import { runASync } from '../harness/syncs/run-a-sync.ts';
import { openSyncedHousehold, type SyncedHousehold } from '../harness/syncs/synced-household.ts';
import { forEachDatabase } from '../harness/test-app.ts';
import { replay, steps, type HistoryLedger } from './bank-history.ts';
import { BankWorld, type Read } from './bank-world.ts';

const RUNS = 3;
/** Rows of a page. */
const PAGE_ROWS = 3;

forEachDatabase((database) => {
  describe('random histories of banks', () => {
    let home: SyncedHousehold;
    let count = 0;
    beforeAll(async () => {
      home = await openSyncedHousehold(database);
    });

    it.each(['plaid', 'teller', 'moneta'] as const)('end in what the bank has, beginning with %s', async (reach) => {
      await fc.assert(
        fc.asyncProperty(steps(30), async (all) => {
          const start = new Date(home.app.clock.now()).toISOString().slice(0, 10);
          const world = new BankWorld({ start, mark: `bank-${(count += 1)}` });
          if (reach !== 'plaid') world.relink(reach);
          await replay(world, await householdOf(home, world, count), all);
        }),
        { numRuns: RUNS, endOnFailure: true },
      );
    });
  });
});

/** A household whose bank is the world, with every write as in real life. */
async function householdOf(home: SyncedHousehold, world: BankWorld, number: number): Promise<HistoryLedger> {
  const { app, ana } = home;
  const mask = String(number).padStart(4, '0');
  const link = async (): Promise<Made> =>
    addBankConnection(app, ana, { provider: world.reach, institution_name: `Bank No ${number}` });
  let connection = await link();
  const accountIds = async (): Promise<string[]> =>
    app.app.instance.database.read(async (tx) =>
      (await tx.q.selectFrom('accounts').select('id').where('mask', '=', mask).execute()).map(({ id }) => id),
    );
  const request = async (...given: Parameters<typeof app.request>) => {
    const answer = await app.request(...given);
    expect([answer.status < 300, answer.text]).toEqual([true, answer.text]);
  };
  return {
    async sync(read, isFull) {
      app.clock.set(world.now);
      const account = accountOf(world.source, { mask });
      home[world.reach].answers = [
        {
          parts: partsOf(read),
          outcome: {
            state: itemOf([account], { institutionName: `Bank No ${number}` }),
            position: 'somewhere',
            isCompleteRead: read.batch.isCompleteRead,
            reads: read.batch.read
              ? [{ externalAccountId: world.source, ...read.batch.read, position: 'p', isWideRead: isFull }]
              : [],
          },
        },
      ];
      const log = await runASync(app, connection.id, { isFull });
      expect([log.status, log.skipped_count]).toEqual(['success', 0]);
      expect(await accountIds()).toHaveLength(1);
    },
    async relink() {
      app.clock.set(world.now);
      await request('DELETE', `/api/v1/connections/${connection.id}`);
      connection = await link();
    },
    live: () => liveIn(home, mask),
    storedUnder: (externalId) => storedUnder(home, world.reach, externalId),
    async importFile(_, rows) {
      const [accountId] = await accountIds();
      // The answer would tell the provider, which the API does not know.
      if (accountId === undefined || world.reach === 'moneta') return false;
      const lines = rows.map(
        ({ date, shop, amountCents }) => `${date},${shop} 1234,-${(amountCents / 100).toFixed(2)}`,
      );
      const csv = ['Date,Description,Amount', ...lines].join('\n');
      const body = {
        csv_base64: Buffer.from(csv).toString('base64'),
        account_id: accountId,
        date_format: 'YYYY-MM-DD',
      };
      await request('POST', '/api/v1/connections/csv/import', { body });
      return true;
    },
    tag: (id, tag) =>
      request('POST', '/api/v1/transactions/update', {
        body: { operations: [{ transaction_id: id, tags_to_add: [tag] }] },
      }),
    remove: (id) => request('DELETE', `/api/v1/transactions/${id}`),
  };
}

/** In pages of a few rows, each with the removals after its rows. */
function partsOf({ words }: Read): FetchedPart[] {
  const pages: { rows: DeliveredTransaction[]; removed: string[] }[] = [{ rows: [], removed: [] }];
  for (const word of words) {
    const last = pages.at(-1);
    const isFull = !last || last.rows.length >= PAGE_ROWS || ('row' in word && last.removed.length > 0);
    const page = isFull ? { rows: [], removed: [] } : last;
    if (isFull) pages.push(page);
    if ('row' in word) page.rows.push(rowOf(word.row.externalId, { ...word.row }));
    else page.removed.push(word.removedId);
  }
  return pages.map(({ rows, removed }) => pageOf(rows, { removed }));
}

async function liveIn({ app }: SyncedHousehold, mask: string) {
  return app.app.instance.database.read(async (tx) => {
    const rows = await tx.q
      .selectFrom('transactions as t')
      .innerJoin('accounts as a', 'a.id', 't.account_id')
      .leftJoin('transaction_feeds as f', 'f.transaction_id', 't.id')
      .select(['t.id', 't.date', 't.amount_cents', 't.name', 't.pending', 'f.namespace'])
      .where('a.mask', '=', mask)
      .where('t.deleted_at', 'is', null)
      .execute();
    const tags = await tx.q
      .selectFrom('transaction_tags as l')
      .innerJoin('tags', 'tags.id', 'l.tag_id')
      .select(['l.transaction_id', 'tags.slug'])
      .execute();
    return rows.map((row) => ({
      id: row.id,
      date: row.date,
      amountCents: row.amount_cents,
      name: row.name,
      pending: row.pending === 1,
      tags: tags.filter((one) => one.transaction_id === row.id).map(({ slug }) => slug),
      isFed: row.namespace !== null,
    }));
  });
}

async function storedUnder({ app }: SyncedHousehold, namespace: string, externalId: string) {
  return app.app.instance.database.read(async (tx) => {
    const row = await tx.q
      .selectFrom('transaction_aliases as a')
      .innerJoin('transactions as t', 't.id', 'a.transaction_id')
      .innerJoin('transaction_feeds as f', 'f.transaction_id', 't.id')
      .select(['f.external_id', 't.pending', 't.amount_cents'])
      .where('a.namespace', '=', namespace)
      .where('a.external_id', '=', externalId)
      .executeTakeFirst();
    return row ? { presentId: row.external_id, pending: row.pending === 1, amountCents: row.amount_cents } : null;
  });
}
