import { z } from 'zod';

import {
  getNotificationSettings,
  updateNotificationSettings,
} from '../../../src/features/notifications/notifications.contract.ts';
import type { OutputOf } from '../../../src/contract/operation.ts';
import { useApiQuery, useApiWrite } from '../../api/queries.ts';
import { Checkbox } from '../../components/choice-fields.tsx';
import { Form, useOperationForm } from '../../components/form.tsx';
import { Section } from '../../components/page-header.tsx';
import { Loaded } from '../../components/skeleton.tsx';
import { TextField } from '../../components/text-fields.tsx';
import { showToast } from '../../components/toast-store.ts';

type Settings = OutputOf<typeof getNotificationSettings>;

const SettingsForm = { body: z.object({ allow_private_networks: z.boolean(), delivery_retention_days: z.string() }) };

export function NotificationSettingsSection() {
  const settings = useApiQuery(getNotificationSettings, {});
  return (
    <Section title="For all channels">
      <Loaded query={settings} lines={3}>
        {(stored) => <SettingsFields stored={stored} />}
      </Loaded>
    </Section>
  );
}

function SettingsFields({ stored }: { stored: Settings }) {
  const change = useApiWrite(updateNotificationSettings, {
    refreshes: [getNotificationSettings],
    onSuccess: () => showToast('Saved.'),
  });
  const form = useOperationForm(SettingsForm, {
    defaults: {
      allow_private_networks: stored.allow_private_networks,
      delivery_retention_days: String(stored.delivery_retention_days),
    },
    send: ({ delivery_retention_days: days, ...body }) =>
      change.mutateAsync({ body: { ...body, delivery_retention_days: Number(days) } }),
    live: true,
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
