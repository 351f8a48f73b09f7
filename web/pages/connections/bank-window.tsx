import { ExternalLink } from 'lucide-react';
import { useEffect } from 'react';

import type { OutputOf } from '../../../src/contract/operation.ts';
import {
  cancelHostedLink,
  getHostedLink,
  type createHostedLink,
} from '../../../src/features/hosted-links/hosted-links.contract.ts';
import { refresh, useApiQuery, useApiWrite } from '../../api/queries.ts';
import { Banner } from '../../components/banner.tsx';
import { Button, buttonClass } from '../../components/button.tsx';
import { Instant } from '../../components/instant.tsx';
import { Snippet } from '../../components/snippet.tsx';
import { AFTER_SYNC } from './running-syncs.ts';

export type LinkMade = OutputOf<typeof createHostedLink>;
export type LinkState = OutputOf<typeof getHostedLink>;

const EVERY_MS = 2_000;
const ENDED: ReadonlySet<string> = new Set(['completed', 'failed', 'expired']);

interface BankWindowProps {
  link: LinkMade;
  /** The person has finished at the bank. */
  onDone: (state: LinkState) => void;
  /** Makes another link, after this one has ended without a result. */
  onAgain: () => void;
}

/**
 * The way to the bank's own window: a page of ours in another tab, because this one may load nothing from elsewhere. It
 * shows what happens there, and the same link can be sent to somebody else.
 */
export function BankWindow({ link, onDone, onAgain }: BankWindowProps) {
  const state = useApiQuery(
    getHostedLink,
    { params: { id: link.id } },
    { refetchInterval: ({ state: { data } }) => (data && ENDED.has(data.status) ? false : EVERY_MS) },
  );
  const status = state.data?.status ?? link.status;
  const completed = state.data?.status === 'completed' ? state.data : undefined;
  useEffect(() => {
    if (!completed) return;
    void refresh(AFTER_SYNC);
    onDone(completed);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once, when it is completed
  }, [completed?.id]);
  if (completed) return null;
  if (ENDED.has(status)) return <Ended state={state.data} onAgain={onAgain} />;
  if (link.url === null) return <Lost onAgain={onAgain} />;
  return (
    <Open link={link} url={link.url} isBusy={status === 'active' || status === 'consumed'} onCancelled={onAgain} />
  );
}

interface OpenProps {
  link: LinkMade;
  url: string;
  isBusy: boolean;
  onCancelled: () => void;
}

function Open({ link, url, isBusy, onCancelled }: OpenProps) {
  const cancel = useApiWrite(cancelHostedLink, { refreshes: [getHostedLink], onSuccess: onCancelled });
  return (
    <>
      <p role="status" className="mb-4">
        {isBusy
          ? 'The page with the bank is open. Finish there; this page updates automatically.'
          : 'Sign in at the bank on a separate page. This page updates when you have finished.'}
      </p>
      <p className="mb-6">
        <a href={url} target="_blank" rel="noopener" className={buttonClass('primary')}>
          Go to the bank
          <ExternalLink aria-hidden size={18} />
          <span className="sr-only">(opens in a new tab)</span>
        </a>
      </p>
      <p className="mb-2">Or send this link to whoever knows the bank’s password. It shows none of your data.</p>
      <Snippet label="the link" text={url} />
      <p className="mb-4 text-muted">
        It expires <Instant isPlanned at={link.expires_at} />.
      </p>
      <Button busy={cancel.isPending} onClick={() => cancel.mutate({ params: { id: link.id } })}>
        Cancel the link
      </Button>
    </>
  );
}

function Ended({ state, onAgain }: { state: LinkState | undefined; onAgain: () => void }) {
  const isExpired = state?.status === 'expired';
  return (
    <Banner
      tone="warning"
      title={isExpired ? 'The link has expired' : 'The bank was not connected'}
      actions={
        <Button look="primary" onClick={onAgain}>
          Start again
        </Button>
      }
    >
      {!isExpired && state?.error_message != null && <p>{state.error_message}</p>}
    </Banner>
  );
}

function Lost({ onAgain }: { onAgain: () => void }) {
  return (
    <Banner
      tone="warning"
      title="The link was created, but the connection broke before it arrived"
      actions={
        <Button look="primary" onClick={onAgain}>
          Create another
        </Button>
      }
    >
      <p>A link is shown only once.</p>
    </Banner>
  );
}
