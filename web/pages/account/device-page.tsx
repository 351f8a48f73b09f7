import { useEffect, useState } from 'react';

import { loginAddress } from '../../../src/contract/pages.ts';
import { signOut, useReasonAgainst, useSession, watchOtherTabs, type Session } from '../../api/session.ts';
import { Button } from '../../components/button.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Loaded, Skeleton } from '../../components/skeleton.tsx';
import { CodeForm } from './device/code-form.tsx';
import { DeviceRequestFor } from './device/device-request.tsx';
import { codeIn } from './device/user-code.ts';
import { leaveFor, queryValue } from './leave-for.ts';

/** Someone has a device that shows a code, and decides here whether it gets a key. Opening the page decides nothing. */
export default function DevicePage() {
  const session = useSession();
  return (
    <Loaded query={session} lines={6}>
      {(found) => <DeviceFor session={found} />}
    </Loaded>
  );
}

function DeviceFor({ session }: { session: Session }) {
  const isSignedOut = !session.authenticated;
  useEffect(() => {
    if (isSignedOut) void leaveFor(loginAddress(location.pathname + location.search));
  }, [isSignedOut]);
  useEffect(() => (isSignedOut ? undefined : watchOtherTabs(session)), [isSignedOut, session]);
  const reason = useReasonAgainst('admin');
  if (isSignedOut) return <Skeleton lines={6} />;
  return reason === undefined ? <ApproveDevice /> : <NotAdmin session={session} />;
}

function ApproveDevice() {
  // A code that cannot be one stays in the box, to be mended there.
  const [given] = useState(() => queryValue('code'));
  const [code, setCode] = useState(() => codeIn(given));
  function look(wanted: string | undefined): void {
    setCode(wanted);
    const query = wanted === undefined ? '' : `?code=${wanted}`;
    history.replaceState(history.state, '', location.pathname + query);
  }
  return (
    <>
      <PageHeader
        title="Approve a device"
        lead="An app or device is showing a code and asking for access to your ledger."
      />
      <CodeForm given={code ?? given} onCode={look} isOpen={code !== undefined} />
      {code !== undefined && <DeviceRequestFor key={code} code={code} />}
    </>
  );
}

function NotAdmin({ session }: { session: Session }) {
  const [isBusy, setBusy] = useState(false);
  const here = loginAddress(location.pathname + location.search);
  return (
    <>
      <PageHeader title="Only an admin can approve a device" />
      <div className="space-y-3">
        <p>
          You are signed in as {session.user?.name ?? session.login?.identifier}, who is not an admin of this household.
          The device waits for up to 10 minutes.
        </p>
        <p>Ask an admin to open this page and enter the code, or to sign in here.</p>
      </div>
      <p className="mt-6">
        <Button
          busy={isBusy}
          onClick={() => {
            setBusy(true);
            void signOut(here).catch(() => setBusy(false));
          }}
        >
          Sign in as someone else
        </Button>
      </p>
    </>
  );
}
