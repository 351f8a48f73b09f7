import { addBankConnection } from '../../harness/banks/bank-connection.ts';
import { addMember } from '../../harness/ledger.ts';
import { addSyncLog } from '../../harness/syncs/sync-logs.ts';
import type { Prepared } from '../live-calls.ts';

/** Calls of operations that need data which a new installation lacks: each creates the data and returns its parameters. */
export const prepared: Prepared = {
  getSyncLog: async (app) => {
    const connection = await addBankConnection(app, await addMember(app, 'Eva'));
    return { params: { id: (await addSyncLog(app, connection)).short_id } };
  },
  // Banks are not reached from here, and a connection kept by files is not synced.
  triggerSync: async (app) => {
    const { json } = await app.request('GET', '/api/v1/connections', { query: { provider: 'csv' } });
    return { body: { connection_id: String(json[0].id) } };
  },
};
