import { useReasonAgainst } from '../../api/session.ts';
import { Banner, type Tone } from '../../components/banner.tsx';
import { Button } from '../../components/button.tsx';
import { LINK, PageLink } from '../../lib/page-link.tsx';
import type { ConnectionState } from './connection-words.ts';
import type { Renewal } from './sign-in-at-bank.tsx';

type Entry = ConnectionState['attention'][number];

const TONES: Readonly<Partial<Record<Entry['code'], Tone>>> = {
  reauth_required: 'danger',
  connection_error: 'danger',
  provider_not_configured: 'warning',
  consent_expiring: 'warning',
  sync_stale: 'warning',
  revocation_pending: 'warning',
};

/** What needs a person, with what clears it. */
export function Trouble({ connection, renewal }: { connection: ConnectionState; renewal: Renewal }) {
  return connection.attention.map((entry) => (
    <Banner
      key={entry.code}
      tone={TONES[entry.code] ?? 'info'}
      actions={needsSignIn(entry) ? <SignInButton renewal={renewal} /> : undefined}
    >
      <p>{entry.message}</p>
      {entry.code === 'suggestions_open' && (
        <PageLink to="/suggestions" className={LINK}>
          Review the suggestions
        </PageLink>
      )}
      {entry.code === 'provider_not_configured' && (
        <PageLink to="/settings/providers" className={LINK}>
          Set up the provider
        </PageLink>
      )}
    </Banner>
  ));
}

function SignInButton({ renewal }: { renewal: Renewal }) {
  const right = useReasonAgainst('full_access');
  return (
    <Button look="primary" busy={renewal.isBusy} disabledReason={right} onClick={renewal.begin}>
      Sign in at the bank
    </Button>
  );
}

function needsSignIn({ code }: Entry): boolean {
  return code === 'reauth_required' || code === 'consent_expiring' || code === 'new_accounts_available';
}
