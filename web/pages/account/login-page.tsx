import { useEffect, useState } from 'react';
import { z } from 'zod';

import { safeNext } from '../../../src/contract/pages.ts';
import { Remember, signIn } from '../../../src/features/auth/auth.contract.ts';
import { ApiError, visitorApi } from '../../api/client.ts';
import { followSignIns, wasSignedIn } from '../../api/session.ts';
import { Banner } from '../../components/banner.tsx';
import { Checkbox } from '../../components/choice-fields.tsx';
import { Form, useOperationForm } from '../../components/form.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { PasswordField, TextField } from '../../components/text-fields.tsx';
import { queryValue } from './leave-for.ts';
import { SignedInPage, useWhereToGo } from './signed-in.tsx';

/** The server takes any text for these; here an empty one is a slip. */
const FORM = {
  body: z.object({
    identifier: z.string().trim().min(1, 'must not be empty'),
    password: z.string().min(1, 'must not be empty'),
    remember: Remember,
  }),
};

/** Email and password, then on to where the person was going. */
export default function LoginPage() {
  const next = safeNext(queryValue('next'));
  const { goOn, isHere } = useWhereToGo(next);
  const [isSessionOver] = useState(wasSignedIn);
  // Somebody signed in in another tab: the server then leads on from here too.
  useEffect(() => followSignIns(() => location.reload()), []);
  const form = useOperationForm(FORM, {
    defaults: { identifier: '', password: '', remember: false },
    send: async (body) => {
      await visitorApi.call(signIn, { body });
      await goOn();
    },
  });
  const { failure, setFocus } = form;
  useEffect(() => {
    if (isWrongPair(failure)) setFocus('password', { shouldSelect: true });
  }, [failure, setFocus]);
  if (isHere) return <SignedInPage />;
  return (
    <>
      <PageHeader title="Sign in" />
      {isSessionOver && <Banner>Your session has ended. Sign in again to continue.</Banner>}
      <Form form={form} submit="Sign in">
        <TextField
          name="identifier"
          label="Email"
          type="email"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
        />
        <PasswordField name="password" label="Password" autoComplete="current-password" />
        <Checkbox
          name="remember"
          label="Keep me signed in"
          hint="For up to 30 days. Use this only on your own device."
        />
      </Form>
      <Forgotten />
    </>
  );
}

function isWrongPair(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === 'INVALID_CREDENTIALS';
}

function Forgotten() {
  return (
    <details className="mt-6 border-t border-line pt-4">
      <summary className="target content-center font-medium">Forgotten your password?</summary>
      <div className="mt-2 space-y-2 text-muted">
        <p>Ask an admin of your household. On the Household page, they can make a link that lets you set a new one.</p>
        <p>
          If no admin can sign in, whoever runs the server can reset it with this command:{' '}
          <code className="font-mono text-sm text-ink">homeledger users reset-password you@example.com</code>
        </p>
      </div>
    </details>
  );
}
