import { sql } from 'kysely';

import type { OutputOf } from '../../contract/operation.ts';
import type { ReadTx } from '../../db/unit-of-work.ts';
import { handleRead } from '../handler.ts';
import { configuredProviders } from '../providers/index.ts';
import { findLastFinished } from './logs/sync-history.queries.ts';
import { getProviderHealth as operation } from './sync.contract.ts';

type Providers = OutputOf<typeof operation>['providers'];
type Name = keyof Providers;

export const getProviderHealth = handleRead(operation, async ({ tx, instance }) => {
  const configured = [...(await configuredProviders(tx, instance)), 'csv'];
  const counts = await countConnections(tx);
  const of = async (provider: Name): Promise<Providers[Name]> => {
    const last = provider === 'csv' ? undefined : await findLastFinished(tx, provider);
    const own = counts.filter((row) => row.provider === provider);
    const inStatus = (status: string): number => Number(own.find((row) => row.status === status)?.connections ?? 0);
    return {
      provider,
      configured: configured.includes(provider),
      connection_count: own.reduce((sum, row) => sum + Number(row.connections), 0),
      account_count: own.reduce((sum, row) => sum + Number(row.accounts), 0),
      status_counts: {
        active: inStatus('active'),
        error: inStatus('error'),
        pending_reauth: inStatus('pending_reauth'),
      },
      last_sync_status: (last?.status as 'success' | 'error' | undefined) ?? null,
      last_sync_time: last?.finished_at ?? null,
      last_sync_error: last?.error_message ?? null,
    };
  };
  return { providers: { plaid: await of('plaid'), teller: await of('teller'), csv: await of('csv') } };
});

interface Counted {
  provider: string;
  status: string;
  connections: number | string;
  accounts: number | string;
}

async function countConnections(tx: ReadTx): Promise<readonly Counted[]> {
  const { rows } = await sql<Counted>`select c.provider, c.status, count(*) as connections,
      sum((select count(*) from accounts a where a.connection_id = c.id and a.deleted_at is null)) as accounts
    from connections c where c.status <> 'disconnected' group by c.provider, c.status`.execute(tx.q);
  return rows;
}
