import { shortIdFor } from '../../../src/db/short-ids.ts';
import { bookkeep } from '../../../src/journal/write.ts';
import { addBankConnection } from '../../harness/banks/bank-connection.ts';
import { addMember } from '../../harness/ledger.ts';
import type { Prepared } from '../live-calls.ts';

/** Calls of operations that need data which a new installation lacks: each creates the data and returns its parameters. */
export const prepared: Prepared = {
  replayWebhookEvent: async (app) => {
    const connection = await addBankConnection(app, await addMember(app, 'Ana'));
    const id = await bookkeep(app.app.instance.database, async (tx) => {
      const event = {
        id: tx.ids.uuid(),
        short_id: await shortIdFor(tx, 'webhook_events'),
        provider: 'plaid',
        event_type: 'sync_available',
        connection_id: connection.id,
        institution_name: 'First Platypus Bank',
        raw_payload_hash: '0'.repeat(64),
        status: 'processed',
        error_message: null,
        sync_log_id: null,
        processed_at: tx.now,
        created_at: tx.now,
      };
      await tx.q.insertInto('webhook_events').values(event).execute();
      return event.id;
    });
    return { params: { id } };
  },
};
