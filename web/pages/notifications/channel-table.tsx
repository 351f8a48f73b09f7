import { Bell, Ellipsis, KeyRound, Pause, Pencil, Play, Trash2 } from 'lucide-react';

import {
  listNotificationChannels,
  testNotificationChannel,
  updateNotificationChannel,
} from '../../../src/features/notifications/notification-channels.contract.ts';
import { EVENTS as ALL_EVENTS } from '../../../src/features/notifications/notification-events.contract.ts';
import { listNotificationDeliveries } from '../../../src/features/notifications/notifications.contract.ts';
import { useApiWrite } from '../../api/queries.ts';
import { Banner, ErrorBanner } from '../../components/banner.tsx';
import { Button, IconButton } from '../../components/button.tsx';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { Instant } from '../../components/instant.tsx';
import { Menu } from '../../components/menu.tsx';
import { Status } from '../../components/status.tsx';
import { showToast } from '../../components/toast-store.ts';
import { EVENTS, FLOORS, FORMATS, STATES, type Channel } from './notification-words.ts';
import type { ChannelAction } from './notifications-page.tsx';

interface ChannelTableProps {
  list: readonly Channel[];
  onAction: (action: ChannelAction) => void;
}

export function ChannelTable({ list, onAction }: ChannelTableProps) {
  const test = useApiWrite(testNotificationChannel, {
    refreshes: [listNotificationChannels, listNotificationDeliveries],
  });
  const tested = list.find(({ id }) => id === test.variables?.params?.id);
  const columns: Column<Channel>[] = [
    { title: 'Channel', isRowHeader: true, cell: (channel) => <ChannelName channel={channel} /> },
    { title: 'Tells about', cell: (channel) => <Wanted channel={channel} /> },
    { title: 'Last message', cell: (channel) => <LastMessage channel={channel} /> },
    {
      title: 'Actions',
      isActions: true,
      cell: (channel) => (
        <span className="inline-flex gap-1">
          <Button
            icon={Bell}
            busy={test.isPending && tested === channel}
            aria-label={`Send a test message to ${channel.name}`}
            onClick={() => test.mutate({ params: { id: channel.id } })}
          >
            Test
          </Button>
          <ChannelMenu channel={channel} onAction={onAction} />
        </span>
      ),
    },
  ];
  return (
    <>
      {test.error !== null && <ErrorBanner error={test.error} />}
      {test.data && tested && !test.isPending && (
        <Banner
          tone={test.data.ok ? 'success' : 'danger'}
          title={
            test.data.ok ? `${tested.name} accepted the test message` : `The test message to ${tested.name} failed`
          }
        >
          {test.data.ok
            ? `Its server answered ${test.data.status_code} after ${test.data.duration_ms} ms.`
            : test.data.detail}
        </Banner>
      )}
      <DataTable caption="Notification channels" columns={columns} rows={list} keyOf={({ id }) => id} empty={null} />
    </>
  );
}

function ChannelName({ channel }: { channel: Channel }) {
  return (
    <>
      {channel.name}
      <span className="block text-sm font-normal break-all text-muted">
        {FORMATS[channel.format]}, {channel.url_masked}
      </span>
      {!channel.enabled && <Status>Off</Status>}
    </>
  );
}

const EVENTS_NAMED = 3;

function Wanted({ channel }: { channel: Channel }) {
  const { events, min_priority: floor, quiet_hours_start: start, quiet_hours_end: end } = channel;
  const total = ALL_EVENTS.length;
  const few = events.length <= EVENTS_NAMED ? events.map((event) => EVENTS[event]).join(' · ') : undefined;
  return (
    <>
      {events.length === total ? 'All events' : (few ?? `${events.length} of ${total} events`)}
      <span className="block text-sm text-muted">
        {[
          ...(floor === 'info' ? [] : [FLOORS[floor]]),
          channel.include_body ? 'With details' : 'Titles only',
          ...(start === null || end === null ? [] : [`Quiet from ${start} to ${end}`]),
        ].join(' · ')}
      </span>
    </>
  );
}

function LastMessage({ channel: { last_delivery: last } }: { channel: Channel }) {
  if (last === null) return <span className="text-muted">None yet</span>;
  const { tone, word } = STATES[last.status];
  return (
    <>
      <Status tone={tone}>{word}</Status>{' '}
      <span className="text-sm text-muted">
        <Instant at={last.at} />
      </span>
      {last.detail !== null && <span className="block text-sm text-muted">{last.detail}</span>}
    </>
  );
}

function ChannelMenu({ channel, onAction }: { channel: Channel; onAction: ChannelTableProps['onAction'] }) {
  const { id, name, enabled, format } = channel;
  const turn = useApiWrite(updateNotificationChannel, {
    refreshes: [listNotificationChannels, listNotificationDeliveries],
    onSuccess: () => showToast(enabled ? `${name} is off.` : `${name} is on.`),
  });
  const change = (): void =>
    turn.mutate(
      { params: { id }, body: { enabled: !enabled } },
      { onError: (error) => showToast(`${name} stays ${enabled ? 'on' : 'off'}. ${error.message}`) },
    );
  return (
    <Menu
      trigger={<IconButton icon={Ellipsis} label={`Actions for ${name}`} />}
      items={[
        { label: 'Edit', icon: Pencil, onSelect: () => onAction({ kind: 'edit', channel }) },
        {
          label: enabled ? 'Turn off' : 'Turn on',
          icon: enabled ? Pause : Play,
          onSelect: change,
        },
        ...(format === 'webhook'
          ? [{ label: 'New signing secret', icon: KeyRound, onSelect: () => onAction({ kind: 'rotate', channel }) }]
          : []),
        { label: 'Delete', icon: Trash2, destructive: true, onSelect: () => onAction({ kind: 'delete', channel }) },
      ]}
    />
  );
}
