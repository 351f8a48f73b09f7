import { useWatch } from 'react-hook-form';
import { z } from 'zod';

import {
  getWorkflowSettings,
  updateWorkflowSettings,
} from '../../../src/features/workflow-settings/workflow-settings.contract.ts';
import { useApiWrite } from '../../api/queries.ts';
import { Banner } from '../../components/banner.tsx';
import { RadioGroup } from '../../components/choice-fields.tsx';
import { Form, useOperationForm, type OperationForm } from '../../components/form.tsx';
import { Section } from '../../components/page-header.tsx';
import { PasswordField, TextField } from '../../components/text-fields.tsx';
import { showToast } from '../../components/toast-store.ts';
import { inFields } from '../../components/stored-record.ts';
import type { Settings, StoredSettings } from './models-page.tsx';

const PROVIDERS = [
  { value: 'anthropic', label: 'Anthropic', hint: 'Claude, with a key from the Anthropic console.' },
  { value: 'openai', label: 'OpenAI', hint: 'GPT, with a key from the OpenAI platform.' },
  {
    value: 'openai_compatible',
    label: 'Another model server',
    hint: 'Ollama, llama.cpp, LM Studio, vLLM and others, on a machine of your own or elsewhere.',
  },
  { value: 'none', label: 'None', hint: 'No workflow can start.' },
];
const NAMES: Readonly<Record<string, string>> = { anthropic: 'Anthropic', openai: 'OpenAI' };

const FIELDS = {
  body: z.object({
    provider: z.enum(['anthropic', 'openai', 'openai_compatible', 'none']),
    base_url: z.string(),
    api_key: z.string(),
    model: z.string(),
    fast: z.string(),
    balanced: z.string(),
    deep: z.string(),
    context_tokens: z.string().regex(/^\d{0,9}$/, 'must be a whole number'),
  }),
};
type Values = z.infer<typeof FIELDS.body>;

/** What the fields hold; the key is never shown. */
function fieldsOf(settings: Settings): Values {
  const { models } = settings;
  return {
    provider: settings.provider ?? 'none',
    base_url: settings.base_url ?? '',
    api_key: '',
    model: settings.model ?? '',
    fast: models.fast ?? '',
    balanced: models.balanced ?? '',
    deep: models.deep ?? '',
    context_tokens: settings.context_tokens === null ? '' : String(settings.context_tokens),
  };
}

/** Who is asked, where, with which key, and for which model. */
export function ProviderSection({ settings: stored }: { settings: StoredSettings }) {
  const { value: settings } = stored.known;
  const update = useApiWrite(updateWorkflowSettings, {
    refreshes: [getWorkflowSettings],
    onSuccess: () => showToast('Models saved.'),
  });
  const record = inFields(stored, fieldsOf);
  const form = useOperationForm(FIELDS, {
    defaults: record.values,
    record,
    send: (values, ifMatch) => update.mutateAsync({ body: toBody(values, settings), ifMatch }),
    guarded: true,
    forgets: ['api_key'],
  });
  return (
    <Section title="Provider and models" about="Who is asked, with which key, and which model does which work.">
      {settings.from_env.length > 0 && (
        <Banner tone="info">
          <p>Some values come from environment variables on the server and can be changed only there.</p>
        </Banner>
      )}
      <Form form={form} submit="Save models">
        <Fields form={form} settings={settings} />
      </Form>
    </Section>
  );
}

/** Only what may be changed here; an empty key stays as it is. */
function toBody(
  { provider, fast, balanced, deep, context_tokens: tokens, ...rest }: Values,
  { from_env: set }: Settings,
) {
  const own = { provider: provider === 'none' ? null : provider, ...rest };
  const writable = Object.entries(own).filter(
    ([field, value]) => !set.some((one) => one === field) && !(field === 'api_key' && value === ''),
  );
  return {
    ...(Object.fromEntries(writable) as Partial<typeof own>),
    models: { fast, balanced, deep },
    context_tokens: tokens === '' ? null : Number(tokens),
  };
}

function Fields({ form, settings }: { form: OperationForm<Values>; settings: Settings }) {
  const provider = useWatch({ control: form.control, name: 'provider' });
  const reasonFor = (field: Settings['from_env'][number]): string | undefined =>
    settings.from_env.includes(field) ? 'Set on the server.' : undefined;
  if (provider === 'none') return <ProviderChoice reason={reasonFor('provider')} />;
  const isOwnServer = provider === 'openai_compatible';
  return (
    <>
      <ProviderChoice reason={reasonFor('provider')} />
      <WhatLeaves provider={provider} />
      <TextField
        name="base_url"
        label="Address"
        type="url"
        optional={!isOwnServer}
        hint={
          isOwnServer
            ? 'Such as http://127.0.0.1:11434/v1 for Ollama on this machine.'
            : `Leave this empty for ${NAMES[provider] ?? provider} itself.`
        }
        disabledReason={reasonFor('base_url')}
      />
      <PasswordField
        name="api_key"
        label={isOwnServer ? 'Key (optional)' : 'Key'}
        autoComplete="new-password"
        hint={keyHint(settings)}
        disabledReason={reasonFor('api_key')}
      />
      <ModelNames provider={provider} reason={reasonFor('model')} />
      {isOwnServer && (
        <TextField
          name="context_tokens"
          label="Context in tokens"
          inputMode="numeric"
          optional
          hint="How much the server really reads at once: Ollama reads only 4096 unless told otherwise. A run that would not fit then stops instead of losing its task."
        />
      )}
    </>
  );
}

function ProviderChoice({ reason }: { reason: string | undefined }) {
  return <RadioGroup name="provider" label="Provider" options={PROVIDERS} disabledReason={reason} />;
}

function ModelNames({ provider, reason }: { provider: string; reason: string | undefined }) {
  const isShipped = provider === 'anthropic';
  const otherwise = isShipped
    ? 'If empty: the default, or the one that Homeledger suggests.'
    : 'If empty: the default.';
  return (
    <>
      <TextField
        name="model"
        label="Default model"
        monospaced
        optional={isShipped}
        hint="The name by which the provider knows it."
        disabledReason={reason}
      />
      <TextField name="fast" label="Model for quick work" monospaced optional hint={otherwise} />
      <TextField name="balanced" label="Model for most work" monospaced optional hint={otherwise} />
      <TextField name="deep" label="Model for hard work" monospaced optional hint={otherwise} />
    </>
  );
}

/** Said where the choice is made (contract 60.5). */
function WhatLeaves({ provider }: { provider: string }) {
  const name = NAMES[provider];
  const what =
    'the texts and tools of a workflow, and what its tools return from your ledger: transactions, names and amounts';
  return (
    <Banner tone="info" title="What leaves your home">
      {name === undefined ? (
        <p>
          Nothing, if the server is on this machine or in your own network. Otherwise its operator gets {what}, and
          nobody else does.
        </p>
      ) : (
        <p>
          {name} gets {what}. Nobody else does. Account and card numbers are shortened if you choose so under Agents.
        </p>
      )}
    </Banner>
  );
}

/** A key from the environment needs no status: its field says enough. */
function keyHint({ api_key_set: isSet, api_key_hint: ending, api_key_source: source }: Settings): string | undefined {
  if (source === 'env') return undefined;
  if (!isSet) return 'Not set. It is stored encrypted, and sent only to the address above.';
  const which = ending === null ? 'Set' : `Set, ends in ${ending}`;
  return `${which}. Leave this empty to keep it. For another provider or address, enter it again.`;
}
