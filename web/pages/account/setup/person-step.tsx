import { useEffect } from 'react';
import { useWatch } from 'react-hook-form';

import { RadioGroup } from '../../../components/choice-fields.tsx';
import { Form, type OperationForm } from '../../../components/form.tsx';
import { PageHeader } from '../../../components/page-header.tsx';
import { TextField } from '../../../components/text-fields.tsx';
import { NewPasswordFields } from '../new-password.tsx';
import { SOMEBODY_NEW, type Members, type Person } from './setup-forms.ts';

const FIELDS = ['user_id', 'name', 'email', 'password', 'password_again'] as const;

/** Step 1: what the first admin is called and how they sign in. */
export function PersonStep({ form, members }: { form: OperationForm<Person>; members: Members }) {
  const isNew = useWatch({ control: form.control, name: 'user_id' }) === SOMEBODY_NEW;
  useEffect(() => {
    // The server refused something here when all was sent, one step later.
    const wrong = FIELDS.find((name) => form.getFieldState(name).error !== undefined);
    if (wrong !== undefined) form.setFocus(wrong);
    // oxlint-disable-next-line react/exhaustive-deps -- when the step is shown
  }, []);
  return (
    <>
      <PageHeader
        key="person"
        title="Who are you?"
        lead="Step 1 of 2. You will be the first admin, and can invite the others afterwards."
      />
      <Form form={form} submit="Continue">
        {members.length > 0 && <RadioGroup name="user_id" label="You are" options={optionsOf(members)} />}
        {isNew && <TextField name="name" label="Your name" autoComplete="name" autoFocus={members.length === 0} />}
        <TextField
          name="email"
          label="Email"
          type="email"
          hint="You sign in with it. Homeledger never sends email."
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
        />
        <NewPasswordFields />
      </Form>
    </>
  );
}

function optionsOf(members: Members) {
  return [
    ...members.map(({ user_id: value, name: label }) => ({ value, label })),
    { value: SOMEBODY_NEW, label: 'Someone who is not listed' },
  ];
}
