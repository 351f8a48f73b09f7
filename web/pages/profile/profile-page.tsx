import { useSession, type Session } from '../../api/session.ts';
import { Loaded } from '../../components/skeleton.tsx';
import { PageHeader, Section } from '../../components/page-header.tsx';
import { BrowserChoices } from './browser-choices.tsx';
import { PasswordForm } from './password-form.tsx';
import { DetailsForm, IdentifierForm } from './details-forms.tsx';
import { SessionList } from './session-list.tsx';

/** What a person sets for themselves: name, sign-in, password, sessions, and how this browser looks. */
export default function ProfilePage() {
  const session = useSession();
  return (
    <>
      <PageHeader title="Profile" lead="Your name, how you sign in, and where you are signed in." />
      <Loaded query={session} lines={8}>
        {({ user, login }) => user && login && <ProfileSections user={user} login={login} />}
      </Loaded>
    </>
  );
}

export interface Self {
  user: NonNullable<Session['user']>;
  login: NonNullable<Session['login']>;
}

function ProfileSections({ user, login }: Self) {
  return (
    <>
      <Section title="You" about="How the household sees you.">
        <DetailsForm user={user} login={login} />
      </Section>
      <Section title="Signing in" about="What you sign in with. Changing it takes your password.">
        <IdentifierForm user={user} login={login} />
      </Section>
      <Section title="Password" about="Changing it signs you out everywhere else.">
        <PasswordForm identifier={login.identifier} />
      </Section>
      <SessionList />
      <Section title="This browser" about="Kept on this device only. Other devices have their own.">
        <BrowserChoices />
      </Section>
    </>
  );
}
