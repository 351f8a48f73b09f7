import {
  getProviderSettings,
  setPlaidSettings,
} from '../../../src/features/provider-settings/provider-settings.contract.ts';
import { useApiWrite } from '../../api/queries.ts';
import { Select } from '../../components/choice-fields.tsx';
import { Form, useOperationForm } from '../../components/form.tsx';
import { PasswordField, TextField } from '../../components/text-fields.tsx';
import { showToast } from '../../components/toast-store.ts';
import { ENVIRONMENTS, filled, ONLY_ON_SERVER, ProviderSection, secretHint } from './provider-section.tsx';
import { inFields } from '../../components/stored-record.ts';
import type { ProviderSettings, StoredProviderSettings } from './providers-page.tsx';

/** What the fields hold; secrets are never shown. */
function fieldsOf({ environment, webhook_url: webhookUrl }: ProviderSettings['plaid']) {
  return { client_id: '', secret: '', environment, webhook_url: webhookUrl ?? '' };
}

export function PlaidSection({ settings: stored }: { settings: StoredProviderSettings }) {
  const { plaid: settings } = stored.known.value;
  const save = useApiWrite(setPlaidSettings, {
    refreshes: [getProviderSettings],
    onSuccess: () => showToast('Plaid settings saved.'),
  });
  const record = inFields(stored, ({ plaid }) => fieldsOf(plaid));
  const form = useOperationForm(setPlaidSettings, {
    defaults: record.values,
    record,
    send: ({ webhook_url: webhookUrl, environment, ...secrets }, ifMatch) =>
      save.mutateAsync({
        body: {
          ...(settings.from_env ? {} : { ...filled(secrets), environment }),
          webhook_url: webhookUrl,
        },
        ifMatch,
      }),
    guarded: true,
    forgets: ['client_id', 'secret'],
  });
  const { from_env: isFromEnvironment } = settings;
  const reason = isFromEnvironment ? ONLY_ON_SERVER : undefined;
  return (
    <ProviderSection
      name="Plaid"
      isConfigured={settings.configured}
      isFromEnvironment={settings.from_env}
      hasCredentials={settings.client_id_set || settings.secret_set}
      onDisable={() => save.mutateAsync({ body: { client_id: null, secret: null } })}
    >
      <Form form={form} submit="Save Plaid">
        <TextField
          name="client_id"
          label="Client ID"
          monospaced
          autoComplete="off"
          hint={secretHint({ isSet: settings.client_id_set, ending: settings.client_id_hint, isFromEnvironment })}
          disabledReason={reason}
        />
        <PasswordField
          name="secret"
          label="Secret"
          autoComplete="new-password"
          hint={secretHint({ isSet: settings.secret_set, isFromEnvironment })}
          disabledReason={reason}
        />
        <Select name="environment" label="Environment" options={ENVIRONMENTS} disabledReason={reason} />
        <TextField
          name="webhook_url"
          label="Webhook address"
          type="url"
          optional
          hint="Where Plaid announces new data. If empty, it is built from the public address, if that is https."
        />
      </Form>
    </ProviderSection>
  );
}
