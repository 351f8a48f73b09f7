import { sql } from 'kysely';

import type { ConnectionsTable } from '../../../db/schema.ts';
import type { ReadTx } from '../../../db/unit-of-work.ts';
import { CREDENTIALS_UNREADABLE } from '../../../engines/sync/sync-errors.ts';
import { instantNow } from '../../../kernel/clock.ts';
import { DAY_MS, instantAfter } from '../../../kernel/dates.ts';
import { LIMITS } from '../../../kernel/limits.ts';
import { ProviderFailure } from '../../../providers/provider-failure.ts';
import type { Access, AccountPosition, FetchRequest, Provider } from '../../../providers/provider.ts';
import { findConnectionOf } from '../../connections/index.ts';
import type { Instance } from '../../handler.ts';
import { accessOf, openProvider } from '../../providers/index.ts';
import type { SyncTurn } from '../run/run-sync.ts';

/** What a sync needs before it asks the provider. */
export interface LoadedSync {
  readonly provider: Provider;
  readonly access: Access;
  readonly request: Omit<FetchRequest, 'signal'>;
}

/** @throws ProviderFailure if the provider is not configured or its access cannot be decrypted */
export async function loadSync(instance: Instance, { connectionId, isFull }: SyncTurn): Promise<LoadedSync> {
  const widely = instantAfter(instantNow(instance.clock), -LIMITS.syncWideReadDays * DAY_MS);
  const { connection, accounts } = await instance.database.read(async (tx) => ({
    connection: (await findConnectionOf(tx, connectionId)) as ConnectionsTable,
    accounts: await selectPositions(tx, connectionId, widely),
  }));
  const provider = await openProvider(instance, connection.provider);
  if (!provider) throw new ProviderFailure({ failureClass: 'config', code: 'PROVIDER_NOT_CONFIGURED' });
  const access = accessOf(instance, connection);
  if (!access) throw new ProviderFailure({ failureClass: 'login', code: CREDENTIALS_UNREADABLE });
  const request = { position: isFull ? null : connection.sync_position, accounts: isFull ? [] : accounts, isFull };
  return { provider, access, request };
}

/** Where the last complete read of each account ended, and the pending rows that the next one must see. */
async function selectPositions(tx: ReadTx, connectionId: string, wideReadBefore: string): Promise<AccountPosition[]> {
  const { rows } = await sql<{
    external_account_id: string;
    position: string | null;
    wide_read_at: string | null;
    oldest: string | null;
  }>`select f.external_account_id, f.position, f.wide_read_at,
      (select min(t.date) from transactions t join transaction_feeds r on r.transaction_id = t.id
        where t.pending = 1 and t.account_id = f.account_id and t.deleted_at is null) as oldest
    from account_feeds f join accounts a on a.id = f.account_id
    where f.connection_id = ${connectionId} and a.deleted_at is null
    order by f.first_synced_at, f.account_id`.execute(tx.q);
  return rows.map((row) => ({
    externalAccountId: row.external_account_id,
    position: row.position,
    oldestPendingDate: row.oldest,
    isWideReadDue: row.wide_read_at === null || row.wide_read_at <= wideReadBefore,
  }));
}

/** Whether the accounts of a connection have so many transactions that comparing balances with them takes long. */
export async function hasLongHistory(tx: ReadTx, connectionId: string): Promise<boolean> {
  const { rows } = await sql`select 1 from account_feeds f join transactions t on t.account_id = f.account_id
    where f.connection_id = ${connectionId} limit 1 offset ${sql.lit(LIMITS.syncHistoryInPlace)}`.execute(tx.q);
  return rows.length > 0;
}
