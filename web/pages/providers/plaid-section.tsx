import {
  getProviderSettings,
  setPlaidSettings,
} from '../../../src/features/provider-settings/provider-settings.contract.ts';
import { useApiWrite } from '../../api/queries.ts';
import { Select } from '../../components/choice-fields.tsx';
import { Form, useOperationForm } from '../../components/form.tsx';
import { PasswordField, TextField } from '../../components/text-fields.tsx';
import { showToast } from '../../components/toast-store.ts';
import {
  ENVIRONMENTS,
  environmentInWords,
  filled,
  ProviderSection,
  secretHint,
  secretState,
  SetOnServer,
} from './provider-section.tsx';
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
  return (
    <ProviderSection
      name="Plaid"
      isConfigured={settings.configured}
      isFromEnvironment={settings.from_env}
      hasCredentials={settings.client_id_set || settings.secret_set}
      onDisable={() => save.mutateAsync({ body: { client_id: null, secret: null } })}
    >
      {settings.from_env && (
        <SetOnServer
          items={[
            { term: 'Client ID', value: secretState(settings.client_id_set, settings.client_id_hint) },
            { term: 'Secret', value: secretState(settings.secret_set) },
            { term: 'Environment', value: environmentInWords(settings.environment) },
          ]}
        />
      )}
      <Form form={form} submit="Save Plaid">
        {!settings.from_env && <Credentials settings={settings} />}
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

function Credentials({ settings }: { settings: ProviderSettings['plaid'] }) {
  return (
    <>
      <TextField
        name="client_id"
        label="Client ID"
        monospaced
        autoComplete="off"
        hint={secretHint(settings.client_id_set, settings.client_id_hint)}
      />
      <PasswordField name="secret" label="Secret" autoComplete="new-password" hint={secretHint(settings.secret_set)} />
      <Select name="environment" label="Environment" options={ENVIRONMENTS} />
    </>
  );
}
