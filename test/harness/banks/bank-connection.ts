import type { ConnectionsTable } from '../../../src/db/schema.ts';
import { shortIdFor } from '../../../src/db/short-ids.ts';
import { sealAccess } from '../../../src/features/providers/index.ts';
import type { Made } from '../ledger.ts';
import type { TestApp } from '../test-app.ts';

interface NewBankConnection extends Partial<
  Pick<ConnectionsTable, 'status' | 'institution_name' | 'paused' | 'next_sync_at' | 'error_code' | 'error_message'>
> {
  provider?: string;
  itemId?: string;
  /** As the provider keeps them, in JSON. */
  credentials?: string;
}

/** A connection to a bank, as linking leaves it, without accounts. */
export async function addBankConnection(
  app: TestApp,
  member: Made,
  { provider = 'plaid', itemId, credentials, ...columns }: NewBankConnection = {},
): Promise<Made> {
  return app.write('test.connection', async (tx) => {
    const made = { id: tx.ids.uuid(), short_id: await shortIdFor(tx, 'connections') };
    const access = {
      itemId: itemId ?? `item-${made.short_id}`,
      credentials: credentials ?? '{"access_token":"access-sandbox-1"}',
    };
    await tx.q
      .insertInto('connections')
      .values({
        ...made,
        user_id: member.id,
        provider,
        institution_id: null,
        institution_name: 'First Platypus Bank',
        external_id: access.itemId,
        status: 'active',
        paused: 0,
        sync_interval_seconds: null,
        last_sync_at: null,
        next_sync_at: null,
        error_code: null,
        error_message: null,
        consecutive_failures: 0,
        consent_expires_at: null,
        credentials: await sealAccess(tx, app.app.instance, made.id, access),
        sync_position: null,
        created_at: tx.now,
        updated_at: tx.now,
        ...columns,
      })
      .execute();
    tx.journal.record({
      entityType: 'connection',
      entityId: made.id,
      entityShortId: made.short_id,
      operation: 'create',
      before: null,
      after: {},
      revertible: false,
    });
    return made;
  });
}

/** Credentials of the two providers that their simulators accept. */
export async function configureProviders(app: TestApp): Promise<void> {
  const plaid = { client_id: 'test-client', secret: 'test-secret', environment: 'sandbox' };
  const teller = { application_id: 'app_test', environment: 'sandbox', webhook_secret: 'whsec_sim_current' };
  for (const [name, body] of Object.entries({ plaid, teller })) {
    const done = await app.request('PUT', `/api/v1/settings/providers/${name}`, { body });
    if (done.status !== 200) throw new Error(`The settings of ${name} were refused: ${done.text}`);
  }
}
