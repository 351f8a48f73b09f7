import { findConnectionOf } from '../../../src/features/connections/index.ts';
import { releaseLease, takeLease } from '../../../src/features/sync/turns/leases.ts';
import { runSync } from '../../../src/features/sync/run/run-sync.ts';
import type { SyncTrigger } from '../../../src/features/sync/index.ts';
import type { ConnectionsTable, SyncLogsTable } from '../../../src/db/schema.ts';
import { bookkeep } from '../../../src/journal/write.ts';
import type { Selectable } from 'kysely';
import type { TestApp } from '../test-app.ts';

interface Wanted {
  trigger?: SyncTrigger;
  isFull?: boolean;
  signal?: AbortSignal;
}

/** Runs one sync of a connection to its end, as the scheduler does. Answers its log as it is stored. */
export async function runASync(
  { app: { instance } }: TestApp,
  connectionId: string,
  { trigger = 'manual', isFull = false, signal = new AbortController().signal }: Wanted = {},
): Promise<Selectable<SyncLogsTable>> {
  const { database } = instance;
  const turn = await bookkeep(database, async (tx) => {
    const connection = (await findConnectionOf(tx, connectionId)) as ConnectionsTable;
    return takeLease(tx, instance, connection, { trigger, isFull }, 'a test');
  });
  if (!turn) throw new Error('Another sync of the connection runs.');
  await runSync(instance, turn, signal);
  await bookkeep(database, (tx) => releaseLease(tx, turn));
  return database.read(async (tx) =>
    tx.q.selectFrom('sync_logs').selectAll().where('id', '=', turn.syncLogId).executeTakeFirstOrThrow(),
  );
}
