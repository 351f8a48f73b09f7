import { useEffect, useState } from 'react';
import { useWatch } from 'react-hook-form';
import { z } from 'zod';

import {
  createApiKey,
  listApiKeys,
  NewApiKey,
  revokeApiKey,
} from '../../../src/features/api-keys/api-keys.contract.ts';
import type { OutputOf } from '../../../src/contract/operation.ts';
import { useApiWrite } from '../../api/queries.ts';
import { useSession } from '../../api/session.ts';
import { Banner } from '../../components/banner.tsx';
import { Button } from '../../components/button.tsx';
import { RadioGroup, Select } from '../../components/choice-fields.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Form, useOperationForm } from '../../components/form.tsx';
import { SecretOnce } from '../../components/snippet.tsx';
import { TextField } from '../../components/text-fields.tsx';
import { Expiry, ExpirySelect, expiryInstant, OwnerSelect } from './key-fields.tsx';
import { useUnsavedChanges } from '../../components/unsaved-changes.tsx';
import { KeySnippets } from './key-snippets.tsx';

type MadeKey = OutputOf<typeof createApiKey>;
/** The body of the operation, with the expiry as people choose it. */
const KeyForm = {
  body: NewApiKey.omit({ expires_at: true }).extend({ expiry: Expiry, used_by: z.enum(['people', 'agent']) }),
};

/** Asks for the new key, then shows it once. Closing forgets it. */
export function CreateKeyDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const [made, setMade] = useState<MadeKey | null>(null);
  const close = (): void => {
    setMade(null);
    onClose();
  };
  // Escape must not lose a key that nobody has saved.
  const isUnsaved = made !== null && made.key !== null;
  return (
    <Dialog
      open={open}
      title={made === null ? 'New API key' : `The key ${made.name}`}
      onClose={isUnsaved ? () => undefined : close}
    >
      {made === null ? <KeyQuestions onMade={setMade} onCancel={close} /> : <NewKey made={made} onDone={close} />}
    </Dialog>
  );
}

const USERS = [
  { value: 'people', label: 'For me or a script' },
  {
    value: 'agent',
    label: 'For an agent',
    hint: 'An AI program. It never creates keys or approves its own proposals.',
  },
];
const READING = { value: 'read_only', label: 'Read only', hint: 'Can see everything, but not change anything.' };
const RIGHTS = {
  people: [
    READING,
    {
      value: 'full_access',
      label: 'Full access',
      hint: 'Can see, change and delete everything, and create more keys. Give it only to what you trust completely.',
    },
  ],
  agent: [
    READING,
    {
      value: 'propose',
      label: 'Propose',
      hint: 'Can see everything. A person approves each change before it is made.',
    },
    {
      value: 'full_access',
      label: 'Full access',
      hint: 'Can also change and delete your data, as far as the Agents page lets it.',
    },
  ],
};
const WRITERS = [
  { value: 'user', label: 'A person' },
  { value: 'system', label: 'A script' },
];

function KeyQuestions({ onMade, onCancel }: { onMade: (made: MadeKey) => void; onCancel: () => void }) {
  const session = useSession();
  const create = useApiWrite(createApiKey, { refreshes: [listApiKeys], onSuccess: onMade });
  const form = useOperationForm(KeyForm, {
    defaults: {
      name: '',
      scope: 'read_only',
      user_id: session.data?.user?.short_id ?? '',
      actor_type: 'user',
      actor_name: '',
      expiry: 'never',
      used_by: 'people',
    },
    send: ({ expiry, used_by: usedBy, actor_type: writer, ...body }) => {
      const actor = { actor_type: usedBy === 'agent' ? ('agent' as const) : writer };
      return create.mutateAsync({ body: { ...body, ...actor, expires_at: expiryInstant(expiry) ?? null } });
    },
  });
  const usedBy = useWatch({ control: form.control, name: 'used_by' });
  const { setValue } = form;
  useEffect(() => setValue('scope', usedBy === 'agent' ? 'propose' : 'read_only'), [usedBy, setValue]);
  return (
    <Form form={form} submit="Create key" onCancel={onCancel}>
      <TextField name="name" label="Name" hint="What will use it, such as Kitchen tablet or Backup script." autoFocus />
      <RadioGroup name="used_by" label="Who will use it?" options={USERS} />
      <RadioGroup name="scope" label="Access" options={RIGHTS[usedBy]} />
      <OwnerSelect />
      {usedBy === 'people' && (
        <Select name="actor_type" label="Used by" hint="Shown with each change in the history." options={WRITERS} />
      )}
      <TextField
        name="actor_name"
        label="Name in the history"
        optional
        hint="If you leave it empty, the name of the person or of the key is shown."
      />
      <ExpirySelect />
    </Form>
  );
}

function NewKey({ made, onDone }: { made: MadeKey; onDone: () => void }) {
  const revoke = useApiWrite(revokeApiKey, { refreshes: [listApiKeys], onSuccess: onDone });
  useUnsavedChanges(made.key !== null, 'secret');
  if (made.key === null) {
    return (
      <Banner
        tone="warning"
        title="The key was created, but the connection broke before it arrived"
        actions={
          <Button look="primary" busy={revoke.isPending} onClick={() => revoke.mutate({ params: { id: made.id } })}>
            Revoke it and start again
          </Button>
        }
      >
        <p>A key is shown only once, so no one can use this one.</p>
      </Banner>
    );
  }
  return (
    <>
      <SecretOnce label="API key" secret={made.key} onSaved={onDone} />
      <h3 className="mt-6 mb-2 font-semibold">Try it</h3>
      <KeySnippets apiKey={made.key} isAgent={made.actor_type === 'agent'} />
    </>
  );
}
