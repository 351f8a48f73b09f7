import { LogOut } from 'lucide-react';

import type { OutputOf } from '../../../src/contract/operation.ts';
import { endOtherSessions, endSession, listSessions } from '../../../src/features/auth/auth.contract.ts';
import { useApiQuery, useApiWrite } from '../../api/queries.ts';
import { ErrorBanner } from '../../components/banner.tsx';
import { Button } from '../../components/button.tsx';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { Instant } from '../../components/instant.tsx';
import { Section } from '../../components/page-header.tsx';
import { Loaded } from '../../components/skeleton.tsx';
import { Status } from '../../components/status.tsx';
import { showToast } from '../../components/toast-store.ts';
import { counted } from '../../lib/numbers.ts';
import { browserName } from './browser-name.ts';

type OpenSession = OutputOf<typeof listSessions>[number];

/** Where a person is signed in, and the way to end it. */
export function SessionList() {
  const sessions = useApiQuery(listSessions, {});
  const end = useApiWrite(endSession, { refreshes: [listSessions], onSuccess: () => showToast('Session ended.') });
  const endOthers = useApiWrite(endOtherSessions, {
    refreshes: [listSessions],
    onSuccess: ({ ended }) => showToast(`${counted(ended, 'session')} ended.`),
  });
  const hasOthers = (sessions.data ?? []).some(({ current }) => !current);
  const columns: Column<OpenSession>[] = [
    { title: 'Browser', isRowHeader: true, cell: (one) => <SessionName session={one} /> },
    { title: 'Address', cell: (one) => one.client_address },
    { title: 'Signed in', cell: (one) => <Instant at={one.created_at} /> },
    { title: 'Last seen', cell: (one) => <Instant at={one.last_seen_at} /> },
    {
      title: 'Actions',
      isActions: true,
      cell: (one) =>
        !one.current && (
          <Button
            aria-label={`End the session in ${browserName(one.user_agent)}`}
            busy={end.isPending && end.variables.params?.id === one.id}
            onClick={() => end.mutate({ params: { id: one.id } })}
          >
            End
          </Button>
        ),
    },
  ];
  return (
    <Section
      title="Where you are signed in"
      actions={
        <Button
          icon={LogOut}
          busy={endOthers.isPending}
          disabledReason={hasOthers ? undefined : 'You are signed in only in this browser.'}
          onClick={() => endOthers.mutate({})}
        >
          End all other sessions
        </Button>
      }
    >
      {end.error && <ErrorBanner error={end.error} />}
      {endOthers.error && <ErrorBanner error={endOthers.error} />}
      <Loaded query={sessions} lines={3}>
        {(list) => (
          <DataTable caption="Your sessions" columns={columns} rows={list} keyOf={({ id }) => id} empty={null} />
        )}
      </Loaded>
    </Section>
  );
}

function SessionName({ session }: { session: OpenSession }) {
  return (
    <>
      {browserName(session.user_agent)} {session.current && <Status tone="success">This browser</Status>}
    </>
  );
}
