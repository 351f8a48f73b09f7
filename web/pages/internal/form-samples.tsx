import { useState } from 'react';
import { z } from 'zod';

import type { ErrorBody } from '../../../src/kernel/errors.ts';
import { ApiError } from '../../api/client.ts';
import { Checkbox, RadioGroup, Select, Switch } from '../../components/choice-fields.tsx';
import { Form, useOperationForm } from '../../components/form.tsx';
import { Section } from '../../components/page-header.tsx';
import { PasswordField, TextArea, TextField } from '../../components/text-fields.tsx';
import { showToast } from '../../components/toast-store.ts';

const sample = {
  body: z.object({
    name: z.string().min(1, 'must not be empty'),
    kind: z.string(),
    scope: z.string(),
    password: z.string().min(10, 'must have 10 to 200 characters'),
    note: z.string(),
    remember: z.boolean(),
    identifier: z.string(),
  }),
};

export function FormSamples() {
  const [isOn, setOn] = useState(true);
  const form = useOperationForm(sample, {
    defaults: {
      name: '',
      kind: 'member',
      scope: 'read_only',
      password: '',
      note: '',
      remember: false,
      identifier: 'ana@home.example',
    },
    send: async () => showToast('Saved.'),
    guarded: true,
  });
  return (
    <>
      <Section title="A form">
        <Form form={form} submit="Save" onCancel={() => form.reset()}>
          <TextField name="name" label="Name" hint="What the household calls this member." autoComplete="off" />
          <Select
            name="kind"
            label="Kind"
            options={[
              { value: 'member', label: 'Member' },
              { value: 'dependent', label: 'Dependent' },
            ]}
          />
          <RadioGroup
            name="scope"
            label="What the key may do"
            options={[
              { value: 'read_only', label: 'Read only', hint: 'It sees everything and changes nothing.' },
              { value: 'full_access', label: 'Full access', hint: 'It may change and delete everything.' },
            ]}
          />
          <PasswordField name="password" label="Password" autoComplete="new-password" strength />
          <TextArea name="note" label="Note" optional />
          <Checkbox name="remember" label="Keep me signed in" hint="For 30 days, on this browser." />
          <TextField name="identifier" label="Email to sign in with" disabledReason="Only an admin may change it." />
        </Form>
      </Section>
      <Section title="A form over a record that somebody else changes">
        <RecordSample />
      </Section>
      <Section title="A switch">
        <Switch label="Shortcuts with a single key" hint="On this browser." checked={isOn} onChange={setOn} />
        <Switch
          label="Notifications"
          checked={false}
          onChange={() => undefined}
          disabledReason="Only an admin may change it."
        />
      </Section>
    </>
  );
}

const record = { body: z.object({ label: z.string(), note: z.string() }) };
const STORED = { label: 'Joint account', note: '' };
const MEANWHILE = { label: 'Household account', note: 'Changed by Ben' };
const CHANGED: ErrorBody = {
  error: { code: 'PRECONDITION_FAILED', message: 'The record has changed since it was read.' },
};

/** Every save finds that Ben has saved something first; the second one, that what is sent was made from that. */
function RecordSample() {
  const form = useOperationForm(record, {
    defaults: STORED,
    record: { values: STORED, etag: '"1"', reread: () => Promise.resolve({ values: MEANWHILE, etag: '"2"' }) },
    send: (_values, ifMatch) => {
      if (ifMatch !== '"2"') return Promise.reject(new ApiError(412, CHANGED));
      showToast('Saved.');
      return Promise.resolve();
    },
  });
  return (
    <Form form={form} submit="Keep it">
      <TextField name="label" label="Label" autoComplete="off" />
      <TextField name="note" label="Remark" autoComplete="off" />
    </Form>
  );
}
