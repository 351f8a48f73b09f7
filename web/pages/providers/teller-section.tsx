import {
  getProviderSettings,
  setTellerSettings,
} from '../../../src/features/provider-settings/provider-settings.contract.ts';
import { useApiWrite } from '../../api/queries.ts';
import { Select } from '../../components/choice-fields.tsx';
import { Form, useOperationForm } from '../../components/form.tsx';
import { PasswordField, TextArea, TextField } from '../../components/text-fields.tsx';
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

const NOTHING = { application_id: null, certificate: null, private_key: null, webhook_secret: null };

/** What the fields hold; secrets are never shown. */
function fieldsOf({ environment }: ProviderSettings['teller']) {
  return { application_id: '', environment, certificate: '', private_key: '', webhook_secret: '' };
}

export function TellerSection({ settings: stored }: { settings: StoredProviderSettings }) {
  const { teller: settings } = stored.known.value;
  const save = useApiWrite(setTellerSettings, {
    refreshes: [getProviderSettings],
    onSuccess: () => showToast('Teller settings saved.'),
  });
  const record = inFields(stored, ({ teller }) => fieldsOf(teller));
  const form = useOperationForm(setTellerSettings, {
    defaults: record.values,
    record,
    send: ({ environment, webhook_secret: webhookSecret, ...rest }, ifMatch) =>
      save.mutateAsync({
        body: {
          ...(settings.from_env ? {} : { ...filled(rest), environment }),
          ...filled({ webhook_secret: webhookSecret }),
        },
        ifMatch,
      }),
    guarded: true,
    forgets: ['application_id', 'certificate', 'private_key', 'webhook_secret'],
  });
  return (
    <ProviderSection
      name="Teller"
      isConfigured={settings.configured}
      isFromEnvironment={settings.from_env}
      hasCredentials={settings.application_id_set}
      onDisable={() => save.mutateAsync({ body: NOTHING })}
    >
      {settings.from_env && (
        <SetOnServer
          items={[
            { term: 'Application ID', value: secretState(settings.application_id_set) },
            { term: 'Environment', value: environmentInWords(settings.environment) },
            { term: 'Certificate and private key', value: secretState(settings.certificate_set) },
          ]}
        />
      )}
      <Form form={form} submit="Save Teller">
        {!settings.from_env && <Credentials settings={settings} />}
        <PasswordField
          name="webhook_secret"
          label="Webhook secret"
          autoComplete="new-password"
          hint={secretHint(settings.webhook_secret_set)}
        />
      </Form>
    </ProviderSection>
  );
}

function Credentials({ settings }: { settings: ProviderSettings['teller'] }) {
  const certificate = secretHint(settings.certificate_set);
  return (
    <>
      <TextField
        name="application_id"
        label="Application ID"
        monospaced
        autoComplete="off"
        hint={secretHint(settings.application_id_set)}
      />
      <Select name="environment" label="Environment" options={ENVIRONMENTS} />
      <TextArea
        name="certificate"
        label="Certificate"
        hint={`The text of certificate.pem; needed outside the sandbox. ${certificate}`}
      />
      <TextArea
        name="private_key"
        label="Private key"
        hint={`The text of private_key.pem, together with the certificate. ${certificate}`}
      />
    </>
  );
}
