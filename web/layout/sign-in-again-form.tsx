import { signIn } from '../../src/features/auth/auth.contract.ts';
import { api } from '../api/client.ts';
import { refresh } from '../api/queries.ts';
import { refreshSession, useSession } from '../api/session.ts';
import { answerWaiting } from '../api/sign-in-again.ts';
import { Form, useOperationForm } from '../components/form.tsx';
import { PasswordField, TextField } from '../components/text-fields.tsx';

export default function SignInAgainForm() {
  const known = useSession().data?.login?.identifier;
  const form = useOperationForm(signIn, {
    defaults: { identifier: known ?? '', password: '', remember: false },
    send: async (body) => {
      await api.call(signIn, { body });
      await refreshSession();
      answerWaiting(true);
      void refresh();
    },
  });
  return (
    <Form form={form} submit="Sign in" onCancel={() => answerWaiting(false)}>
      <p className="mb-4 text-muted">Your session has ended. Sign in to continue where you were.</p>
      <TextField name="identifier" label="Email" type="email" autoComplete="username" readOnly={known !== undefined} />
      <PasswordField name="password" label="Password" autoComplete="current-password" autoFocus />
    </Form>
  );
}
