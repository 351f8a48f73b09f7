import { z } from 'zod';

import {
  getNotificationSettings,
  updateNotificationSettings,
} from '../../../src/features/notifications/notifications.contract.ts';
import type { OutputOf } from '../../../src/contract/operation.ts';
import { useApiRecord, useApiWrite } from '../../api/queries.ts';
import { Checkbox } from '../../components/choice-fields.tsx';
import { Form, useOperationForm } from '../../components/form.tsx';
import { Section } from '../../components/page-header.tsx';
import { Loaded } from '../../components/skeleton.tsx';
import { inFields, type ReadRecord } from '../../components/stored-record.ts';
import { TextField } from '../../components/text-fields.tsx';
import { showToast } from '../../components/toast-store.ts';

type Settings = OutputOf<typeof getNotificationSettings>;

const SettingsForm = { body: z.object({ allow_private_networks: z.boolean(), delivery_retention_days: z.string() }) };

export function NotificationSettingsSection() {
  const settings = useApiRecord(getNotificationSettings, {});
  return (
    <Section title="For all channels" about="Where messages may go, and how long they are listed.">
      <Loaded query={settings} lines={3}>
        {(known) => <SettingsFields stored={{ known, reread: settings.reread }} />}
      </Loaded>
    </Section>
  );
}

function fieldsOf({ allow_private_networks, delivery_retention_days: days }: Settings) {
  return { allow_private_networks, delivery_retention_days: String(days) };
}

function SettingsFields({ stored }: { stored: ReadRecord<Settings> }) {
  const change = useApiWrite(updateNotificationSettings, {
    refreshes: [getNotificationSettings],
    onSuccess: () => showToast('Saved.'),
  });
  const record = inFields(stored, fieldsOf);
  const form = useOperationForm(SettingsForm, {
    defaults: record.values,
    record,
    send: ({ delivery_retention_days: days, ...body }, ifMatch) =>
      change.mutateAsync({ body: { ...body, delivery_retention_days: Number(days) }, ifMatch }),
  });
  return (
    <Form form={form} submit="Save" look="secondary">
      <Checkbox
        name="allow_private_networks"
        label="Allow addresses at home"
        hint="Needed for a server on this machine or in your own network, such as Home Assistant. Otherwise messages go only to addresses on the internet. The API calls this allow_private_networks."
      />
      <TextField
        name="delivery_retention_days"
        label="Days for which messages are listed"
        hint="1 to 365, counted from when they arrived or failed."
        type="number"
        inputMode="numeric"
      />
    </Form>
  );
}
