import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { z } from 'zod';

import { acceptInvitation, getInvitation } from '../../../src/features/setup/setup.contract.ts';
import type { OutputOf } from '../../../src/contract/operation.ts';
import { ApiError, visitorApi } from '../../api/client.ts';
import { keyOf } from '../../api/queries.ts';
import { useSession } from '../../api/session.ts';
import { Banner } from '../../components/banner.tsx';
import { Checkbox } from '../../components/choice-fields.tsx';
import { Form, useOperationForm } from '../../components/form.tsx';
import { Instant } from '../../components/instant.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Loaded } from '../../components/skeleton.tsx';
import { LINK, usePageParams } from '../../lib/page-link.tsx';
import { NewPasswordFields, PASSWORD_TWICE, SAME_PASSWORD } from './new-password.tsx';
import { SignedInPage, useWhereToGo } from './signed-in.tsx';

type Invitation = OutputOf<typeof getInvitation>;

/** A link that sets a password: for somebody new, or for somebody who has forgotten theirs. */
export default function InvitePage() {
  const { token = '' } = usePageParams();
  const [isRefused, setRefused] = useState(false);
  const invitation = useInvitation(token);
  if (isRefused || isInvalidToken(invitation.error)) return <LinkNotValid wasTried={isRefused} />;
  return (
    <Loaded query={invitation} lines={6}>
      {(found) => <Invited token={token} invitation={found} onRefused={() => setRefused(true)} />}
    </Loaded>
  );
}

/** Asked once: each look with a token that is not valid counts as a guess. */
function useInvitation(token: string) {
  return useQuery({
    queryKey: keyOf(getInvitation, { params: { token } }),
    queryFn: () => visitorApi.call(getInvitation, { params: { token } }),
    staleTime: Infinity,
    retry: false,
  });
}

function isInvalidToken(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'INVALID_SETUP_TOKEN';
}

function LinkNotValid({ wasTried }: { wasTried: boolean }) {
  return (
    <>
      <PageHeader title="This link no longer works" />
      <div className="space-y-3">
        <p>
          It has already been used, replaced by a newer one, or has expired. An invitation link works for 7 days, a
          password link for 24 hours.
        </p>
        <p>Ask whoever sent it, or any admin of your household, for a new one.</p>
        <p>
          {wasTried ? 'If you have just set your password, it is saved: ' : 'If you already have a password: '}
          <a href="/login" className={LINK}>
            sign in
          </a>
          .
        </p>
      </div>
    </>
  );
}

const FORM = { body: z.object({ ...PASSWORD_TWICE, remember: z.boolean() }).refine(...SAME_PASSWORD) };

interface InvitedProps {
  token: string;
  invitation: Invitation;
  onRefused: () => void;
}

function Invited({ token, invitation, onRefused }: InvitedProps) {
  const { goOn, isHere } = useWhereToGo('/');
  const form = useOperationForm(FORM, {
    defaults: { password: '', password_again: '', remember: false },
    send: async ({ password, remember }) => {
      try {
        await visitorApi.call(acceptInvitation, { params: { token }, body: { password, remember } });
      } catch (error) {
        if (isInvalidToken(error)) onRefused();
        throw error;
      }
      await goOn();
    },
  });
  if (isHere) return <SignedInPage />;
  return (
    <>
      <Welcome invitation={invitation} />
      <SomebodyElse identifier={invitation.identifier} />
      <Form form={form} submit="Set password and sign in">
        <div className="mb-4">
          <label htmlFor="identifier" className="mb-1 block font-medium">
            You sign in with
          </label>
          {/* A real field, so that password managers keep the password under it. */}
          <input
            id="identifier"
            type="email"
            autoComplete="username"
            readOnly
            value={invitation.identifier}
            className="field target bg-sunken"
          />
        </div>
        <NewPasswordFields />
        <Checkbox
          name="remember"
          label="Keep me signed in"
          hint="For up to 30 days. Use this only on your own device."
        />
      </Form>
      <p className="mt-6 text-sm text-muted">
        This link can be used once. It expires <Instant isPlanned at={invitation.expires_at} />.
      </p>
    </>
  );
}

function Welcome({ invitation }: { invitation: Invitation }) {
  const { purpose, user_name: name, household_name: household, invited_by: by } = invitation;
  if (purpose === 'reset') {
    return (
      <PageHeader
        title="Set a new password"
        lead={`For ${name} in ${household}. ${by} made this link for you. Your old password works until you set a new one; you are then signed out everywhere else.`}
      />
    );
  }
  return (
    <PageHeader title={`Welcome, ${name}`} lead={`${by} has invited you to ${household}. Choose a password to join.`} />
  );
}

function SomebodyElse({ identifier }: { identifier: string }) {
  const { data: session } = useSession();
  if (!session?.login || session.login.identifier === identifier) return null;
  return (
    <Banner tone="warning" title={`${session.user?.name ?? session.login.identifier} is signed in on this browser`}>
      Setting the password here signs them out.
    </Banner>
  );
}
