import { useEffect, useRef, useState, type ReactNode } from 'react';

import type { OutputOf } from '../../../../src/contract/operation.ts';
import {
  denyDeviceRequest,
  getDeviceRequest,
} from '../../../../src/features/device-requests/device-requests.contract.ts';
import { ApiError } from '../../../api/client.ts';
import { useApiQuery, useApiWrite } from '../../../api/queries.ts';
import { Banner, ErrorBanner } from '../../../components/banner.tsx';
import { Button } from '../../../components/button.tsx';
import { Instant } from '../../../components/instant.tsx';
import { Loaded } from '../../../components/skeleton.tsx';
import { ApproveForm } from './approve-form.tsx';

export type DeviceRequest = OutputOf<typeof getDeviceRequest>;

const LOOK_EVERY_MS = 2_000;

/** The request with a code, followed while it can still change: others may decide, the device may collect its key. */
export function DeviceRequestFor({ code }: { code: string }) {
  const [isDecidedHere, setDecidedHere] = useState(false);
  const input = { params: { user_code: code } };
  const request = useApiQuery(getDeviceRequest, input, {
    retry: false,
    refetchInterval: ({ state }) => (isOpen(state.data) ? LOOK_EVERY_MS : false),
  });
  const isUnknown = request.error instanceof ApiError && request.error.status === 404;
  return (
    <div className="mt-8 border-t border-line pt-6">
      {isUnknown ? (
        <Unknown code={code} />
      ) : (
        <Loaded query={request} lines={6}>
          {(found) =>
            found.status === 'pending' ? (
              <ApproveForm request={found} onDecided={() => setDecidedHere(true)} />
            ) : (
              <Outcome isDecidedHere={isDecidedHere}>
                <Decided request={found} isDecidedHere={isDecidedHere} />
              </Outcome>
            )
          }
        </Loaded>
      )}
    </div>
  );
}

/** The buttons that were pressed are gone: what came of them has the focus instead. */
function Outcome({ isDecidedHere, children }: { isDecidedHere: boolean; children: ReactNode }) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isDecidedHere) element.current?.focus();
  }, [isDecidedHere]);
  return (
    <div ref={element} tabIndex={-1} className="outline-none">
      {children}
    </div>
  );
}

function isOpen(request: DeviceRequest | undefined): boolean {
  return request?.status === 'pending' || request?.status === 'approved';
}

function Unknown({ code }: { code: string }) {
  return (
    <Banner tone="warning" title={`No device is waiting with the code ${code}`}>
      Check it against the code on the device. If they match, the code is too old: start again on the device to get a
      new one.
    </Banner>
  );
}

interface DecidedProps {
  request: DeviceRequest;
  /** Then there is no need to say who decided. */
  isDecidedHere: boolean;
}

function Decided({ request, isDecidedHere }: DecidedProps) {
  const name = <bdi className="font-semibold">{request.client_name}</bdi>;
  const by = isDecidedHere || request.decided_at === null ? null : <DecidedBy request={request} />;
  if (request.status === 'expired') {
    return (
      <Banner tone="warning" title="This code has expired">
        A code works for 10 minutes, and {name} did not get a key in that time. Start again on the device, then enter
        the new code here.
      </Banner>
    );
  }
  if (request.status === 'denied') {
    return (
      <Banner tone="info" title={isDecidedHere ? 'Denied' : 'This request was denied'}>
        {name} was not given access. {by}
      </Banner>
    );
  }
  if (request.status === 'consumed') {
    return (
      <Banner tone="success" title={isDecidedHere ? 'The device is connected' : 'This request was approved'}>
        {name} has its key: {access(request)}. {by} You can close this page. To take access away later, revoke the key
        on the API keys page.
      </Banner>
    );
  }
  return <Approved request={request} isDecidedHere={isDecidedHere} />;
}

/** The device has not collected its key yet. */
function Approved({ request, isDecidedHere }: DecidedProps) {
  const deny = useApiWrite(denyDeviceRequest, { refreshes: [getDeviceRequest] });
  const input = { params: { user_code: request.user_code } };
  return (
    <>
      {deny.error && <ErrorBanner error={deny.error} />}
      <Banner
        tone="success"
        title={isDecidedHere ? 'Approved' : 'This request was approved'}
        actions={
          <Button busy={deny.isPending} onClick={() => deny.mutate(input)}>
            Withdraw
          </Button>
        }
      >
        <bdi className="font-semibold">{request.client_name}</bdi> will get its key within a few seconds:{' '}
        {access(request)}. {isDecidedHere ? null : <DecidedBy request={request} />}
      </Banner>
    </>
  );
}

function DecidedBy({ request: { decided_at: at, decided_by: by } }: { request: DeviceRequest }) {
  return (
    <>
      Decided {by?.name ? <>by {by.name} </> : null}
      <Instant at={at} />.
    </>
  );
}

function access({ scope }: DeviceRequest): string {
  if (scope === 'propose') return 'propose, so that a person approves each change';
  return scope === 'full_access' ? 'full access' : 'read only';
}
