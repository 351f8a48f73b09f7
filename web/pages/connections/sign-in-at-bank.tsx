import { useState } from 'react';

import { createHostedRelink } from '../../../src/features/hosted-links/hosted-links.contract.ts';
import { useApiWrite } from '../../api/queries.ts';
import { Banner, ErrorBanner } from '../../components/banner.tsx';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { BankWindow, type LinkMade } from './bank-window.tsx';
import { bankName, type Connection } from './connection-words.ts';

export interface Renewal {
  begin: () => void;
  isBusy: boolean;
  error: Error | null;
  link: LinkMade | null;
  close: () => void;
}

/** Renews the login at the bank. It is kept by the page: what asked for it disappears as soon as the login works. */
export function useRenewal({ id }: Pick<Connection, 'id'>): Renewal {
  const [link, setLink] = useState<LinkMade | null>(null);
  const start = useApiWrite(createHostedRelink, { refreshes: [], onSuccess: setLink });
  return {
    begin: () => start.mutate({ params: { id }, body: {} }),
    isBusy: start.isPending,
    error: start.error,
    link,
    close: () => setLink(null),
  };
}

/** The way to the bank's window, and what came of it. */
export function RenewalDialog({ connection, renewal }: { connection: Connection; renewal: Renewal }) {
  const { link, error, begin, close } = renewal;
  return (
    <>
      {error !== null && <ErrorBanner error={error} onRetry={begin} />}
      <Dialog open={link !== null} title={`Sign in at ${bankName(connection)}`} onClose={close}>
        {link && <Window key={link.id} link={link} onClose={close} />}
      </Dialog>
    </>
  );
}

function Window({ link, onClose }: { link: LinkMade; onClose: () => void }) {
  const [isDone, setDone] = useState(false);
  if (!isDone) return <BankWindow link={link} onAgain={onClose} onDone={() => setDone(true)} />;
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
