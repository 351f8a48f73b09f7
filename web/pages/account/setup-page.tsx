import { useState } from 'react';

import { PageHeader } from '../../components/page-header.tsx';
import { LINK } from '../../lib/page-link.tsx';
import { AfterSetup } from './setup/after-setup.tsx';
import { HouseholdStep } from './setup/household-step.tsx';
import { PersonStep } from './setup/person-step.tsx';
import { useSetup, type CompletedSetup } from './setup/setup-forms.ts';
import { TokenStep } from './setup/token-step.tsx';

/** The first run: who may set up, who they are, their household; then what they have to keep. One thing at a time. */
export default function SetupPage() {
  const [completed, setCompleted] = useState<CompletedSetup>();
  return completed ? <AfterSetup setup={completed} /> : <BeforeSetup onCompleted={setCompleted} />;
}

function BeforeSetup({ onCompleted }: { onCompleted: (setup: CompletedSetup) => void }) {
  const { step, person, household, begin, back } = useSetup(onCompleted);
  if (step.is === 'token') return <TokenStep wasRefused={step.wasRefused} onGood={begin} />;
  if (step.is === 'person') return <PersonStep form={person} members={step.members} />;
  if (step.is === 'household') return <HouseholdStep form={household} onBack={back} />;
  return <SetUpAlready askedForKey={household.getValues('create_api_key') === true} />;
}

/** Also shown to whoever set up and never got the answer. */
function SetUpAlready({ askedForKey }: { askedForKey: boolean }) {
  return (
    <>
      <PageHeader title="Homeledger is already set up" />
      <p className="mb-4">If you have just set it up, sign in with the email address and password you chose.</p>
      {askedForKey && (
        <p className="mb-4">
          The API key that you asked for could not be shown. Revoke it on the page API keys, and make another.
        </p>
      )}
      <p>
        <a href="/login" className={LINK}>
          Sign in
        </a>
      </p>
    </>
  );
}
