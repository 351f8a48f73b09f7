import { z } from 'zod';

import { changePassword, listSessions, PasswordChange } from '../../../src/features/auth/auth.contract.ts';
import { listApiKeys } from '../../../src/features/api-keys/api-keys.contract.ts';
import { useApiWrite } from '../../api/queries.ts';
import { Checkbox } from '../../components/choice-fields.tsx';
import { Form, useOperationForm } from '../../components/form.tsx';
import { PasswordField } from '../../components/text-fields.tsx';
import { showToast } from '../../components/toast-store.ts';

/** The body of the operation, with the new password a second time. */
const NewPasswordForm = {
  body: PasswordChange.extend({ repeated: z.string() }).refine(
    ({ new_password: wanted, repeated }) => wanted === repeated,
    {
      path: ['repeated'],
      message: 'must match the new password',
    },
  ),
};

/** Signs out everywhere else. */
export function PasswordForm({ identifier }: { identifier: string }) {
  const change = useApiWrite(changePassword, {
    refreshes: [listSessions, listApiKeys],
    onSuccess: () => showToast('Password changed. You are signed out everywhere else.'),
  });
  const form = useOperationForm(NewPasswordForm, {
    defaults: { current_password: '', new_password: '', repeated: '', revoke_keys: false },
    send: ({ repeated: _sameAgain, ...body }) => change.mutateAsync({ body }),
    forgets: ['current_password', 'new_password', 'repeated', 'revoke_keys'],
  });
  return (
    <Form form={form} submit="Change password">
      {/* For password managers, which store the password under it. */}
      <input type="text" autoComplete="username" value={identifier} readOnly hidden />
      <PasswordField name="current_password" label="Current password" autoComplete="current-password" />
      <PasswordField name="new_password" label="New password" autoComplete="new-password" strength />
      <PasswordField name="repeated" label="Repeat new password" autoComplete="new-password" />
      <Checkbox
        name="revoke_keys"
        label="Also revoke my API keys"
        hint="Do this if someone else may know your password. Scripts and devices that use your keys will stop working."
      />
      <p className="text-muted">You will be signed out everywhere except in this browser.</p>
    </Form>
  );
}
