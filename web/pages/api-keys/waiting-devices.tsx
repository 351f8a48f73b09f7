import { listDeviceRequests } from '../../../src/features/device-requests/device-requests.contract.ts';
import { useApiQuery } from '../../api/queries.ts';
import { DataTable } from '../../components/data-table.tsx';
import { Instant } from '../../components/instant.tsx';
import { Section } from '../../components/page-header.tsx';
import { Awaited } from '../../components/skeleton.tsx';
import { LINK, PageLink } from '../../lib/page-link.tsx';
import { SCOPES } from './key-fields.tsx';

const LOOK_EVERY_MS = 5_000;

/** Devices that are asking for a key. Nothing is shown while there are none. */
export function WaitingDevices() {
  const requests = useApiQuery(listDeviceRequests, {}, { refetchInterval: LOOK_EVERY_MS });
  if (requests.isPending) return <Awaited />;
  if (requests.data === undefined || requests.data.length === 0) return null;
  return (
    <Section title="Devices waiting for approval">
      <DataTable
        caption="Devices waiting for approval"
        rows={requests.data}
        keyOf={(request) => request.id}
        empty={null}
        columns={[
          { title: 'Name it gave', isRowHeader: true, cell: (request) => request.client_name },
          { title: 'Address', cell: (request) => request.client_address },
          { title: 'Access wanted', cell: (request) => SCOPES[request.requested_scope] },
          { title: 'Requested', cell: (request) => <Instant at={request.created_at} /> },
          {
            title: 'Decide',
            isActions: true,
            cell: (request) => (
              <PageLink to="/auth/device" search={{ code: request.user_code }} className={LINK}>
                Review {request.user_code}
              </PageLink>
            ),
          },
        ]}
      />
    </Section>
  );
}
