import { useState } from 'react';
import { z } from 'zod';

import type { OutputOf } from '../../../src/contract/operation.ts';
import {
  createNotificationChannel,
  getNotificationChannel,
  listNotificationChannels,
  NewNotificationChannel,
  updateNotificationChannel,
} from '../../../src/features/notifications/notification-channels.contract.ts';
import { EVENTS as ALL_EVENTS } from '../../../src/features/notifications/notification-events.contract.ts';
import { useApiRecord, useApiWrite, type KnownRecord } from '../../api/queries.ts';
import { Checkbox, CheckboxGroup, RadioGroup, Select } from '../../components/choice-fields.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Form, useOperationForm } from '../../components/form.tsx';
import { Loaded } from '../../components/skeleton.tsx';
import { inFields } from '../../components/stored-record.ts';
import { TextField } from '../../components/text-fields.tsx';
import { showToast } from '../../components/toast-store.ts';
import { NewSecret } from './new-secret.tsx';
import { EVENTS, FLOORS, type Channel } from './notification-words.ts';

type MadeChannel = OutputOf<typeof createNotificationChannel>;

/** An empty token or address is not sent. */
const ChannelForm = {
  body: NewNotificationChannel.omit({ secret: true, enabled: true }).extend({ url: z.string(), token: z.string() }),
};

const FORMAT_OPTIONS = [
  { value: 'ntfy', label: 'ntfy', hint: 'Push messages to phones, over ntfy.sh or your own server.' },
  { value: 'gotify', label: 'Gotify', hint: 'Push messages over your own Gotify server.' },
  { value: 'webhook', label: 'Webhook', hint: 'A signed request to Home Assistant, or to a program of your own.' },
];
const ADDRESSES: Readonly<Record<string, string>> = {
  ntfy: 'The address of the topic, such as https://ntfy.sh/a-topic-nobody-guesses.',
  gotify: 'The address of the server, such as https://gotify.home.example.',
  webhook: 'Where requests are sent, such as https://home.example/api/webhook/an-id-nobody-guesses.',
};
const EVENT_OPTIONS = ALL_EVENTS.map((value) => ({ value, label: EVENTS[value] }));
const FLOOR_OPTIONS = Object.entries(FLOORS).map(([value, label]) => ({ value, label }));

/** Asks for a new channel, then shows its signing secret once. */
export function CreateChannelDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const [made, setMade] = useState<MadeChannel | null>(null);
  const close = (): void => {
    setMade(null);
    onClose();
  };
  return (
    <Dialog
      open={open}
      title={made === null ? 'New channel' : `The channel ${made.name}`}
      onClose={made === null ? close : () => undefined}
    >
      {made === null ? (
        <NewChannel
          onMade={(channel) => {
            if (channel.format === 'webhook') setMade(channel);
            else close();
          }}
          onCancel={close}
        />
      ) : (
        <NewSecret secret={made.secret ?? null} onDone={close} />
      )}
    </Dialog>
  );
}

function NewChannel({ onMade, onCancel }: { onMade: (made: MadeChannel) => void; onCancel: () => void }) {
  const create = useApiWrite(createNotificationChannel, { refreshes: [listNotificationChannels], onSuccess: onMade });
  const form = useOperationForm(ChannelForm, {
    defaults: {
      name: '',
      format: 'ntfy',
      url: '',
      token: '',
      events: [...ALL_EVENTS],
      min_priority: 'info',
      include_body: false,
      quiet_hours_start: '',
      quiet_hours_end: '',
    },
    send: ({ token, ...body }) =>
      create.mutateAsync({ body: { ...body, ...(token === '' || body.format === 'webhook' ? {} : { token }) } }),
  });
  const format = form.watch('format');
  return (
    <Form form={form} submit="Create channel" onCancel={onCancel}>
      <RadioGroup name="format" label="Kind" options={FORMAT_OPTIONS} />
      <TextField name="name" label="Name" hint="Such as Phone or Home Assistant." />
      <TextField name="url" label="Address" type="url" autoComplete="off" hint={ADDRESSES[format]} />
      {format !== 'webhook' && <TokenField format={format} />}
      <ChannelFields />
    </Form>
  );
}

/** Changes a channel. Its address and token are not shown; left empty, they stay. */
export function EditChannelDialog({ channel, onClose }: { channel: Channel; onClose: () => void }) {
  const record = useApiRecord(getNotificationChannel, { params: { id: channel.id } });
  return (
    <Dialog open title={`Edit ${channel.name}`} onClose={onClose}>
      <Loaded query={record} lines={10}>
        {(known) => <EditChannel known={known} reread={record.reread} onClose={onClose} />}
      </Loaded>
    </Dialog>
  );
}

function fieldsOf(channel: Channel) {
  return {
    name: channel.name,
    format: channel.format,
    url: '',
    token: '',
    events: channel.events,
    min_priority: channel.min_priority,
    include_body: channel.include_body,
    quiet_hours_start: channel.quiet_hours_start ?? '',
    quiet_hours_end: channel.quiet_hours_end ?? '',
  };
}

interface EditChannelProps {
  known: KnownRecord<Channel>;
  reread: () => Promise<KnownRecord<Channel>>;
  onClose: () => void;
}

function EditChannel({ known, reread, onClose }: EditChannelProps) {
  const { value: channel } = known;
  const update = useApiWrite(updateNotificationChannel, {
    refreshes: [listNotificationChannels, getNotificationChannel],
    onSuccess: () => {
      showToast('Channel changed.');
      onClose();
    },
  });
  const record = inFields({ known, reread }, fieldsOf);
  const form = useOperationForm(ChannelForm, {
    defaults: record.values,
    record,
    send: ({ format: _fixed, url, token, ...body }, ifMatch) =>
      update.mutateAsync({
        params: { id: channel.id },
        body: { ...body, ...(url === '' ? {} : { url }), ...(token === '' ? {} : { token }) },
        ifMatch,
      }),
  });
  return (
    <Form form={form} submit="Save" onCancel={onClose}>
      <TextField name="name" label="Name" autoFocus />
      <TextField
        name="url"
        label="New address"
        type="url"
        autoComplete="off"
        optional
        hint={`It is ${channel.url_masked} now, and stays that if you leave this empty.`}
      />
      {channel.format !== 'webhook' && <TokenField format={channel.format} isSet={channel.has_token} />}
      <ChannelFields />
    </Form>
  );
}

function TokenField({ format, isSet = false }: { format: string; isSet?: boolean }) {
  const use = format === 'gotify' ? 'The token of an application in Gotify.' : 'Only if the topic is protected.';
  return (
    <TextField
      name="token"
      label={isSet ? 'New token' : 'Token'}
      hint={isSet ? 'One is set, and stays if you leave this empty.' : use}
      optional={isSet || format === 'ntfy'}
      autoComplete="off"
      spellCheck={false}
      monospaced
    />
  );
}

function ChannelFields() {
  return (
    <>
      <CheckboxGroup name="events" label="Tell about" options={EVENT_OPTIONS} />
      <Select name="min_priority" label="How important" options={FLOOR_OPTIONS} />
      <Checkbox
        name="include_body"
        label="Send details too"
        hint="They name banks, purchases and amounts. Others may be able to read what goes over a public server."
      />
      <div className="grid gap-x-6 sm:grid-cols-2">
        <TextField name="quiet_hours_start" label="Quiet from" type="time" optional />
        <TextField name="quiet_hours_end" label="Quiet until" type="time" optional />
      </div>
      <p className="text-sm text-muted">
        Messages wait until quiet hours end, unless they are critical. Times are in the household’s time zone.
      </p>
    </>
  );
}
