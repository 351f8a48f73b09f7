import { z } from 'zod';

import type { OutputOf } from '../../../src/contract/operation.ts';
import { Password } from '../../../src/features/auth/auth.contract.ts';
import { addRecoveryKey, listRecoveryKeys } from '../../../src/features/recovery-keys/recovery-keys.contract.ts';
import { useApiWrite } from '../../api/queries.ts';
import { Form, useOperationForm } from '../form.tsx';
import { PasswordField, TextField } from '../text-fields.tsx';

/** A key with its identity, or a recipient that somebody brought. */
export type AddedKey = OutputOf<typeof addRecoveryKey>;

const MADE_HERE = { body: z.object({ password: Password }) };
const OWN = { body: MADE_HERE.body.extend({ recipient: z.string().trim().min(1, 'must not be empty') }) };

interface NewRecoveryKeyProps {
  onAdded: (key: AddedKey) => void;
  onCancel: () => void;
  cancel?: string;
}

/** Asks for the password: whoever adds a key can read later backups. */
export function NewRecoveryKey({ onAdded, onCancel, cancel = 'Cancel' }: NewRecoveryKeyProps) {
  const add = useApiWrite(addRecoveryKey, { refreshes: [listRecoveryKeys], onSuccess: onAdded });
  const form = useOperationForm(MADE_HERE, {
    defaults: { password: '' },
    send: (body) => add.mutateAsync({ body }),
    forgets: ['password'],
  });
  return (
    <Form form={form} submit="Make a recovery key" onCancel={onCancel} cancel={cancel}>
      <OwnPassword />
    </Form>
  );
}

/** For those who have an age key of their own. */
export function OwnRecipient({ onAdded, onCancel }: NewRecoveryKeyProps) {
  const add = useApiWrite(addRecoveryKey, { refreshes: [listRecoveryKeys], onSuccess: onAdded });
  const form = useOperationForm(OWN, {
    defaults: { password: '', recipient: '' },
    send: (body) => add.mutateAsync({ body }),
    forgets: ['password'],
  });
  return (
    <Form form={form} submit="Add it" onCancel={onCancel}>
      <TextField
        name="recipient"
        label="Public key"
        hint="Begins with age1. The secret half stays with you."
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        monospaced
        autoFocus
      />
      <OwnPassword />
    </Form>
  );
}

export function OwnPassword() {
  return <PasswordField name="password" label="Your password" autoComplete="current-password" />;
}
