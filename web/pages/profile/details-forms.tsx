import { updateProfile } from '../../../src/features/auth/auth.contract.ts';
import { listUsers } from '../../../src/features/users/users.contract.ts';
import { getSession } from '../../../src/features/auth/auth.contract.ts';
import { useApiWrite } from '../../api/queries.ts';
import { Form, useOperationForm } from '../../components/form.tsx';
import { PasswordField, TextField } from '../../components/text-fields.tsx';
import { showToast } from '../../components/toast-store.ts';
import type { Self } from './profile-page.tsx';

const REFRESHED = [getSession, listUsers];

/** Name and email address of the member; a viewer may change their own too. */
export function DetailsForm({ user, login }: Self) {
  const update = useApiWrite(updateProfile, { refreshes: REFRESHED, onSuccess: () => showToast('Saved.') });
  const form = useOperationForm(updateProfile, {
    defaults: { name: user.name, email: user.email ?? '' },
    send: ({ name, email }) => update.mutateAsync({ body: { name, email } }),
    guarded: true,
    live: true,
  });
  const differs = user.email !== null && user.email !== login.identifier;
  return (
    <Form form={form} submit="Save">
      <TextField name="name" label="Name" autoComplete="name" />
      <TextField
        name="email"
        label="Email"
        optional
        type="email"
        autoComplete="email"
        hint={
          differs
            ? `For information only. You sign in with ${login.identifier}.`
            : 'For information only. Nothing is sent to it.'
        }
      />
    </Form>
  );
}

/** What a person signs in with. Changing it takes the password. */
export function IdentifierForm({ login }: Self) {
  const update = useApiWrite(updateProfile, {
    refreshes: REFRESHED,
    onSuccess: () => showToast('Saved. Sign in with the new address from now on.'),
  });
  const form = useOperationForm(updateProfile, {
    defaults: { identifier: login.identifier, current_password: '' },
    send: ({ identifier, current_password: password }) =>
      update.mutateAsync({ body: { identifier, current_password: password } }),
    guarded: true,
    live: true,
    forgets: ['current_password'],
  });
  return (
    <Form form={form} submit="Change">
      <TextField name="identifier" label="You sign in with" type="email" autoComplete="username" />
      <PasswordField name="current_password" label="Current password" autoComplete="current-password" />
    </Form>
  );
}
