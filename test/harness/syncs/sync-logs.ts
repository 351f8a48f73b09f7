import type { Insertable } from 'kysely';

import type { SyncLogsTable } from '../../../src/db/schema-sync.ts';
import { shortIdFor } from '../../../src/db/short-ids.ts';
import type { Made } from '../ledger.ts';
import type { TestApp } from '../test-app.ts';

/** The log of a sync of a connection; it succeeded within a second unless given. */
export async function addSyncLog(
  app: TestApp,
  connection: Made,
  columns: Partial<Insertable<SyncLogsTable>> = {},
): Promise<Made> {
  return app.write('test.sync_log', async (tx) => {
    const made = { id: tx.ids.uuid(), short_id: await shortIdFor(tx, 'sync_logs') };
    await tx.q
      .insertInto('sync_logs')
      .values({
        ...made,
        connection_id: connection.id,
        provider: 'plaid',
        institution_name: 'First Platypus Bank',
        status: 'success',
        trigger: 'cron',
        started_at: tx.now,
        finished_at: tx.now,
        duration_ms: 1_000,
        error_code: null,
        error_message: null,
        warning_message: null,
        provider_error: null,
        change_set_id: null,
        fencing_token: made.id,
        ...columns,
      })
      .execute();
    return made;
  });
}
