import { sql } from 'kysely';

import type { SyncLogsTable, SyncTurnsTable } from '../../../src/db/schema-sync.ts';
import type { ConnectionsTable } from '../../../src/db/schema.ts';
import { MINUTE_MS } from '../../../src/kernel/dates.ts';
import type { Answer, ScriptedProvider } from '../banks/made-up-provider.ts';
import { eventually } from '../eventually.ts';
import type { Made } from '../ledger.ts';
import type { TestApp } from '../test-app.ts';
import type { SyncedHousehold } from './synced-household.ts';
import type { Selectable, Updateable } from 'kysely';

/** Visits at a scripted bank that last until the test lets them end. */
export interface Visits {
  /** How many are there now. */
  readonly here: () => number;
  /** The most that were ever there at once. */
  readonly most: () => number;
  /** Resolves when so many are there. */
  arrive: (count: number) => Promise<void>;
  /** Lets everybody go, those that come later too. */
  open: () => void;
  /** From now on visits last again. */
  close: () => void;
}

/** Has every fetch of the provider wait. A visit ends early, as a request does, when its sync is given up. */
export function holdVisits(provider: ScriptedProvider, answer: Answer = {}): Visits {
  let [here, most] = [0, 0];
  let gate = Promise.withResolvers<void>();
  provider.answers = [
    {
      ...answer,
      before: async () => {
        most = Math.max(most, (here += 1));
        const { signal } = provider.requests.at(-1) as { signal: AbortSignal };
        const given = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
        await Promise.race([gate.promise, given]);
        here -= 1;
      },
    },
  ];
  return {
    here: () => here,
    most: () => most,
    arrive: (count) =>
      eventually(() => {
        if (here !== count) throw new Error(`${here} visits instead of ${count}`);
      }),
    open: () => gate.resolve(),
    close: () => {
      gate = Promise.withResolvers<void>();
    },
  };
}

type Log = Selectable<SyncLogsTable>;

/** The syncs of a connection, or of all, in the order in which they began. */
export async function logsOf({ app }: TestApp, connection?: Made): Promise<Log[]> {
  return app.instance.database.read(async (tx) => {
    let query = tx.q.selectFrom('sync_logs').selectAll();
    if (connection) query = query.where('connection_id', '=', connection.id);
    return query.orderBy('started_at').orderBy('id').execute();
  });
}

export async function turnOf({ app }: TestApp, { id }: Made): Promise<Selectable<SyncTurnsTable> | undefined> {
  return app.instance.database.read(async (tx) =>
    tx.q.selectFrom('sync_turns').selectAll().where('connection_id', '=', id).executeTakeFirst(),
  );
}

export async function connectionOf({ app }: TestApp, { id }: Made): Promise<ConnectionsTable> {
  return app.instance.database.read(async (tx) =>
    tx.q.selectFrom('connections').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
  );
}

/** Changes columns of a connection below the service. */
export async function alter(app: TestApp, { id }: Made, columns: Updateable<ConnectionsTable>): Promise<void> {
  await app.write('test.connection', async (tx) => {
    tx.journal.allowUnjournaled('connection');
    await tx.q.updateTable('connections').set(columns).where('id', '=', id).execute();
  });
}

/** An hour before the tests begin. */
export const DUE = '2026-04-26T05:00:00.000Z';

/** Connections that are due, each a minute longer than the one before, unless `columns` say otherwise. */
export async function dueBanks(
  { app, connect }: SyncedHousehold,
  count: number,
  columns: Updateable<ConnectionsTable> = {},
): Promise<Made[]> {
  const banks = [];
  for (let at = 0; at < count; at += 1) {
    const bank = await connect();
    const due = new Date(Date.parse(DUE) - at * MINUTE_MS).toISOString();
    await alter(app, bank, { next_sync_at: due, sync_position: 'p', ...columns });
    banks.push(bank);
  }
  return banks;
}

/** Milliseconds until the next sync of a connection. */
export async function waitOf(app: TestApp, bank: Made): Promise<number> {
  return Date.parse((await connectionOf(app, bank)).next_sync_at ?? '') - app.clock.now();
}

/** Lets the lease of a connection end, as if its holder had died long ago. */
export async function endLease(app: TestApp, { id }: Made): Promise<void> {
  await app.write('test.lease', async (tx) => {
    await sql`update sync_turns set expires_at = '2020-01-01T00:00:00.000Z' where connection_id = ${id}`.execute(tx.q);
  });
}

/** Looks until nothing waits or is due, and no sync runs. */
export async function syncAll({ app }: TestApp): Promise<void> {
  const { syncs } = app.instance;
  for (let count = -1, before = -2; count !== before;) {
    before = count;
    await syncs().look();
    await syncs().settled();
    count = (await logsOf({ app } as TestApp)).length;
  }
}
