import { api } from '../api/client.ts';
import { signIn, useSession, refreshSession } from '../api/session.ts';
import { answerWaiting, isSignInAsked } from '../api/sign-in-again.ts';
import { Dialog } from '../components/dialog.tsx';
import { Form, useOperationForm } from '../components/form.tsx';
import { PasswordField, TextField } from '../components/text-fields.tsx';
import { useStore } from '../lib/store.ts';

/** Shown when a session ends during work: afterwards the action is repeated, and nothing typed is lost. */
export function SignInAgain() {
  const isAsked = useStore(isSignInAsked);
  return (
    <Dialog open={isAsked} title="Sign in again" onClose={() => answerWaiting(false)}>
      <SignInAgainForm />
    </Dialog>
  );
}

function SignInAgainForm() {
  const known = useSession().data?.login?.identifier;
  const form = useOperationForm(signIn, {
    defaults: { identifier: known ?? '', password: '', remember: false },
    send: async (body) => {
      await api.call(signIn, { body });
      await refreshSession();
      answerWaiting(true);
    },
  });
  return (
    <Form form={form} submit="Sign in" onCancel={() => answerWaiting(false)}>
      <p className="mb-4 text-muted">Your session has ended. What you were doing continues once you are signed in.</p>
      <TextField name="identifier" label="E-mail" type="email" autoComplete="username" readOnly={known !== undefined} />
      <PasswordField name="password" label="Password" autoComplete="current-password" autoFocus />
    </Form>
  );
}
