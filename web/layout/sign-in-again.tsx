import { lazy, Suspense } from 'react';

import { answerWaiting, isSignInAsked } from '../api/sign-in-again.ts';
import { Dialog } from '../components/dialog.tsx';
import { Skeleton } from '../components/skeleton.tsx';
import { useStore } from '../lib/store.ts';

// Few visits need it, and with it every first visit would load the code of forms.
const SignInAgainForm = lazy(() => import('./sign-in-again-form.tsx'));

/** Shown when a session ends during work: afterwards the action is repeated, and nothing typed is lost. */
export function SignInAgain() {
  const isAsked = useStore(isSignInAsked);
  return (
    <Dialog open={isAsked} title="Sign in again" onClose={() => answerWaiting(false)}>
      <Suspense fallback={<Skeleton />}>
        <SignInAgainForm />
      </Suspense>
    </Dialog>
  );
}
