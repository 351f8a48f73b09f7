import { getConnectionStatus } from '../../../src/features/connections/connections.contract.ts';
import { useApiQuery } from '../../api/queries.ts';
import { BackLink } from '../../components/back-link.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Loaded } from '../../components/skeleton.tsx';
import { usePageParams } from '../../lib/page-link.tsx';
import { AccountSection } from './account-section.tsx';
import { ConnectionActions } from './connection-actions.tsx';
import { bankName, PROVIDER_NAMES, type ConnectionState } from './connection-words.ts';
import { FactsSection } from './facts-section.tsx';
import { RunsSection } from './runs-section.tsx';
import { useRunningSyncs } from './running-syncs.ts';
import { RenewalDialog, useRenewal } from './sign-in-at-bank.tsx';
import { Trouble } from './trouble.tsx';

const EVERY_MS = 30_000;
const RUNNING_MS = 2_000;

/** One bank: its state, its accounts, its syncs, and everything that can be done with it. */
export default function ConnectionPage() {
  const { id = '' } = usePageParams();
  const state = useApiQuery(
    getConnectionStatus,
    { params: { id } },
    { refetchInterval: ({ state: { data } }) => (data && isBusy(data) ? RUNNING_MS : EVERY_MS) },
  );
  const running = useRunningSyncs();
  return (
    <>
      <BackLink to="/connections">Connections</BackLink>
      {state.data === undefined && <PageHeader title="Connection" />}
      <Loaded query={state} lines={8}>
        {(connection) => (
          <Details connection={connection} isRunning={isBusy(connection) || running.has(connection.id)} />
        )}
      </Loaded>
    </>
  );
}

function isBusy({ running_sync_log_id: running, sync_queued: isQueued }: ConnectionState): boolean {
  return running !== null || isQueued;
}

function Details({ connection, isRunning }: { connection: ConnectionState; isRunning: boolean }) {
  const renewal = useRenewal(connection);
  return (
    <>
      <PageHeader
        title={bankName(connection)}
        lead={`${connection.user_name} · ${PROVIDER_NAMES[connection.provider]}`}
        actions={<ConnectionActions connection={connection} isRunning={isRunning} renewal={renewal} />}
      />
      <RenewalDialog connection={connection} renewal={renewal} />
      <Trouble connection={connection} renewal={renewal} />
      <FactsSection connection={connection} isRunning={isRunning} />
      <AccountSection connection={connection} />
      {connection.provider !== 'csv' && <RunsSection connection={connection} />}
    </>
  );
}
