import { useState } from 'react';

import { createHostedRelink } from '../../../src/features/hosted-links/hosted-links.contract.ts';
import { useApiWrite } from '../../api/queries.ts';
import { useReasonAgainst } from '../../api/session.ts';
import { Banner, ErrorBanner } from '../../components/banner.tsx';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { BankWindow, type LinkMade } from './bank-window.tsx';
import { bankName, type Connection } from './connection-words.ts';

/** Renews the login at the bank. The connection is active again as soon as the bank has confirmed it. */
export function SignInAgain({ connection }: { connection: Connection }) {
  const right = useReasonAgainst('full_access');
  const [link, setLink] = useState<LinkMade | null>(null);
  const start = useApiWrite(createHostedRelink, { refreshes: [], onSuccess: setLink });
  const [isDone, setDone] = useState(false);
  const close = (): void => {
    setLink(null);
    setDone(false);
  };
  const begin = (): void => start.mutate({ params: { id: connection.id }, body: {} });
  return (
    <>
      {start.error !== null && <ErrorBanner error={start.error} onRetry={begin} />}
      <Button look="primary" busy={start.isPending} disabledReason={right} onClick={begin}>
        Sign in at the bank
      </Button>
      <Dialog open={link !== null} title={`Sign in at ${bankName(connection)}`} onClose={close}>
        {link && isDone && <Confirmed onClose={close} />}
        {link && !isDone && <BankWindow key={link.id} link={link} onAgain={close} onDone={() => setDone(true)} />}
      </Dialog>
    </>
  );
}

function Confirmed({ onClose }: { onClose: () => void }) {
  return (
    <>
      <Banner tone="success" title="The bank has confirmed your login">
        <p>New transactions are being fetched now.</p>
      </Banner>
      <Button look="primary" onClick={onClose}>
        Done
      </Button>
    </>
  );
}
