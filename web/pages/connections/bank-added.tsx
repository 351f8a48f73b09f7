import { getConnectionStatus } from '../../../src/features/connections/connections.contract.ts';
import { useApiQuery } from '../../api/queries.ts';
import { Banner } from '../../components/banner.tsx';
import { Button, buttonClass } from '../../components/button.tsx';
import { Loaded } from '../../components/skeleton.tsx';
import { counted } from '../../lib/numbers.ts';
import { PageLink } from '../../lib/page-link.tsx';
import type { LinkState } from './bank-window.tsx';
import { bankName } from './connection-words.ts';

const EVERY_MS = 2_000;

/** What came of a link: the banks, and how far their first sync is. */
export function BankAdded({ state, onAnother }: { state: LinkState; onAnother: () => void }) {
  return (
    <>
      {state.result_connection_ids.map((id) => (
        <Added key={id} id={id} />
      ))}
      <Button onClick={onAnother}>Add another bank</Button>
    </>
  );
}

function Added({ id }: { id: string }) {
  const state = useApiQuery(getConnectionStatus, { params: { id } }, { refetchInterval: EVERY_MS });
  return (
    <Loaded query={state} lines={2}>
      {(connection) => {
        const { last_sync_log: log, account_count: count } = connection;
        const isDone = log !== null && log.status !== 'in_progress';
        return (
          <Banner
            tone={log?.status === 'error' ? 'warning' : 'success'}
            title={`${bankName(connection)} is connected`}
            actions={
              <PageLink to="/connections/{id}" params={{ id: connection.short_id }} className={buttonClass('primary')}>
                Open it
              </PageLink>
            }
          >
            <p>{count === 1 ? 'One account was found.' : `${count} accounts were found.`}</p>
            <p>{isDone ? outcome(log) : 'Its transactions are being fetched. You do not have to wait.'}</p>
          </Banner>
        );
      }}
    </Loaded>
  );
}

function outcome(log: { status: string; added_count: number; error_message: string | null }): string {
  if (log.status === 'error') return log.error_message ?? 'The first sync failed. It will be retried automatically.';
  return `${counted(log.added_count, 'transaction has', 'transactions have')} arrived.`;
}
