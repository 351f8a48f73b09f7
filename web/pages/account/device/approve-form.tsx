import { useWatch, type Control } from 'react-hook-form';
import type { z } from 'zod';

import type { OutputOf } from '../../../../src/contract/operation.ts';
import {
  approveDeviceRequest,
  denyDeviceRequest,
  getDeviceRequest,
} from '../../../../src/features/device-requests/device-requests.contract.ts';
import { listUsers } from '../../../../src/features/users/users.contract.ts';
import { api, ApiError } from '../../../api/client.ts';
import { refresh, useApiQuery, useApiWrite } from '../../../api/queries.ts';
import { useSession } from '../../../api/session.ts';
import { Banner, ErrorBanner } from '../../../components/banner.tsx';
import { Button } from '../../../components/button.tsx';
import { RadioGroup, Select } from '../../../components/choice-fields.tsx';
import { Form, useOperationForm } from '../../../components/form.tsx';
import { Instant } from '../../../components/instant.tsx';
import { Loaded } from '../../../components/skeleton.tsx';
import { TextField } from '../../../components/text-fields.tsx';
import type { DeviceRequest } from './device-request.tsx';

interface ApproveFormProps {
  request: DeviceRequest;
  onDecided: () => void;
}

/** What asks, and what it would get. */
export function ApproveForm(props: ApproveFormProps) {
  const users = useApiQuery(listUsers, {});
  return (
    <>
      <WhoAsks request={props.request} />
      <Loaded query={users} lines={6}>
        {(members) => <Decision {...props} members={members} />}
      </Loaded>
    </>
  );
}

/** The members are already loaded: a list that gets its choice before its options would show another one. */
function Decision({ request, onDecided, members }: ApproveFormProps & { members: OutputOf<typeof listUsers> }) {
  const params = { user_code: request.user_code };
  const own = useSession().data?.user?.short_id ?? '';
  const deny = useApiWrite(denyDeviceRequest, { refreshes: [getDeviceRequest], onSuccess: onDecided });
  const form = useOperationForm(approveDeviceRequest, {
    defaults: { scope: wishOf(request), name: `Device: ${request.client_name}`, user_id: own },
    send: async (body) => {
      try {
        await api.call(approveDeviceRequest, { params, body });
        onDecided();
      } catch (error) {
        if (!isDecidedElsewhere(error)) throw error;
      }
      await refresh([getDeviceRequest]);
    },
  });
  return (
    <>
      {deny.error && <ErrorBanner error={deny.error} />}
      <Form
        form={form}
        submit="Approve"
        actions={
          <Button busy={deny.isPending} onClick={() => deny.mutate({ params })}>
            Deny
          </Button>
        }
      >
        <RadioGroup name="scope" label="What it can do" options={SCOPES} />
        <FullAccessWarning control={form.control} />
        <Select
          name="user_id"
          label="Whose device is it?"
          hint="Its changes are recorded under this person’s name."
          options={[
            ...members.map(({ short_id: value, name: label }) => ({ value, label })),
            { value: '', label: 'No one in particular' },
          ]}
        />
        <TextField
          name="name"
          label="Key name"
          hint="The key appears under this name on the API keys page."
          autoComplete="off"
        />
      </Form>
    </>
  );
}

/** Then the page shows the request as it is now: who decided, or that it has expired. */
function isDecidedElsewhere(error: unknown): boolean {
  return error instanceof ApiError && (error.code === 'CONFLICT' || error.code === 'EXPIRED');
}

function WhoAsks({ request }: { request: DeviceRequest }) {
  const rows = [
    ['Name it gave', <bdi key="name">{request.client_name}</bdi>],
    ['Address', request.client_address],
    ['Access wanted', NAMES[request.requested_scope]],
    ['Requested', <Instant key="asked" at={request.created_at} />],
    ['Expires', <Instant isPlanned key="expires" at={request.expires_at} />],
  ] as const;
  return (
    <>
      <h2 className="mb-3 text-lg font-semibold">Does your device show this code?</h2>
      <p className="mb-3 rounded-card bg-sunken p-4 text-center font-mono text-2xl font-semibold tracking-widest">
        {request.user_code}
      </p>
      <p className="mb-4">
        Approve only if your device is showing this code now. If it is not, someone else may be asking: choose Deny.
      </p>
      <dl className="mb-6 grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
        {rows.map(([term, value]) => (
          <div key={term} className="contents">
            <dt className="text-muted">{term}</dt>
            <dd className="min-w-0 break-words">{value}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}

type Approval = z.input<NonNullable<(typeof approveDeviceRequest)['body']>>;

const NAMES = { read_only: 'Read only', propose: 'Propose', full_access: 'Full access' } as const;

const SCOPES = [
  { value: 'read_only', label: 'Read only', hint: 'Can see everything, but not change anything.' },
  {
    value: 'propose',
    label: 'Propose: a person approves each change',
    hint: 'For agents. What it wants to change waits under Proposals until one of you decides.',
  },
  { value: 'full_access', label: 'Full access', hint: 'Can see, change and delete everything.' },
];

/** What the device asks for is chosen, but never full access: that takes a decision. */
function wishOf({ requested_scope: wish }: DeviceRequest): 'read_only' | 'propose' {
  return wish === 'propose' ? 'propose' : 'read_only';
}

function FullAccessWarning({ control }: { control: Control<Approval> }) {
  const isFull = useWatch({ control, name: 'scope' }) === 'full_access';
  if (!isFull) return null;
  return (
    <Banner tone="warning" title="Full access means everything">
      The device will be able to change and delete your data, create API keys and let other people in. Choose this only
      for a device you trust completely.
    </Banner>
  );
}
